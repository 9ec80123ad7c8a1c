"""A PostgreSQL that one test after another uses: emptied, which is 200 times as quick as made."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.config import database_address
from bot.store import create_engine, migrate

_EMPTY = """
DO $$
DECLARE name text;
BEGIN
    -- Without foreign keys in the way: the order of the tables does not matter then.
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables
        WHERE schemaname = 'public' AND tablename != 'alembic_version'
    LOOP
        EXECUTE format('DELETE FROM %I', name);
    END LOOP;
    PERFORM setval(quote_ident(sequencename), 1, false) FROM pg_sequences;
END $$
"""
"""In one statement: with one for each table, this took longer than most tests."""


async def drop_tables(engine: AsyncEngine) -> None:
    """Leave nothing in a database, whatever a test has made there."""
    async with engine.begin() as connection:
        await connection.execute(text("DROP SCHEMA public CASCADE"))
        await connection.execute(text("CREATE SCHEMA public"))


async def empty_tables(engine: AsyncEngine) -> None:
    """Leave no row in a database of today's schema, which is made where there is none."""
    async with engine.begin() as connection:
        found = (await connection.execute(text("SELECT to_regclass('alembic_version')"))).scalar()
        if found is not None:
            await connection.execute(text(_EMPTY))
            return
    await migrate(engine)


async def without_tables(url: str) -> str:
    """A PostgreSQL's address, once nothing is left there."""
    engine = create_engine(database_address(url))
    await drop_tables(engine)
    await engine.dispose()
    return url
