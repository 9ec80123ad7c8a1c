"""Times until which each shard has surely heard everything, and when it heard nothing.

Each process writes that down again and again for its shards. One that finds something else there
than it has written itself is not the only one that listens with this shard.
"""

import asyncio
from datetime import datetime

from sqlalchemy import bindparam, insert, select, update

from bot.base.intervals import Interval
from bot.connection.store.schema import listening, outages
from bot.database.database import Database, whole
from bot.database.other_processes import OtherProcesses

_THIS = (
    listening.c.shard_id == bindparam("shard"),
    listening.c.shard_count == bindparam("count"),
)
_heard_until = select(listening.c.heard_at).where(*_THIS)
_update = update(listening).where(*_THIS).values(heard_at=bindparam("at"))
_insert = insert(listening).values(
    shard_id=bindparam("shard"), shard_count=bindparam("count"), heard_at=bindparam("at")
)
_insert_outage = insert(outages)


class ListeningTable:
    """The table of what was heard."""

    def __init__(self, database: Database, other_processes: OtherProcesses) -> None:
        self._database = database
        self._other_processes = other_processes
        self._one_at_a_time = asyncio.Lock()
        self._written: dict[tuple[int, int], datetime] = {}

    async def heard_until(self, shard: int, count: int) -> datetime | None:
        """Return the time until which a shard has surely heard everything; None where unknown."""
        row = await self._database.first(_heard_until, {"shard": shard, "count": count})
        return None if row is None else row[0]

    @whole
    async def set_heard_until(self, shard: int, count: int, at: datetime) -> None:
        """Remember that a shard has heard everything until a moment."""
        key = {"shard": shard, "count": count}
        async with self._one_at_a_time:
            # Forgotten first: of a transaction that fails nobody knows what it has written.
            before = self._written.pop((shard, count), None)
            async with self._database.transaction() as connection:
                found = (await connection.execute(_heard_until, key)).scalar()
                statement = _insert if found is None else _update
                await connection.execute(statement, {**key, "at": at})
                written = (await connection.execute(_heard_until, key)).scalar_one()
            self._written[shard, count] = written
        if before is not None:
            self._other_processes.hears(shard, with_another=found != before)


class OutageTable:
    """The table of outages. Nobody's clock runs in them: `pauses.py` reads them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, shard: int, count: int, outage: Interval) -> None:
        """Write down that a shard heard nothing for a while."""
        values = {
            "shard_id": shard,
            "shard_count": count,
            "began_at": outage.begins,
            "ended_at": outage.ends,
        }
        await self._database.change(_insert_outage, values)
