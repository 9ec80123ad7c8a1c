"""Helpers that read all rows of a database, to compare them before and after a change."""

from typing import Any

from sqlalchemy import event, select

from bot.database.connection import AsyncEngine
from bot.database.schema import metadata


async def all_rows(engine: AsyncEngine) -> dict[str, list[Any]]:
    """Return the rows of each table."""
    async with engine.connect() as connection:
        return {
            table.name: sorted(
                map(tuple, (await connection.execute(select(table))).all()), key=repr
            )
            for table in metadata.sorted_tables
        }


def statements(engine: AsyncEngine) -> list[str]:
    """Return a list to which every statement run from now on is added."""
    asked: list[str] = []
    event.listen(engine.sync_engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    return asked
