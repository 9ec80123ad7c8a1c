"""Seasons: moderators choose once, and from then on each month has a ladder and a play-off."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from bot.base.ids import ChannelId, GuildId, Shards, UserId
from bot.base.zones import read_zone
from bot.database.delivery_rows import NewDelivery
from bot.features.tournaments.model import seasons
from bot.features.tournaments.model.tournament import Tournament, TournamentFormat, TournamentState
from bot.features.tournaments.store.seasons import SeasonTable
from bot.features.tournaments.store.tournaments import TournamentTable
from bot.features.tournaments.use_cases import news
from bot.features.tournaments.use_cases.news import News
from bot.play.use_cases.use_cases import UseCases

_ZONE: Final = "UTC"
_SOON: Final = timedelta(seconds=1)
"""So much later is looked again whether the director has ended a ladder whose time is over."""
_TOO_LATE: Final = timedelta(days=7)
"""A ladder that ended earlier has no play-off any more: the server had no seasons meanwhile."""

SeasonName = Callable[[seasons.Month, TournamentFormat], str]


class Seasons:
    """Looking at a server at any time is right, and as often as one likes: see `look`."""

    def __init__(self, cases: UseCases) -> None:
        self._store, self._table = cases.store, cases.store.of(SeasonTable)
        self._tournaments = cases.store.of(TournamentTable)
        self._now = cases.now

    # Choosing

    async def choose(
        self,
        guild: GuildId,
        channel: ChannelId | None,
        zone: str | None,
        level: int | None,
        *,
        here: ChannelId,
    ) -> seasons.SeasonSetting:
        """Let a server have seasons; they begin at once. None leaves a choice as it is.

        At first they are `here`, by UTC, with no machine in an odd seat of a play-off (level 0). A
        ladder or play-off that runs goes on as it is.

        Raises:
            UnknownZone: if there is no such zone.
        """
        known = await self._table.setting(guild)
        usual = known or seasons.SeasonSetting(
            guild=guild, channel=here, zone=_ZONE, level=None, due_at=self._now()
        )
        chosen = seasons.SeasonSetting(
            guild=guild,
            channel=channel or usual.channel,
            zone=usual.zone if zone is None else read_zone(zone),
            level=usual.level if level is None else level or None,
            due_at=self._now(),
        )
        await self._table.choose(chosen)
        return chosen

    # What comes by itself

    async def due(self, shards: Shards) -> list[seasons.SeasonSetting]:
        return await self._table.due(shards, self._now())

    async def look(
        self, seen: seasons.SeasonSetting, *, name: SeasonName, machine: UserId | None = None
    ) -> bool:
        """Begin a server's ladder and play-off, as far as due; tell whether any has begun.

        All of it is one transaction, which is written only where nobody has looked since; so it
        does not matter how many processes look, nor when one of them dies.
        """
        now = self._now()
        ladder = await self._newest(seen.guild, TournamentFormat.LADDER)
        new: list[Tournament] = []
        if ladder is not None and ladder.ended_at is None:
            next_at = max(ladder.ends_at or now, now + _SOON)
        else:
            next_at = seasons.Month.of(now, seen.zone).next.begins(seen.zone)
            new = await self._to_begin(seen, ladder, now, name, machine)
        done = await self._table.go_on(seen, new, _created, next_at=next_at, at=now)
        return done and bool(new)

    async def _to_begin(
        self,
        seen: seasons.SeasonSetting,
        ladder: Tournament | None,
        now: datetime,
        name: SeasonName,
        machine: UserId | None,
    ) -> list[Tournament]:
        """Return what begins now that no ladder runs: at most a play-off and a ladder."""
        defaults = (await self._store.guilds.rules(seen.guild)).defaults
        new = []
        if ladder is not None and await self._lacks_playoff(ladder, now):
            assert ladder.season is not None  # it is a season's  # noqa: S101
            called = name(seasons.Month.from_number(ladder.season), TournamentFormat.KNOCKOUT)
            playoff = seasons.new_playoff(
                seen, ladder, defaults, name=called, machine=machine, now=now
            )
            new += [] if playoff is None else [playoff]
        if (month := seasons.month_to_open(seen, ladder, now)) is not None:
            called = name(month, TournamentFormat.LADDER)
            new.append(seasons.new_ladder(seen, month, ladder, defaults, name=called, now=now))
        return new

    async def _lacks_playoff(self, ladder: Tournament, now: datetime) -> bool:
        if ladder.state is not TournamentState.DONE or ladder.ended_at is None:
            return False
        newest = await self._newest(ladder.terms.guild, TournamentFormat.KNOCKOUT)
        has_one = newest is not None and newest.season == ladder.season
        return not has_one and now - ladder.ended_at < _TOO_LATE

    async def _newest(self, guild: GuildId, format_: TournamentFormat) -> Tournament | None:
        number = await self._tournaments.newest_of_season(guild, format_)
        return None if number is None else await self._tournaments.get(number)


def _created(tournament: Tournament) -> NewDelivery:
    return news.news(tournament, News.CREATED)
