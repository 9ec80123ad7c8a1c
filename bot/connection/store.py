"""Tables for the connection: when each shard last received events, outages, and session starts.

Each process regularly records the time up to which its shards have received all events. If it finds
a value that it did not write, another process runs the same shard.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import sqlalchemy as sa

from bot.base.zones import Interval
from bot.connection.session_budget import DAY, SKEW, Permit, SessionStart
from bot.database.database import AnyRow, Database, Queries, lock, shielded
from bot.database.other_processes import OtherProcesses
from bot.database.schema import FEW_ROWS, NO_GAMES, Instant, RowId, metadata

listening = sa.Table(
    "listening",
    metadata,
    sa.Column("shard_id", sa.Integer, primary_key=True),
    sa.Column("shard_count", sa.Integer, primary_key=True),
    sa.Column("heard_at", Instant, nullable=False),  # until then, it received all events
    info=NO_GAMES,
)

# Times when a shard received nothing. Game clocks were stopped.
outages = sa.Table(
    "outages",
    metadata,
    sa.Column("id", RowId, primary_key=True),
    sa.Column("shard_id", sa.Integer, nullable=False),
    sa.Column("shard_count", sa.Integer, nullable=False),
    sa.Column("began_at", Instant, nullable=False),
    sa.Column("ended_at", Instant, nullable=False),
    sa.Index("ix_outages_ended", "ended_at"),
)

# Session starts (IDENTIFY) of the last day, which Discord limits.
identifies = sa.Table(
    "identifies",
    metadata,
    sa.Column("id", RowId, primary_key=True),
    sa.Column("shard_id", sa.Integer, nullable=False),
    sa.Column("shard_count", sa.Integer, nullable=False),
    sa.Column("at", Instant, nullable=False),
    sa.Column("by_host", sa.Boolean, nullable=False),  # only 0.1.0 reads these two
    sa.Column("stopped", sa.Boolean, nullable=False),
    info=FEW_ROWS,  # one day only
)


_THIS_SHARD = (
    listening.c.shard_id == sa.bindparam("shard"),
    listening.c.shard_count == sa.bindparam("count"),
)
_heard_until = sa.select(listening.c.heard_at).where(*_THIS_SHARD)
_update = sa.update(listening).where(*_THIS_SHARD).values(heard_at=sa.bindparam("at"))
_insert = sa.insert(listening).values(
    shard_id=sa.bindparam("shard"), shard_count=sa.bindparam("count"), heard_at=sa.bindparam("at")
)
_insert_outage = sa.insert(outages)

_RECENT = timedelta(seconds=90)


class ListeningTable:
    """Table of the last time when each shard had received all events."""

    def __init__(self, database: Database, other_processes: OtherProcesses) -> None:
        self._database = database
        self._other_processes = other_processes
        self._one_at_a_time = asyncio.Lock()
        self._written: dict[tuple[int, int], datetime] = {}
        self._first_seen: dict[tuple[int, int], datetime] = {}

    async def received_until(self, shard: int, count: int) -> datetime | None:
        row = await self._database.first(_heard_until, {"shard": shard, "count": count})
        if row is None:
            return None
        heard_at: datetime = row[0]
        self._first_seen.setdefault((shard, count), heard_at)
        return heard_at

    @shielded
    async def set_received_until(self, shard: int, count: int, at: datetime) -> None:
        key = {"shard": shard, "count": count}
        async with self._one_at_a_time:
            # Removed first, because a failed transaction may still have written it.
            before = self._written.pop((shard, count), None)
            async with self._database.transaction() as connection:
                old_value = (await connection.execute(_heard_until, key)).scalar()
                statement = _insert if old_value is None else _update
                await connection.execute(statement, {**key, "at": at})
                new_value = (await connection.execute(_heard_until, key)).scalar_one()
            self._written[shard, count] = new_value
        if before is not None:
            self._other_processes.record_comparison(shard, at, with_another=old_value != before)
        elif old_value is not None and (
            at - old_value < _RECENT or old_value != self._first_seen.get((shard, count), old_value)
        ):
            # The other process wrote recently, or while this one read missed messages.
            self._other_processes.record_takeover(at)


class OutageTable(Queries):
    """Table of outages. Clocks don't run during an outage: `pauses.py` reads this table."""

    async def add(self, shard: int, count: int, outage: Interval) -> None:
        values = {
            "shard_id": shard,
            "shard_count": count,
            "began_at": outage.begins,
            "ended_at": outage.ends,
        }
        await self._database.change(_insert_outage, values)


_LOCK = 0x6964656E74  # "ident": one process at a time counts sessions
_recent_starts = sa.select(identifies).order_by(identifies.c.id)
_insert_start = sa.insert(identifies)
_delete_old = sa.delete(identifies).where(identifies.c.at < sa.bindparam("day_ago"))
# If a clock was set back, the bot must not wait until it reaches that time again.
_set_back = (
    sa.update(identifies)
    .where(identifies.c.at > sa.bindparam("future"))
    .values(at=sa.bindparam("now"))
)
Judge = Callable[[Sequence[SessionStart]], Permit]
"""Function that takes the sessions of the last day and returns the permit for the next one."""


class IdentifyTable(Queries):
    """Table of session starts."""

    async def history(self, now: datetime) -> list[SessionStart]:
        rows = await self._database.all(_recent_starts, {})
        if any(row.at > now + SKEW for row in rows):
            await self._database.change(_set_back, {"future": now + SKEW, "now": now})
            rows = await self._database.all(_recent_starts, {})
        return [_session_start(row) for row in rows if row.at > now - DAY]

    @shielded
    async def begin(self, shard: int, count: int, judge: Judge, now: datetime) -> Permit:
        """Return a shard's permit. If the session may start now, record it."""
        async with self._database.transaction() as connection:
            await lock(connection, _LOCK)
            await connection.execute(_delete_old, {"day_ago": now - DAY})
            await connection.execute(_set_back, {"future": now + SKEW, "now": now})
            rows = (await connection.execute(_recent_starts)).all()
            permit = judge([_session_start(row) for row in rows])
            if permit.at <= now:
                values = {
                    "shard_id": shard,
                    "shard_count": count,
                    "at": now,
                    "by_host": False,  # read by 0.1.0
                    "stopped": False,
                }
                await connection.execute(_insert_start, values)
        return permit


def _session_start(row: AnyRow) -> SessionStart:
    return SessionStart(shard=row.shard_id, count=row.shard_count, at=row.at)
