"""When shards heard nothing. Nobody's clock runs then."""

from datetime import datetime

from sqlalchemy import bindparam, insert, select

from bot.model.clock import Interval
from bot.model.ids import GuildId
from bot.store.database import Database
from bot.store.schema import outages

_insert = insert(outages)
_since = select(outages).where(outages.c.ended_at > bindparam("since"))


class OutageTable:
    """The table of outages."""

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
        await self._database.change(_insert, values)

    async def of(self, guild: GuildId, since: datetime) -> list[Interval]:
        """The outages that ended later than a moment, of whichever shard a guild was in."""
        rows = await self._database.all(_since, {"since": since})
        return [
            Interval(begins=row.began_at, ends=row.ended_at)
            for row in rows
            if (guild >> 22) % row.shard_count == row.shard_id
        ]
