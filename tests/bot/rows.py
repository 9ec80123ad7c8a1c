"""All that a database holds: whatever changes anything changes this."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.database.columns import metadata


async def all_rows(engine: AsyncEngine) -> dict[str, list[Any]]:
    """The rows of each table."""
    async with engine.connect() as connection:
        return {
            table.name: sorted(
                map(tuple, (await connection.execute(select(table))).all()), key=repr
            )
            for table in metadata.sorted_tables
        }
