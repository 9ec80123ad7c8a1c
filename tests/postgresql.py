"""A PostgreSQL that one test after another uses: emptied, which is 200 times as quick as made."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.config import database_address
from bot.store import create_engine, migrate

_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
_NUMBERS = "SELECT setval(quote_ident(sequencename), 1, false) FROM pg_sequences"
_VERSION = "alembic_version"


async def drop_tables(engine: AsyncEngine) -> None:
    """Leave nothing in a database, whatever a test has made there."""
    async with engine.begin() as connection:
        await connection.execute(text("DROP SCHEMA public CASCADE"))
        await connection.execute(text("CREATE SCHEMA public"))


async def empty_tables(engine: AsyncEngine) -> None:
    """Leave no row in a database of today's schema, which is made where there is none."""
    async with engine.begin() as connection:
        tables = set((await connection.execute(text(_TABLES))).scalars())
        # Without foreign keys in the way: their order does not matter then.
        await connection.execute(text("SET LOCAL session_replication_role = replica"))
        for table in tables - {_VERSION}:
            await connection.execute(text(f'DELETE FROM "{table}"'))  # noqa: S608 - its own names
        await connection.execute(text(_NUMBERS))
    if not tables:
        await migrate(engine)


async def without_tables(url: str) -> str:
    """A PostgreSQL's address, once nothing is left there."""
    engine = create_engine(database_address(url))
    await drop_tables(engine)
    await engine.dispose()
    return url
