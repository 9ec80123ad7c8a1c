"""SQLite: its files, and a driver that calls its thread only once per statement.

aiosqlite calls its thread separately to create a cursor, to run the statement, to fetch, to close
the cursor, and to roll back a transaction that never began. Each of these trips wakes two threads.
Together, they were half the cost of a move.

With this driver, a transaction begins in the trip of its first statement. Quick statements need no
trip, because they read or change a few rows in memory. Only the end of a quick transaction waits
for the disk.

SQLAlchemy would call an engine's event listeners for each statement, so this engine has none. The
connection itself begins the transactions.
"""

import os
import sqlite3
import stat
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from errno import ENOSPC
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from types import ModuleType
from typing import Any, Final

import aiosqlite
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_dbapi,
)
from sqlalchemy.engine import URL
from sqlalchemy.util import await_

from bot.base.database_address import is_sqlite, redacted_url
from bot.base.errors import DatabaseError
from bot.database.connection import AsyncEngine
from bot.database.faults import DatabaseFault

BUSY_TIMEOUT_MS = 5_000
"""Maximum time that a writer waits for another writer's transaction."""
_BUSY_TIMEOUT: Final = f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}"
_PAGE_SIZE: Final = "PRAGMA page_size = 1024"
"""Page size of new files. Each table and index takes a page, however few rows it has."""
_BEGIN: Final = "BEGIN IMMEDIATE"
_PRIMARY_CODE: Final = 0xFF
"""Mask for the general part of an error code."""
_BATCH_SIZE: Final = 1_000
"""Number of rows fetched together with the statement. A stream is not read whole."""


class _Rows:
    """A cursor that fetches the first rows together with the statement.

    It is used in the driver's thread.
    """

    arraysize = 1

    def __init__(self, connection: "OneTripConnection") -> None:
        self._connection = connection
        self.cursor: sqlite3.Cursor | None = None
        """The cursor of the last statement."""
        self.fetched: deque[Any] = deque()
        self.is_open = False
        """True while there may be unfetched rows."""

    def execute(self, sql: str, parameters: Iterable[Any]) -> None:
        self._run(lambda cursor: cursor.execute(sql, tuple(parameters)))

    def executemany(self, sql: str, parameters: Iterable[Any]) -> None:
        self._run(lambda cursor: cursor.executemany(sql, parameters))

    def fetchmany(self, size: int) -> None:
        assert self.cursor is not None  # there was a statement  # noqa: S101
        rows = self.cursor.fetchmany(size)
        self.fetched.extend(rows)
        if len(rows) < size:
            self.close()

    def fetchall(self) -> None:
        assert self.cursor is not None  # there was a statement  # noqa: S101
        self.fetched.extend(self.cursor.fetchall())
        self.close()

    def close(self) -> None:
        self.is_open = False
        if self.cursor is not None:
            self.cursor.close()

    def _run(self, statement: Callable[[sqlite3.Cursor], object]) -> None:
        if self.is_open:
            self.close()
        self.fetched.clear()
        self.cursor, self.is_open = self._connection.raw.cursor(), True
        try:
            self._connection.begin_if_due()
            statement(self.cursor)
            self.fetchmany(_BATCH_SIZE)
        except BaseException:
            self.close()
            raise


class OneTripCursor:
    """A cursor as SQLAlchemy expects it, which awaits only trips to the thread.

    Running a statement also fetches the first rows. If these are all, it also closes the cursor.
    aiosqlite runs the methods of its own cursor in the thread.
    """

    arraysize = 1

    def __init__(self, connection: "OneTripConnection", *, streams: bool = False) -> None:
        self._connection = connection
        self._streams = streams
        self._rows = _Rows(connection)
        like_sqlite3: Any = self._rows
        self._open_cursor = aiosqlite.Cursor(connection, like_sqlite3)

    @property
    def description(self) -> Any:
        return None if self._rows.cursor is None else self._rows.cursor.description

    @property
    def rowcount(self) -> int:
        return -1 if self._rows.cursor is None else self._rows.cursor.rowcount

    @property
    def lastrowid(self) -> int | None:
        return None if self._rows.cursor is None else self._rows.cursor.lastrowid

    def execute(self, sql: str, parameters: Iterable[Any] = ()) -> None:
        if not self._connection.run_on_loop(partial(self._rows.execute, sql, parameters)):
            await_(self._open_cursor.execute(sql, parameters))
        self._fetch_rest()

    def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> None:
        if not self._connection.run_on_loop(partial(self._rows.executemany, sql, parameters)):
            await_(self._open_cursor.executemany(sql, parameters))
        self._fetch_rest()

    def fetchone(self) -> Any:
        return next(iter(self.fetchmany(1)), None)

    def fetchmany(self, size: int | None = None) -> list[Any]:
        count, fetched = self.arraysize if size is None else size, self._rows.fetched
        if len(fetched) < count and self._rows.is_open:
            await_(self._open_cursor.fetchmany(max(_BATCH_SIZE, count)))
        return [fetched.popleft() for _ in range(min(count, len(fetched)))]

    def fetchall(self) -> list[Any]:
        if self._rows.is_open:
            await_(self._open_cursor.fetchall())
        rows = list(self._rows.fetched)
        self._rows.fetched.clear()
        return rows

    def close(self) -> None:
        """Free the statement's resources, if there are any."""
        self._rows.fetched.clear()
        if self._rows.is_open:
            await_(self._open_cursor.close())

    def _fetch_rest(self) -> None:
        """Fetch all rows unless they are streamed, because synchronous code will read them."""
        if self._rows.is_open and not self._streams:
            await_(self._open_cursor.fetchall())


class OneTripConnection(aiosqlite.Connection):
    """A connection with `OneTripCursor`, which begins transactions, and ends them if they began.

    Attributes:
        begins: True if a transaction begins with the next statement, False if each statement is a
            transaction of its own.
        is_quick: True if the next statements are quick.
    """

    def __init__(self, database: str, **options: Any) -> None:
        self.raw: sqlite3.Connection
        """The connection itself, for use in its thread, or by quick statements."""
        self.begins = self.is_quick = False  # SQLAlchemy asks for the settings of a new connection

        def connect() -> sqlite3.Connection:
            if (file := _file(database)) is not None:
                make_private(file)
            self.raw = sqlite3.connect(database, **options)
            _set_up(self.raw)
            return self.raw

        super().__init__(connect, _BATCH_SIZE)

    def begin_if_due(self) -> None:
        """Begin a due transaction as part of its first statement's trip, because it may wait."""
        if self.begins and not self.in_transaction:
            self.raw.execute(_BEGIN)

    def run_on_loop(self, statement: Callable[[], None]) -> bool:
        """Run a quick statement on the event loop, or return False if it must run in the thread.

        It must run there if it isn't quick, or if it would wait for another process.
        """
        if not self.is_quick:
            return False
        if self.in_transaction:  # nobody else writes now
            statement()
            return True
        try:
            self.raw.execute("PRAGMA busy_timeout = 0")
            statement()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & _PRIMARY_CODE != sqlite3.SQLITE_BUSY:
                raise
            return False
        finally:
            self.raw.execute(_BUSY_TIMEOUT)
        return True

    @property
    def runs_at_once(self) -> bool:
        """True if the next statement runs on the event loop, without waiting for another writer."""
        return self.is_quick and self.in_transaction

    async def commit(self) -> None:
        """Commit the transaction, if it has begun."""
        self._prepare_next()
        if self.in_transaction:
            await super().commit()

    async def rollback(self) -> None:
        """Roll back the transaction, if it has begun."""
        self._prepare_next()
        if self.in_transaction:
            await super().rollback()

    def _prepare_next(self) -> None:
        """Reset the connection, so that its next transaction isn't quick."""
        self.begins, self.is_quick = True, False


class _Connection(AsyncAdapt_aiosqlite_connection):
    """A connection as SQLAlchemy expects it, with `OneTripCursor`."""

    __slots__ = ()

    def cursor(self, server_side: bool = False) -> Any:
        return OneTripCursor(self.driver_connection, streams=server_side)


class _Driver(AsyncAdapt_aiosqlite_dbapi):
    """aiosqlite as SQLAlchemy expects it, with `OneTripConnection`."""

    def connect(self, *arguments: Any, **options: Any) -> AsyncAdapt_aiosqlite_connection:
        connection: Any = super().connect(*arguments, **options).driver_connection
        return _Connection(self, connection)


def driver() -> AsyncAdapt_aiosqlite_dbapi:
    """Return the driver for SQLAlchemy's engine."""
    module = ModuleType(aiosqlite.__name__)
    vars(module).update(vars(aiosqlite), connect=OneTripConnection)
    return _Driver(module, sqlite3)


def autocommit(connection: Connection, *, quick: bool = False) -> None:
    """Make each statement on a SQLite connection its own transaction, until a rollback.

    An isolation level would have the same effect, but be set and reset each time.
    """
    if (driver := _driver(connection)) is not None:
        driver.begins, driver.is_quick = False, quick


def begin_quick(connection: Connection) -> None:
    """Mark a transaction on SQLite as quick, before its first statement.

    It changes few rows, most of which were read just before.
    """
    if (driver := _driver(connection)) is not None:
        driver.is_quick = True


def _driver(connection: Connection) -> OneTripConnection | None:
    driver = connection.connection.driver_connection
    return driver if isinstance(driver, OneTripConnection) else None


def prepare(engine: Engine) -> None:
    """Make a SQLite engine keep its file private and begin transactions with BEGIN IMMEDIATE."""
    if engine.dialect.is_async:  # `OneTripConnection` does the rest
        event.listen(engine, "connect", _enable_begin)
        return
    event.listen(engine, "do_connect", partial(_make_private, database_file(engine.url)))
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin_immediately)


def _make_private(file: Path | None, *_connect_arguments: Any) -> None:
    if file is not None:
        make_private(file)


def _enable_begin(connection: Any, _record: Any) -> None:
    connection.driver_connection.begins = True


def _set_up(connection: sqlite3.Connection, _record: Any = None) -> None:
    # Python's sqlite3 opens transactions late and by its own rules, so the bot sends BEGIN itself.
    connection.isolation_level = None
    try:
        connection.execute(_BUSY_TIMEOUT)  # first, because the next ones may wait
        connection.execute(_PAGE_SIZE)
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = FULL")  # so an announced move is on disk
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise


def _use_wal(connection: sqlite3.Connection) -> None:
    # SQLite's busy timeout doesn't cover this statement if two processes create a file at once.
    for wait_ms in (*[20] * (BUSY_TIMEOUT_MS // 20), None):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if wait_ms is None:
                raise
            time.sleep(wait_ms / 1_000)
        else:
            return


def _begin_immediately(connection: Connection) -> None:
    # With a plain BEGIN, a later write would fail with SQLITE_BUSY immediately, without waiting.
    connection.exec_driver_sql(_BEGIN)


_ONLY_THE_OWNER = 0o600
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
FILE_SUFFIXES = ("", "-wal", "-shm")
"""Suffixes of the files that SQLite creates."""


def database_file(url: URL) -> Path | None:
    """Return a SQLite database's file, or None for other databases and for one in memory."""
    return _file(url.database or "") if url.get_backend_name() == "sqlite" else None


def _file(name: str) -> Path | None:
    return None if name in {"", ":memory:"} or name.startswith("file:") else Path(name)


def make_private(file: Path) -> None:
    """Create a new database file that only its owner can read.

    SQLite's other files get its mode.

    An existing file is not changed. It must not be opened here: closing it would release the locks
    that SQLite holds on it in this process.
    """
    real = Path(os.path.realpath(file))
    if not real.exists():
        with suppress(OSError):  # SQLite itself reports a bad folder
            os.close(os.open(real, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _ONLY_THE_OWNER))


def exposure_of(url: URL) -> str | None:
    """Return a remedy if other users can read a database file, or None if they can't.

    On systems without file modes, such as Windows, the folder's permissions decide, and the result
    is None.
    """
    file = database_file(url)
    return (
        None
        if file is None
        else exposure_remedy(file.with_name(file.name + end) for end in FILE_SUFFIXES)
    )


def exposure_remedy(files: Iterable[Path]) -> str | None:
    """Return the command that makes the existing files private."""
    if os.name == "nt":
        return None
    existing = [file for file in files if file.exists()]
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in existing}
    wide = [path for path, mode in modes.items() if mode & _OTHERS]
    if not wide:
        return None
    names = " ".join(map(str, wide))
    return (
        f"others may read {wide[0]} (mode {modes[wide[0]]:04o}); to prevent that: chmod 600 {names}"
    )


_NEEDED_SPACE = 1 << 20
"""Required space in bytes. A new database takes two thirds of it."""


class _LocationError(Exception):
    """A file can't be where the settings put it."""

    def __init__(self, problem: str, cure: str) -> None:
        super().__init__(problem)
        self.cure = cure


def check_location(url: URL) -> None:
    """Check that a SQLite file could be created or written at its path, without creating it.

    Raises:
        DatabaseError: if it can't.
    """
    if not is_sqlite(url):
        return
    try:
        _check_path(Path(url.database or "").absolute())
    except _LocationError as error:
        raise DatabaseError(redacted_url(url), error, error.cure) from error


def check_free_space(url: URL) -> None:
    """Check that a SQLite file's disk has free space, without leaving a file behind.

    Raises:
        DatabaseError: if it has none. With an existing file, the bot would start anyway, tell
            players that it can't save, and resume once there is space.
    """
    if not is_sqlite(url):
        return
    try:
        with TemporaryFile(dir=Path(url.database or "").absolute().parent, buffering=0) as file:
            file.write(bytes(_NEEDED_SPACE))
    except OSError as error:
        raise DatabaseError(redacted_url(url), error, DatabaseFault.FULL.cure) from error


def _check_path(file: Path) -> None:
    folder = file.parent
    try:
        if file.is_dir():
            raise _LocationError("it is a folder", "name a file in it")
        if file.exists() and not file.is_file():
            raise _LocationError("it isn't a regular file", "name another one")
        if not folder.is_dir():
            raise _LocationError(f"there is no folder {folder}", "create it, or choose another one")
    except OSError as error:
        raise _LocationError(
            f"it can't be accessed: {error.strerror}", "give the bot's user access to its folder"
        ) from error
    try:
        # This is checked even if the file exists, because SQLite writes its journal beside it.
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _LocationError(
            f"no file can be created in {folder}: {error.strerror}",
            DatabaseFault.FULL.cure if error.errno == ENOSPC else DatabaseFault.READ_ONLY.cure,
        ) from error


async def check_rights(engine: AsyncEngine) -> None:
    """Check that tables can be created in a PostgreSQL database, without creating one.

    Raises:
        DatabaseError: if they can't.
    """
    if engine.dialect.name != "postgresql":
        return
    async with engine.connect() as connection:
        (may,) = (await connection.execute(_CAN_CREATE_TABLES)).one()
    if not may:
        error = _LocationError(
            "its user isn't allowed to create tables in it", DatabaseFault.FORBIDDEN.cure
        )
        raise DatabaseError(redacted_url(engine.url), error, error.cure)


_CAN_CREATE_TABLES = text(
    "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)"
)
