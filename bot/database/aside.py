"""Moves a database aside under a dated name, to make room for another one.

This lets a host return to an older bot after an upgrade, although it can't read a newer database.
"""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from bot.base.database_address import redacted_url
from bot.base.errors import DatabaseError, InUseError
from bot.database import opening
from bot.database.connection import AsyncConnection, AsyncEngine
from bot.database.faults import DatabaseFault, diagnose
from bot.database.in_use import is_in_use
from bot.database.sqlite import FILE_SUFFIXES, database_file

_CURE = (
    "make a new database with createdb, and write its name into DATABASE_URL; this one stays as "
    "it is"
)

_MAX_PER_SECOND = 1_000
"""Maximum number of databases moved aside in the same second."""


async def put_aside(engine: AsyncEngine, *, now: datetime) -> str:
    """Move a database of any version aside, and return its new name.

    A SQLite file is renamed. In PostgreSQL, all tables of the bot's user move to a schema.

    Raises:
        InUseError: if a bot is using it.
        DatabaseError: if it does not exist or cannot be moved. In that case, it is unchanged.
    """
    opening.check_exists(engine.url)
    if await is_in_use(engine):
        raise InUseError
    name = f"aside-{now:%Y%m%d-%H%M%S}"
    file = database_file(engine.url)
    if file is None:
        return await _move_tables(engine, name.replace("-", "_"))
    await engine.dispose()
    try:
        return str(await asyncio.to_thread(_rename, file, file.with_name(f"{file.name}.{name}")))
    except OSError as error:
        raise DatabaseError(
            redacted_url(engine.url), error, DatabaseFault.READ_ONLY.cure
        ) from error


def _numbered_names(name: str, separator: str) -> Iterator[str]:
    """Yield a name, then the name with numbers, for moves within the same second."""
    yield name
    for number in range(2, _MAX_PER_SECOND):
        yield f"{name}{separator}{number}"


def _rename(file: Path, target: Path) -> Path:
    """Rename a file. SQLite's companion files are renamed first if they can't be emptied."""
    names = _numbered_names(target.name, "-")
    target = next(free for name in names if not (free := target.with_name(name)).exists())
    with suppress(sqlite3.Error), closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for end in reversed(FILE_SUFFIXES):
        with suppress(FileNotFoundError):
            file.with_name(file.name + end).rename(target.with_name(target.name + end))
    return target


async def _move_tables(engine: AsyncEngine, schema: str) -> str:
    try:
        async with engine.begin() as connection:
            await opening.exclude_migrations(connection)
            schemas = {*(await connection.execute(_SCHEMAS)).scalars()}
            schema = next(free for free in _numbered_names(schema, "_") if free not in schemas)
            tables = (await connection.execute(_OWN_TABLES)).scalars().all()
            await connection.execute(text(f'CREATE SCHEMA "{schema}"'))
            for table in tables:
                await _move(connection, table, schema)
    except DBAPIError as error:
        fault = diagnose(error)
        cure = _CURE if fault in {None, DatabaseFault.FORBIDDEN} else fault.cure
        raise DatabaseError(redacted_url(engine.url), error, cure) from error
    return f"schema {schema}"


async def _move(connection: AsyncConnection, table: str, schema: str) -> None:
    """Move a table with its indexes and the sequence that generates its ids."""
    name = table.replace('"', '""')
    await connection.execute(text(f'ALTER TABLE "{name}" SET SCHEMA "{schema}"'))


_SCHEMAS = text("SELECT nspname FROM pg_namespace")
_OWN_TABLES = text(
    "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() "
    "AND tableowner = current_user ORDER BY tablename"
)
