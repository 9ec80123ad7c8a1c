"""Stops: periods when all games of a server or tournament have paused clocks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.base.ids import GuildId, TournamentId
from bot.base.zones import Interval
from bot.database.connection import AsyncConnection
from bot.database.database import Queries, lock, shielded
from bot.database.deliveries import insert_delivery
from bot.database.delivery_rows import NewDelivery
from bot.play.store.schema import clock_stops
from bot.play.store.timers import wake_guild, wake_tournament

_ALL_GAMES = 0
_HERE = sa.and_(
    clock_stops.c.guild_id == sa.bindparam("guild"),
    sa.func.coalesce(clock_stops.c.tournament_id, _ALL_GAMES) == sa.bindparam("tournament"),
)
_running = sa.select(clock_stops).where(_HERE, clock_stops.c.ends_at > sa.bindparam("now"))
_begun_since = sa.select(sa.func.count()).where(
    _HERE, clock_stops.c.begins_at > sa.bindparam("since")
)
_end = (
    sa.update(clock_stops)
    .where(_HERE, clock_stops.c.ends_at > sa.bindparam("now"))
    .values(ends_at=sa.bindparam("now"))
)
_insert = sa.insert(clock_stops)


@dataclass(frozen=True, slots=True)
class StoppedGames:
    """The games that are stopped together: all of a server, or all of one of its tournaments."""

    guild: GuildId
    tournament: TournamentId | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters that identify the games in SQL statements."""
        return {"guild": self.guild, "tournament": self.tournament or _ALL_GAMES}


class StopTable(Queries):
    """The table of stops."""

    async def running_in(self, games: StoppedGames, now: datetime) -> Interval | None:
        """Return the current stop of some games, or None."""
        row = await self._database.first(_running, {**games.parameters, "now": now})
        return None if row is None else Interval(begins=row.begins_at, ends=row.ends_at)

    @shielded
    async def begin(
        self,
        games: StoppedGames,
        stop: Interval,
        deliveries: Iterable[NewDelivery],
        *,
        since: datetime,
        check: Callable[[int], None],
    ) -> None:
        """Store a stop in place of the current one, queue its messages, and wake its games.

        `check` gets the number of stops that began after `since`. It raises an error if another one
        is not allowed.
        """
        async with self._database.transaction() as connection:
            await begin_stop(connection, games, stop, since=since, check=check)
            for delivery in deliveries:
                await insert_delivery(connection, delivery, at=stop.begins)

    @shielded
    async def end(
        self, games: StoppedGames, deliveries: Iterable[NewDelivery], now: datetime
    ) -> bool:
        """End the current stop and queue its messages. Return False if there is none."""
        async with self._database.transaction() as connection:
            if not await end_stop(connection, games, now):
                return False
            for delivery in deliveries:
                await insert_delivery(connection, delivery, at=now)
        return True


async def begin_stop(
    connection: AsyncConnection,
    games: StoppedGames,
    stop: Interval,
    *,
    since: datetime,
    check: Callable[[int], None],
) -> None:
    """Begin a stop in a transaction, like `StopTable.begin`."""
    now = stop.begins
    await lock(connection, games.guild)
    count = await connection.execute(_begun_since, {**games.parameters, "since": since})
    check(count.scalar_one())
    await connection.execute(_end, {**games.parameters, "now": now})
    values = {"guild_id": games.guild, "tournament_id": games.tournament}
    await connection.execute(_insert, {**values, "begins_at": now, "ends_at": stop.ends})
    await _wake(connection, games, now)


async def end_stop(connection: AsyncConnection, games: StoppedGames, now: datetime) -> bool:
    """End the current stop of some games in a transaction. Return False if there is none."""
    await lock(connection, games.guild)
    if (await connection.execute(_end, {**games.parameters, "now": now})).rowcount == 0:
        return False
    await _wake(connection, games, now)
    return True


async def _wake(connection: AsyncConnection, games: StoppedGames, now: datetime) -> None:
    if games.tournament is None:
        await wake_guild(connection, games.guild, now)
    else:
        await wake_tournament(connection, games.tournament, now)
