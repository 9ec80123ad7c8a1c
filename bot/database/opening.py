"""Opens the database: engine, SQLite's settings, migrations."""

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import sqlalchemy
from sqlalchemy import Connection, Dialect, NullPool, event, inspect, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from bot.base.database_address import connection_arguments, redacted_url, secrets
from bot.base.errors import DatabaseError
from bot.base.logs import redactor
from bot.database import sqlite
from bot.database.connection import AsyncConnection, AsyncEngine, create_async_engine
from bot.database.damage import DamageScan, Progress
from bot.database.faults import DatabaseFault, diagnose
from bot.database.schema_check import SchemaError, check_no_foreign_tables, check_schema
from bot.database.sqlite import check_location, database_file

_READERS = 15
"""Number of concurrent statements on SQLite, each with its own connection and thread."""
NAME = "dvonn-bot"
"""Application name of the bot's PostgreSQL connections."""
UNUSABLE = (DBAPIError, sqlite3.Error, OSError, SchemaError)
"""Errors that mean the database is unusable. `unusable` turns them into a message."""
_MIGRATION_LOCK = 0x64766F6E6E  # "dvonn": one process at a time migrates a PostgreSQL database
_SCRIPTS = Path(__file__).parent / "migrations"
VERSIONS = [_SCRIPTS / "versions"]
"""Folders with migrations. Each file's name starts with its number."""
_LOCK_TIMEOUT = "500ms"
"""Lock timeout of the migration. PostgreSQL checks for deadlocks after one second."""
_PATIENCE_S = 60.0
_RETRY_DELAY_S = 0.5
_SMALL_FILE = 1 << 20
"""Maximum size in bytes of a file that is scanned at startup, in a few hundredths of a second."""
_POSTGRESQL = {
    "server_settings": {"application_name": NAME},
    # A server that no longer answers must not block a move forever.
    "timeout": 10,
    "command_timeout": 30,
}
_Answer = TypeVar("_Answer")


def create_engine(url: URL, *, idle_s: int = 0) -> AsyncEngine:
    """Create an engine that is not connected yet.

    PostgreSQL ends a transaction that has been idle for `idle_s` seconds, so that the locks of a
    paused process don't block others. 0 means never.
    """
    if url.get_backend_name() != "sqlite":
        connecting = ConnectionSetup(connection_arguments(url) | _POSTGRESQL, idle_s=idle_s)
        return connecting.prepare(create_async_engine(url, pool_pre_ping=True))
    # Connections stay open, so that a burst of moves doesn't wait for new ones. The last one used
    # is reused first.
    engine = create_async_engine(
        url, module=sqlite.driver(), pool_size=_READERS, max_overflow=0, pool_use_lifo=True
    )
    sqlite.prepare(engine.sync_engine)
    return engine


async def migrate(engine: AsyncEngine) -> None:
    """Migrate the schema, and check that it is what the code expects.

    Raises:
        DatabaseError: if the database can't be reached, read or changed, or if no migrations lead
            from its schema to this version's. In that case, it is unchanged.
    """
    await asyncio.to_thread(check_location, engine.url)
    try:
        await _scan_small_file(engine.url)
        await _upgrade_with_retries(engine)
    except UNUSABLE as error:
        raise unusable(engine.url, error) from error


async def _upgrade_with_retries(engine: AsyncEngine) -> None:
    """Migrate while other processes play or migrate. If blocked, release all locks and retry."""
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return await _run_in_transaction(engine, _upgrade)
        except DBAPIError as error:
            if diagnose(error) is not DatabaseFault.LOCKED or time.monotonic() > until:
                raise
            await asyncio.sleep(_RETRY_DELAY_S)


async def _scan_small_file(url: URL) -> None:
    """Scan a small file for damage. A large one is skipped, because that would delay startup."""
    file = database_file(url)
    if file is not None and file.exists() and file.stat().st_size <= _SMALL_FILE:
        await DamageScan(file).run()


async def find_damage(url: URL, on_progress: Progress) -> None:
    """Scan a whole SQLite file for damage, which can take minutes.

    PostgreSQL is not scanned. `on_progress` receives the progress in another thread.

    Raises:
        DatabaseError: if it is damaged or can't be read.
    """
    file = database_file(url)
    if file is None:
        return
    try:
        await DamageScan(file, thorough=True).run(on_progress)
    except UNUSABLE as error:
        raise unusable(url, error) from error


def unusable(url: URL, error: Exception) -> DatabaseError:
    if isinstance(error, SchemaError):
        cure: str | None = error.cure
    else:
        fault = diagnose(error)
        cure = None if fault is None else fault.cure
    return DatabaseError(redacted_url(url), error, cure, hide=redactor(secrets(url)))


async def schema_is_current(engine: AsyncEngine) -> bool:
    """Return True if all migrations have been applied.

    It changes nothing.

    Raises:
        DatabaseError: if the database can't be reached or read, or no migrations lead from its
            version to this one.
    """
    await asyncio.to_thread(check_location, engine.url)
    try:
        return await _run_in_transaction(engine, _is_current)
    except UNUSABLE as error:
        raise unusable(engine.url, error) from error


async def is_of_another_version(engine: AsyncEngine) -> bool:
    """Return True if another version created the database and no migrations lead to this one.

    Raises:
        DatabaseError: if the database can't be reached or read.
    """
    try:
        return await _run_in_transaction(engine, _belongs_to_another_version)
    except UNUSABLE as error:
        raise unusable(engine.url, error) from error


def will_be_created(url: URL) -> bool:
    """Return True if a URL is a missing SQLite file, which would be created on connecting."""
    file = database_file(url)
    return file is not None and not file.exists() and file.parent.is_dir()


def check_exists(url: URL) -> None:
    """Check that a SQLite file exists, for tools that need an existing database.

    Raises:
        DatabaseError: if it doesn't.
    """
    if will_be_created(url):
        error = FileNotFoundError("it doesn't exist")
        raise DatabaseError(redacted_url(url), error, "name the one that the bot uses")


async def exclude_migrations(connection: AsyncConnection) -> None:
    """Make this transaction and migrations exclude each other. SQLite allows one writer anyway."""
    if connection.dialect.name == "postgresql":
        await connection.execute(_LOCK_MIGRATIONS, {"key": _MIGRATION_LOCK})


async def _run_in_transaction(
    engine: AsyncEngine, work: Callable[[Connection], _Answer]
) -> _Answer:
    """Run a function that makes many schema queries in its own transaction.

    On SQLite, these are two hundred queries. With the async driver, each of them would switch
    threads several times, which takes three times as long as running all of them in one thread.
    """
    if engine.dialect.name == "sqlite":
        return await asyncio.to_thread(_in_a_thread, engine.url, work)
    async with engine.begin() as connection:
        return await connection.run_sync(work)


def _in_a_thread(url: URL, work: Callable[[Connection], _Answer]) -> _Answer:
    engine = sqlalchemy.create_engine(url.set(drivername="sqlite"), poolclass=NullPool)
    sqlite.prepare(engine)
    with engine.begin() as connection:
        return work(connection)


_LOCK_MIGRATIONS = text("SELECT pg_advisory_xact_lock(:key)")


def _upgrade(connection: Connection) -> None:
    is_server = connection.dialect.name == "postgresql"
    if is_server:
        connection.execute(_LOCK_MIGRATIONS, {"key": _MIGRATION_LOCK})
    if not _is_current(connection):
        if is_server:
            connection.execute(text(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'"))
        run_migrations(connection)
        check_schema(connection)


def run_migrations(connection: Connection, revision: str = "head") -> None:
    # Importing it takes a tenth of the startup time, and most starts don't migrate.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", os.pathsep.join(map(str, VERSIONS)))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _is_current(connection: Connection) -> bool:
    """Return True if all migrations have been applied.

    Raises:
        SchemaError: if no migrations lead to the expected schema.
    """
    revision = _revision(connection)
    if revision is None:
        check_no_foreign_tables(connection)
        return False
    known_revisions = revisions()
    if revision not in known_revisions and revision < known_revisions[-1]:
        raise SchemaError(
            f"it was created between two releases: no migration starts at revision {revision}",
            "use the commit that created it, or start with an empty database",
        )
    if revision not in known_revisions:
        raise SchemaError(
            f"it was created by a newer dvonn-bot: this one doesn't know its revision {revision}",
            "use a newer version again, or return to a backup: restore --replace renames this one",
        )
    if revision != known_revisions[-1]:
        return False
    check_schema(connection)
    return True


def _belongs_to_another_version(connection: Connection) -> bool:
    try:
        _is_current(connection)
    except SchemaError:
        return _revision(connection) is not None
    return False


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.execute(_CURRENT).scalar()
    return revision


_CURRENT = text("SELECT version_num FROM alembic_version")


def revisions() -> list[str]:
    files = (file for folder in VERSIONS for file in folder.glob("[0-9]*_*.py"))
    return sorted(file.name.partition("_")[0] for file in files)


_IS_POOLED: Final = "is_pooled"
_NO_PREPARED_STATEMENTS: Final[dict[str, Any]] = {
    "statement_cache_size": 0,
    "prepared_statement_cache_size": 0,
}
"""Arguments that make asyncpg prepare a statement again for each execution."""


class ConnectionSetup:
    """Sets up an engine's connections. Its arguments are those of `create_engine`."""

    def __init__(self, arguments: dict[str, Any], *, idle_s: int) -> None:
        self._arguments = arguments
        # Set by a statement, because not every pooler accepts it as a connection setting.
        limit = f"idle_in_transaction_session_timeout = '{idle_s}s'"
        self._limit = limit if idle_s else None
        self._is_pooled: bool | None = None

    def prepare(self, engine: AsyncEngine) -> AsyncEngine:
        """Make an engine use these settings for its connections."""
        event.listen(engine.sync_engine, "do_connect", self._connect)
        event.listen(engine.sync_engine, "begin", self._begin)
        return engine

    def _connect(self, dialect: Dialect, record: Any, _unnamed: Any, _named: Any) -> Any:
        connect = dialect.loaded_dbapi.connect
        # Several connections may open at once. Each checks for a pooler until one of them knows.
        is_unknown = self._is_pooled is None
        options: dict[str, Any] = _NO_PREPARED_STATEMENTS if self._is_pooled else {}
        if is_unknown:
            names = iter(("",))  # the name of the first statement, which a pooler may answer itself
            options = {"prepared_statement_name_func": lambda: next(names, None)}
        connection = connect(**self._arguments, **options)
        if is_unknown:
            self._is_pooled = _goes_through_pooler(connection)
            if self._is_pooled:
                connection.close()
                connection = connect(**self._arguments, **_NO_PREPARED_STATEMENTS)
        if self._is_pooled:
            record.info[_IS_POOLED] = True
        elif self._limit:
            connection.cursor().execute(f"SET {self._limit}")
            connection.commit()
        return connection

    def _begin(self, connection: Connection) -> None:
        is_alone = connection.get_execution_options().get("isolation_level") == "AUTOCOMMIT"
        if self._limit and _IS_POOLED in connection.info and not is_alone:
            connection.exec_driver_sql(f"SET LOCAL {self._limit}")


def _goes_through_pooler(connection: Any) -> bool:
    """Return True if the server process that answers did not accept the connection itself."""
    cursor = connection.cursor()
    cursor.execute("SELECT pg_backend_pid()")
    (process,) = cursor.fetchone()
    connection.rollback()
    return bool(process != connection.driver_connection.get_server_pid())


def is_pooled(connection: AsyncConnection) -> bool:
    """Return True if the connection goes through a pooler."""
    return _IS_POOLED in connection.info
