"""Stops: moderators pause the clocks of all of a server's games for some time."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.base.ids import GuildId, UserId, is_deleted_user, is_team
from bot.base.zones import Interval
from bot.database.delivery_rows import DeliveryKind, DeliveryRoute, NewDelivery
from bot.people.model import NoStop, TooManyStops
from bot.people.store.stops import StoppedGames, StopTable
from bot.play.store.store import Store

STOPPED: Final = DeliveryKind("stopped")
"""Kind of delivery for the notice that a server's clocks are paused or run again.

Its data is {"at_s": time in seconds since 1970, "is_over": True if they run again}.
"""
LONGEST_STOP: Final = timedelta(days=60)
_MAX_PER_DAY: Final = 3
"""Maximum number of stops per server per day, because each is announced to all players."""
COUNTED_FOR: Final = timedelta(days=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


class Stops:
    """Use cases for stopping a server's clocks."""

    def __init__(self, store: Store, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._table = store.queries(StopTable)
        self._now = now

    async def begin(self, guild: GuildId, days: int) -> Interval:
        """Stop all clocks of a server for some days from now, and notify all its players.

        It replaces the current stop, if there is one.

        Raises:
            TooManyStops: if too many were started within a day.
        """
        now = self._now()
        stop = Interval(begins=now, ends=now + timedelta(days=days))
        deliveries = [delivery async for delivery in self._notices(guild, stop.ends, is_over=False)]
        since = now - COUNTED_FOR
        await self._table.begin(
            StoppedGames(guild), stop, deliveries, since=since, check=check_count
        )
        return stop

    async def end(self, guild: GuildId) -> None:
        """Restart a server's clocks, and notify all its players.

        Raises:
            NoStop: if they are not stopped.
        """
        now = self._now()
        deliveries = [delivery async for delivery in self._notices(guild, now, is_over=True)]
        if not await self._table.end(StoppedGames(guild), deliveries, now):
            raise NoStop

    async def running(self, guild: GuildId) -> Interval | None:
        """Return the current stop of a server's clocks, or None."""
        return await self._table.running_in(StoppedGames(guild), self._now())

    async def _notices(
        self, guild: GuildId, at: datetime, *, is_over: bool
    ) -> AsyncIterator[NewDelivery]:
        """Yield one delivery for each player in a server's games with clocks."""
        recipients: set[UserId] = set()
        now_ms = (self._now() - _EPOCH) // _MILLISECOND
        for row in await self._store.games.running_in_guild(guild):
            for player in (row.white, row.black):
                is_person = (
                    player != row.machine and not is_team(player) and not is_deleted_user(player)
                )
                if row.clock is None or not is_person or player in recipients:
                    continue
                recipients.add(player)
                yield NewDelivery(
                    kind=STOPPED,
                    key=f"{guild}-{player}-{now_ms}",
                    guild=guild,
                    channel=row.channel,
                    player=player,
                    route=DeliveryRoute.DM,
                    data={"at_s": int(at.timestamp()), "is_over": is_over},
                )


def check_count(count: int) -> None:
    """Check that another stop is allowed after this many stops within `COUNTED_FOR`.

    Raises:
        TooManyStops: if it isn't.
    """
    if count >= _MAX_PER_DAY:
        raise TooManyStops
