"""Profiles: a player's, as others see it, and one's own."""

from typing import Final

from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.features.profiles.model import (
    ALL_SERVERS,
    Profile,
    ProfileHidden,
    ProfileProblem,
    habits_of,
    wins_in_a_row,
)
from bot.features.profiles.store.leaderboards import LeaderboardTable
from bot.features.profiles.store.profiles import ProfileTable
from bot.features.profiles.store.records import RecordTable
from bot.features.ratings.model.glicko import Pace
from bot.features.tournaments.store.badges import BadgeTable
from bot.play.use_cases.cases import UseCases

SHOWN: Final = 300
"""So many rated games of each pace a curve shows."""
_BADGES: Final = 6
"""The number of badges that are shown: the newest."""
_REVIEWED: Final = 20
"""So many games of each pace are looked at for reviews."""


class Profiles:
    """The players' profiles, read without a change."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._now = cases.now

    async def of(
        self,
        player: UserId,
        *,
        asker: UserId,
        guild: GuildId,
        everywhere: bool = False,
        against: UserId | None = None,
    ) -> Profile:
        """Return a player's profile, as far as the asker may see it.

        Others see what is of the server that they ask in, unless the player keeps it to themselves.
        In direct messages people see only themselves, and there what is of all servers.

        Args:
            player: The player.
            asker: Who asks.
            guild: Where; `NO_GUILD` in direct messages.
            everywhere: It shall tell of all servers; only of one's own.
            against: With whom the player is compared; None: with the asker.

        Raises:
            ProfileHidden: if the asker may not see it, and why.
        """
        is_own = player == asker
        if not is_own and guild == NO_GUILD:
            raise ProfileHidden(player, ProfileProblem.PRIVATELY)
        is_hidden = await self._store.of(LeaderboardTable).is_hidden(player)
        if is_hidden and not is_own:
            raise ProfileHidden(player, ProfileProblem.HIDDEN)
        other = against or asker
        if asker not in {player, other} and await self._store.of(LeaderboardTable).is_hidden(other):
            raise ProfileHidden(other, ProfileProblem.HIDDEN)
        pool = ALL_SERVERS if everywhere and is_own else guild
        profiles, records = self._store.of(ProfileTable), self._store.of(RecordTable)
        pools = {pool, ALL_SERVERS} if is_own else {pool}
        ratings = await profiles.ratings(player, sorted(pools), at=self._now())
        courses = {
            pace: tuple(await profiles.course(player, pool, pace, most=SHOWN))
            for pace in Pace
            if (pool, pace) in ratings
        }
        reviewed = await profiles.reviewed(player, pool, most=_REVIEWED) if ratings else []
        score = None
        if other != player:
            score = other, await profiles.encounters(player, other, pool)
        return Profile(
            player=player,
            guild=guild,
            pool=pool,
            is_own=is_own,
            ratings={pace: ratings[pool, pace] for pace in Pace if (pool, pace) in ratings},
            overall={
                pace: ratings[ALL_SERVERS, pace]
                for pace in Pace
                if pool != ALL_SERVERS and (ALL_SERVERS, pace) in ratings
            },
            courses={pace: course for pace, course in courses.items() if course},
            results=tuple(await records.of(player, pool)),
            badges=tuple(await self._store.of(BadgeTable).of(player, pool, most=_BADGES)),
            streak=wins_in_a_row(one for course in courses.values() for one in course),
            habits=habits_of(reviewed),
            against=score,
            is_hidden=is_hidden,
        )
