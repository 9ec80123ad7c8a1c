"""Opening the database: the engine, SQLite's habits, the migrations."""

import asyncio
import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, event, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.errors import DatabaseError
from bot.store.address import connection_arguments, secrets, shown
from bot.store.place import look_at_place
from bot.store.trouble import diagnose

BUSY_TIMEOUT_MS = 5_000
"""How long a writer waits for another one's transaction to end."""
_EXAMINE_S = 10
_STEPS = 100_000
"""Of SQLite's machine, between two looks at the clock."""
_UNUSABLE = (DBAPIError, sqlite3.Error, OSError, CommandError)
_MIGRATION_LOCK = 0x64766F6E6E  # "dvonn": one process at a time migrates a PostgreSQL
_NAME = "dvonn-bot"
_POSTGRESQL = {
    "server_settings": {"application_name": _NAME},
    # A server that has vanished without a word must not hold a turn up for ever.
    "timeout": 10,
    "command_timeout": 30,
}


def create_engine(url: URL, *, idle_s: int = 0) -> AsyncEngine:
    """Make an engine. Nothing is connected yet.

    Args:
        url: Which database.
        idle_s: After how many seconds PostgreSQL ends a transaction in which nothing happens, 0 for
            never: a process that stands still must not keep the others from what it has locked.
    """
    if url.get_backend_name() != "sqlite":
        engine = create_async_engine(url, pool_pre_ping=True)
        told = connection_arguments(url) | _POSTGRESQL
        event.listen(engine.sync_engine, "do_connect", partial(_tell, told))
        if idle_s:
            event.listen(engine.sync_engine, "connect", partial(_limit_idling, idle_s))
        return engine
    engine = create_async_engine(url)
    event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    event.listen(engine.sync_engine, "begin", _begin_immediately)
    return engine


def _tell(
    told: dict[str, Any], _dialect: Any, _record: Any, _unnamed: Any, named: dict[str, Any]
) -> None:
    named.clear()
    named.update(told)


def _limit_idling(idle_s: int, connection: Any, _record: Any) -> None:
    # A statement, for not every pooler of connections takes it as a setting of the connection.
    limit = f"SET idle_in_transaction_session_timeout = '{idle_s}s'"
    connection.run_async(lambda driver: driver.execute(limit))


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # Python's sqlite3 opens transactions late and on its own terms; here BEGIN is ours.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")  # first: the next ones may wait
    _use_wal(cursor)
    cursor.execute("PRAGMA synchronous = FULL")  # a move told is a move on the disk
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _use_wal(cursor: Any) -> None:
    # Where two processes make a new file at once, this one statement does not wait by itself.
    for wait_ms in (*[20] * (BUSY_TIMEOUT_MS // 20), None):
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if wait_ms is None:
                raise
            time.sleep(wait_ms / 1_000)
        else:
            return


def _begin_immediately(connection: Connection) -> None:
    # A plain BEGIN that writes later meets SQLITE_BUSY at once, without waiting.
    if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
        connection.exec_driver_sql("BEGIN IMMEDIATE")


async def migrate(engine: AsyncEngine) -> None:
    """Bring the schema up to date.

    Raises:
        DatabaseError: if the database cannot be reached, read or changed.
    """
    await asyncio.to_thread(look_at_place, engine.url)
    try:
        if engine.dialect.name == "sqlite" and not is_yet_to_be_made(engine.url):
            await asyncio.to_thread(_examine, engine.url.database or "")
        async with engine.connect() as connection:
            await connection.run_sync(_upgrade)
            await connection.commit()
    except _UNUSABLE as error:
        raise _unusable(engine, error) from error


def _unusable(engine: AsyncEngine, error: Exception) -> DatabaseError:
    ailment = diagnose(error)
    cure = None if ailment is None else ailment.cure
    return DatabaseError(shown(engine.url), error, cure, hidden=secrets(engine.url))


def _examine(file: str) -> None:
    """Look through a file for damage, as far as that goes within some seconds.

    Raises:
        sqlite3.DatabaseError: if it is damaged.
    """
    until = time.monotonic() + _EXAMINE_S
    with closing(sqlite3.connect(file, timeout=BUSY_TIMEOUT_MS / 1_000)) as connection:
        connection.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
        try:
            (found, *_) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
            return  # so big that nobody would wait for the rest
        if found != "ok":
            damaged = sqlite3.DatabaseError(f"database disk image is malformed: {found}")
            damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damaged


async def schema_is_current(engine: AsyncEngine) -> bool:
    """Whether every migration has been made. Changes nothing.

    Raises:
        DatabaseError: if the database cannot be reached or read.
    """
    await asyncio.to_thread(look_at_place, engine.url)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(_is_current)
    except _UNUSABLE as error:
        raise _unusable(engine, error) from error


def is_yet_to_be_made(url: URL) -> bool:
    """Whether it is a SQLite file that is not there: looking into it would make it."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return False
    file = Path(url.database)
    return not file.exists() and file.parent.is_dir()


async def is_in_use(engine: AsyncEngine) -> bool:
    """Whether another process has the database open; it was not told, so it cannot be wrong.

    Raises:
        DatabaseError: if the database cannot be reached.
    """
    if engine.dialect.name == "sqlite":
        await engine.dispose()  # our own connections do not count
        return await asyncio.to_thread(_is_open_elsewhere, Path(engine.url.database or ""))
    try:
        async with engine.connect() as connection:
            others = await connection.execute(_OTHERS, {"name": _NAME})
            return int(others.scalar_one()) > 0
    except _UNUSABLE as error:
        raise _unusable(engine, error) from error


_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND application_name = :name AND pid != pg_backend_pid()"
)


def _is_open_elsewhere(file: Path) -> bool:
    if not file.exists():
        return False
    with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as connection:
        try:
            # Only the last connection to a file may leave the WAL.
            connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
        except sqlite3.DatabaseError:
            return False  # what is wrong with it, `migrate` tells
    return False


async def never_with_a_migration(connection: AsyncConnection) -> None:
    """Let this transaction wait for those who migrate, and them for it; SQLite has one writer."""
    if connection.dialect.name == "postgresql":
        await connection.execute(_LOCK_OUT, {"key": _MIGRATION_LOCK})


_LOCK_OUT = text("SELECT pg_advisory_xact_lock(:key)")


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK_OUT, {"key": _MIGRATION_LOCK})
    config = _alembic()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _is_current(connection: Connection) -> bool:
    scripts = ScriptDirectory.from_config(_alembic())
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is not None:
        scripts.get_revision(revision)  # refuses one that a newer bot has made
    return revision == scripts.get_current_head()


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config
