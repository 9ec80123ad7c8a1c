"""Leaderboards: the highest ratings, and the asker's own place."""

from collections.abc import Sequence

from bot.base.ids import GuildId, UserId
from bot.features.profiles.model import ALL_SERVERS, PAGE, Leaderboard, Mine, numbered
from bot.features.profiles.store.leaderboards import LeaderboardTable, Listed
from bot.features.profiles.store.profiles import ProfileTable
from bot.features.profiles.store.records import RecordTable
from bot.features.ratings.model.glicko import Pace, above
from bot.play.use_cases.cases import UseCases


class Leaderboards:
    """The ratings in their order, read without a change."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._now = cases.now

    async def page(
        self,
        pace: Pace,
        *,
        asker: UserId,
        guild: GuildId,
        everywhere: bool = False,
        page: int | None = 0,
    ) -> Leaderboard:
        """Return a page of those with a settled rating, and the asker's place.

        In the one of all servers only those are named that have played in the server in which it is
        asked for, and the asker. People who keep their profile to themselves have no place.

        Args:
            pace: Of the ratings.
            asker: Who asks.
            guild: Where; in direct messages there is only the leaderboard of all servers.
            everywhere: Of all servers.
            page: From 0, or the last one; None: the one with the asker, if there is one.
        """
        pool = ALL_SERVERS if everywhere else guild
        table = self._store.of(LeaderboardTable)
        mine = await self._mine(pace, pool, asker)
        count = await table.count(pool, pace)
        last = max(count - 1, 0) // PAGE
        wanted = min(mine.page if page is None else page, last)
        rows = await table.page(
            pool, pace, offset=wanted * PAGE, limit=PAGE, count=count, at=self._now()
        )
        first = 1
        if rows and wanted:
            least = above(rows[0].rating)
            first += await table.count_from(pool, pace, least, offset=wanted * PAGE, count=count)
        named = await self._named(rows, guild=guild, pool=pool, asker=asker)
        return Leaderboard(
            guild=guild,
            pool=pool,
            pace=pace,
            page=wanted,
            count=count,
            places=numbered(
                [
                    (one.player if one.player in named else None, one.rating, one.deviation)
                    for one in rows
                ],
                first,
                wanted * PAGE,
            ),
            mine=mine,
        )

    async def _mine(self, pace: Pace, pool: GuildId, asker: UserId) -> Mine:
        table = self._store.of(LeaderboardTable)
        rating = (await self._store.of(ProfileTable).ratings(asker, [pool])).get((pool, pace))
        is_hidden = await table.is_hidden(asker)
        if rating is None or not rating.is_settled or is_hidden:
            return Mine(place=None, page=0, rating=rating, is_hidden=is_hidden)
        before = await table.before(
            pool, pace, asker, rating.rating, shown_higher=above(rating.rating)
        )
        place, page = before.shown_higher + 1, before.all // PAGE
        return Mine(place=place, page=page, rating=rating, is_hidden=False)

    async def _named(
        self, rows: Sequence[Listed], *, guild: GuildId, pool: GuildId, asker: UserId
    ) -> set[UserId]:
        """Return the people of a page who may be named to the asker."""
        players = [one.player for one in rows]
        if pool != ALL_SERVERS:
            return set(players)
        known = (
            set()
            if guild == ALL_SERVERS
            else await self._store.of(RecordTable).known(players, guild)
        )
        return known | {asker}
