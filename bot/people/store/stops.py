"""Stops: spans of time in which the clocks of all games of a server are paused."""

from collections.abc import Callable, Iterable
from datetime import datetime

import sqlalchemy as sa

from bot.base.ids import GuildId
from bot.base.zones import Interval
from bot.database.database import Queries, lock, shielded
from bot.database.deliveries import insert_delivery
from bot.database.delivery_rows import NewDelivery
from bot.play.store.schema import clock_stops
from bot.play.store.timers import wake_guild

_HERE = clock_stops.c.guild_id == sa.bindparam("guild")
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


class StopTable(Queries):
    """The table of stops."""

    async def running_in(self, guild: GuildId, now: datetime) -> Interval | None:
        """Return the stop that runs in a server, if one does."""
        row = await self._database.first(_running, {"guild": guild, "now": now})
        return None if row is None else Interval(begins=row.begins_at, ends=row.ends_at)

    @shielded
    async def begin(
        self,
        guild: GuildId,
        stop: Interval,
        letters: Iterable[NewDelivery],
        *,
        since: datetime,
        check: Callable[[int], None],
    ) -> None:
        """Store a stop in place of a running one, queue its messages, and wake all games.

        `check` raises the reason that forbids it, judged by the number of stops begun since a
        moment.
        """
        now = stop.begins
        async with self._database.transaction() as connection:
            await lock(connection, guild)
            about = {"guild": guild, "since": since}
            check((await connection.execute(_begun_since, about)).scalar_one())
            await connection.execute(_end, {"guild": guild, "now": now})
            values = {"guild_id": guild, "begins_at": now, "ends_at": stop.ends}
            await connection.execute(_insert, values)
            for letter in letters:
                await insert_delivery(connection, letter, at=now)
            await wake_guild(connection, guild, now)

    @shielded
    async def end(self, guild: GuildId, letters: Iterable[NewDelivery], now: datetime) -> bool:
        """End the running stop and queue its messages. Return False if no stop runs."""
        async with self._database.transaction() as connection:
            await lock(connection, guild)
            if (await connection.execute(_end, {"guild": guild, "now": now})).rowcount == 0:
                return False
            for letter in letters:
                await insert_delivery(connection, letter, at=now)
            await wake_guild(connection, guild, now)
        return True
