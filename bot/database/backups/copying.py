"""Copies rows from one database into another, and proves that they are the same there."""

import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from sqlalchemy import Table, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.database.backups.seal import line
from bot.database.columns import metadata
from bot.database.database import AnyRow

_AT_ONCE = 1_000


def tables() -> Sequence[Table]:
    """Return all tables, each behind those that it refers to."""
    return metadata.sorted_tables


@asynccontextmanager
async def snapshot(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Return a connection that sees the database at one moment; nobody waits for it."""
    if engine.dialect.name == "sqlite":
        # Not BEGIN IMMEDIATE, as everywhere else: that would keep the bot from writing.
        async with engine.connect() as plain:
            connection = await plain.execution_options(isolation_level="AUTOCOMMIT")
            await connection.execute(text("BEGIN"))
            try:
                yield connection
            finally:
                await connection.execute(text("ROLLBACK"))
        return
    async with engine.connect() as plain:
        connection = await plain.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        yield connection


async def copy(table: Table, source: AsyncConnection, target: AsyncConnection) -> str:
    """Copy a table's rows; their checksum, as they were read."""
    digest = hashlib.sha256()
    async for rows in _batches(table, source):
        for row in rows:
            digest.update(line(row))
        await target.execute(insert(table), [row._asdict() for row in rows])
    return digest.hexdigest()


async def checksum(table: Table, connection: AsyncConnection) -> str:
    """Return the checksum of a table's rows."""
    digest = hashlib.sha256()
    async for rows in _batches(table, connection):
        for row in rows:
            digest.update(line(row))
    return digest.hexdigest()


async def count(table: Table, connection: AsyncConnection) -> int:
    """Return how many rows a table has."""
    return int((await connection.execute(select(func.count()).select_from(table))).scalar_one())


async def _batches(table: Table, connection: AsyncConnection) -> AsyncIterator[Sequence[AnyRow]]:
    rows = await connection.stream(select(table).order_by(*table.primary_key.columns))
    async for batch in rows.partitions(_AT_ONCE):
        yield batch
