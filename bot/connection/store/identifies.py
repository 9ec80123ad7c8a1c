"""Times when sessions with Discord were begun in the last day, by all processes of the token."""

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update

from bot.connection.session_budget import DAY, SKEW, Begun, Permit
from bot.connection.store.schema import identifies
from bot.database.database import AnyRow, Database, lock, whole

_LOCK = 0x6964656E74  # "ident": one process at a time counts
_all = select(identifies).order_by(identifies.c.id)
_insert = insert(identifies)
_forget = delete(identifies).where(identifies.c.at < bindparam("day_ago"))
# A clock that was set back must not keep the bot waiting until it gets there again.
_set_back = (
    update(identifies).where(identifies.c.at > bindparam("future")).values(at=bindparam("now"))
)
Judge = Callable[[Sequence[Begun]], Permit]
"""Decision on when a shard may begin a session, by those begun in the last day."""


class IdentifyTable:
    """The table of sessions begun."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def history(self, now: datetime) -> list[Begun]:
        """Return what was begun in the last day."""
        rows = await self._database.all(_all, {})
        if any(row.at > now + SKEW for row in rows):
            await self._database.change(_set_back, {"future": now + SKEW, "now": now})
            rows = await self._database.all(_all, {})
        return [_begun(row) for row in rows if row.at > now - DAY]

    @whole
    async def begin(self, shard: int, count: int, judge: Judge, now: datetime) -> Permit:
        """Write down that a shard begins a session, if it may: then its permit is for now."""
        async with self._database.transaction() as connection:
            await lock(connection, _LOCK)
            await connection.execute(_forget, {"day_ago": now - DAY})
            await connection.execute(_set_back, {"future": now + SKEW, "now": now})
            rows = (await connection.execute(_all)).all()
            permit = judge([_begun(row) for row in rows])
            if permit.at <= now:
                values = {
                    "shard_id": shard,
                    "shard_count": count,
                    "at": now,
                    "by_host": False,  # what 0.1.0 reads
                    "stopped": False,
                }
                await connection.execute(_insert, values)
        return permit


def _begun(row: AnyRow) -> Begun:
    return Begun(shard=row.shard_id, count=row.shard_count, at=row.at)
