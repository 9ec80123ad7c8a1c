"""Checks whether a database is in use, for tools that need exclusive access."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from bot.database.connection import AsyncEngine
from bot.database.opening import NAME, UNUSABLE, is_pooled, unusable
from bot.database.schema_check import SchemaError
from bot.database.sqlite import database_file


async def is_in_use(engine: AsyncEngine) -> bool:
    """Return True if the database reports that another process has it open.

    Raises:
        DatabaseError: if the database can't be reached.
    """
    file = database_file(engine.url)
    try:
        if engine.dialect.name == "sqlite":
            await engine.dispose()  # our own connections don't count
            return file is not None and await asyncio.to_thread(_is_open, file)
        async with engine.connect() as connection:
            if is_pooled(connection):
                raise SchemaError(
                    "it is behind a pooler, which hides whether a bot is using it",
                    "use PostgreSQL's own address for this command, and the pooler's for the bot",
                )
            result = await connection.execute(_OTHERS, {"name": NAME})
            return int(result.scalar_one()) > 0
    except UNUSABLE as error:
        raise unusable(engine.url, error) from error


_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND application_name = :name AND pid != pg_backend_pid()"
)


def _is_open(file: Path) -> bool:
    if not file.exists():
        return False
    try:
        with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as connection:
            # Any process that has a WAL file open prevents an exclusive lock on it.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        return error.sqlite_errorcode in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
    except sqlite3.DatabaseError:
        pass  # `migrate` reports other errors
    return False
