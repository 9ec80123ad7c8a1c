"""Use cases for profiles and leaderboards, limited to the data that a user may see."""

from collections.abc import Sequence
from typing import Final

from bot.base.glicko import next_rounded_from
from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.play.model.clock import Pace
from bot.play.use_cases.use_cases import UseCases
from club.profiles import model
from club.profiles.store.profiles import LeaderboardRow, ProfileTable
from club.profiles.store.records import RecordTable
from club.tournaments.store.badges import BadgeTable

SHOWN: Final = 300
"""Maximum number of rated games in a curve, for each pace."""
_BADGES: Final = 6
_REVIEWED: Final = 20
"""Maximum number of games whose reviews are read, for each pace."""


class Profiles:
    """Use cases that read players' profiles and leaderboards."""

    def __init__(self, cases: UseCases) -> None:
        self._table, self._records = (
            cases.store.queries(ProfileTable),
            cases.store.queries(RecordTable),
        )
        self._badges = cases.store.queries(BadgeTable)
        self._now = cases.now

    async def get(
        self,
        player: UserId,
        *,
        asker: UserId,
        guild: GuildId,
        everywhere: bool = False,
        against: UserId | None = None,
    ) -> model.Profile:
        """Return the part of a player's profile that the user who asks may see.

        Other users see the data of the server where they ask, unless the player hides the profile.
        In direct messages (`NO_GUILD`) users see only their own profile, with the data of all
        servers. In a server, they can ask for that with `everywhere`. The player is compared with
        `against`, or else with the user who asks.

        Raises:
            ProfileHidden: if the user may not see it, with the reason.
        """
        is_own = player == asker
        if not is_own and guild == NO_GUILD:
            raise model.ProfileHidden(player, model.ProfileProblem.PRIVATELY)
        is_hidden = await self._table.is_hidden(player)
        if is_hidden and not is_own:
            raise model.ProfileHidden(player, model.ProfileProblem.HIDDEN)
        other = against or asker
        if asker not in {player, other} and await self._table.is_hidden(other):
            raise model.ProfileHidden(other, model.ProfileProblem.HIDDEN)
        pool = model.ALL_SERVERS if everywhere and is_own else guild
        pools = {pool, model.ALL_SERVERS} if is_own else {pool}
        ratings = await self._table.ratings(player, sorted(pools), at=self._now())
        courses = {
            pace: tuple(await self._table.course(player, pool, pace, limit=SHOWN))
            for pace in Pace
            if (pool, pace) in ratings
        }
        reviewed = await self._table.reviewed(player, pool, limit=_REVIEWED) if ratings else []
        score = None
        if other != player:
            score = other, await self._table.encounters(player, other, pool)
        return model.Profile(
            player=player,
            guild=guild,
            pool=pool,
            is_own=is_own,
            ratings={pace: ratings[pool, pace] for pace in Pace if (pool, pace) in ratings},
            overall={
                pace: ratings[model.ALL_SERVERS, pace]
                for pace in Pace
                if pool != model.ALL_SERVERS and (model.ALL_SERVERS, pace) in ratings
            },
            courses={pace: course for pace, course in courses.items() if course},
            results=tuple(await self._records.results_of(player, pool)),
            beaten=await self._table.beaten(player, pool),
            badges=tuple(await self._badges.badges_of(player, pool, limit=_BADGES)),
            streak=model.wins_in_a_row(point for course in courses.values() for point in course),
            habits=model.habits_of(reviewed),
            against=score,
            is_hidden=is_hidden,
        )

    # Leaderboards

    async def leaderboard(
        self,
        pace: Pace,
        *,
        asker: UserId,
        guild: GuildId,
        everywhere: bool = False,
        page: int | None = 0,
    ) -> model.Leaderboard:
        """Return a page of the players with a settled rating, and the user's own rank.

        The leaderboard of all servers names only the user and players who have played in the user's
        server. Players with a hidden profile have no rank. Pages count from 0. None means the
        user's own page, if there is one.
        """
        pool = model.ALL_SERVERS if everywhere else guild
        own_rank = await self._own_rank(pace, pool, asker)
        count = await self._table.count(pool, pace)
        last = max(count - 1, 0) // model.PAGE
        number = min(own_rank.page if page is None else page, last)
        rows = await self._table.page(
            pool, pace, offset=number * model.PAGE, limit=model.PAGE, count=count, at=self._now()
        )
        first = 1
        if rows and number:
            least = next_rounded_from(rows[0].rating)
            first += await self._table.count_from(
                pool, pace, least, offset=number * model.PAGE, count=count
            )
        named_players = await self._named(rows, guild=guild, pool=pool, asker=asker)
        return model.Leaderboard(
            guild=guild,
            pool=pool,
            pace=pace,
            page=number,
            count=count,
            places=model.numbered(
                [
                    (row.player if row.player in named_players else None, row.rating, row.deviation)
                    for row in rows
                ],
                first,
                number * model.PAGE,
            ),
            own_rank=own_rank,
        )

    async def _own_rank(self, pace: Pace, pool: GuildId, asker: UserId) -> model.OwnRank:
        rating = (await self._table.ratings(asker, [pool])).get((pool, pace))
        is_hidden = await self._table.is_hidden(asker)
        if rating is None or not rating.is_settled or is_hidden:
            return model.OwnRank(place=None, page=0, rating=rating, is_hidden=is_hidden)
        before = await self._table.counts_above(
            pool, pace, asker, rating.rating, shown_higher=next_rounded_from(rating.rating)
        )
        place, page = before.shown_higher + 1, before.all // model.PAGE
        return model.OwnRank(place=place, page=page, rating=rating, is_hidden=False)

    async def _named(
        self, rows: Sequence[LeaderboardRow], *, guild: GuildId, pool: GuildId, asker: UserId
    ) -> set[UserId]:
        """Return the players on a leaderboard page whose names the user may see."""
        players = [row.player for row in rows]
        if pool != model.ALL_SERVERS:
            return set(players)
        known_players = (
            set()
            if guild == model.ALL_SERVERS
            else await self._records.known_players(players, guild)
        )
        return known_players | {asker}
