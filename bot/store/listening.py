"""Until when each shard is known to have heard everything."""

from datetime import datetime

from sqlalchemy import bindparam, insert, select, update

from bot.store.database import Database, whole
from bot.store.schema import listening

_THIS = (
    listening.c.shard_id == bindparam("shard"),
    listening.c.shard_count == bindparam("count"),
)
_heard_until = select(listening.c.heard_at).where(*_THIS)
_update = update(listening).where(*_THIS).values(heard_at=bindparam("at"))
_insert = insert(listening).values(
    shard_id=bindparam("shard"), shard_count=bindparam("count"), heard_at=bindparam("at")
)


class Listening:
    """The table of what was heard."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def heard_until(self, shard: int, count: int) -> datetime | None:
        """Until when a shard is known to have heard everything; None where that is unknown."""
        row = await self._database.first(_heard_until, {"shard": shard, "count": count})
        return None if row is None else row[0]

    @whole
    async def set_heard_until(self, shard: int, count: int, at: datetime) -> None:
        """Remember that a shard has heard everything until a moment."""
        parameters = {"shard": shard, "count": count, "at": at}
        async with self._database.transaction() as connection:
            if (await connection.execute(_update, parameters)).rowcount == 0:
                await connection.execute(_insert, parameters)
