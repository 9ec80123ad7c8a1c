"""SQLite's driver, which goes to its thread and back once for each statement.

aiosqlite goes there to make a cursor, to run the statement, to fetch, to close the cursor, and to
roll back what never began; each way wakes two threads, and they were half of what a turn cost.
"""

import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import aiosqlite
from aiosqlite.context import contextmanager
from sqlalchemy import Connection, Dialect, Engine, event
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.database.sqlite_files import database_file, make_private

ALONE: Final = "each_alone"
"""Option with which a connection to SQLite begins no transaction."""
BUSY_TIMEOUT_MS = 5_000
"""Time that a writer waits for another one's transaction to end."""
_AT_ONCE: Final = 1_000
"""Number of rows that come with their statement; a stream is not read whole."""


class OneTripCursor(aiosqlite.Cursor):
    """Comes back from the thread with the first rows, and is closed if these are all."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self.iter_chunk_size = _AT_ONCE
        self._conn = connection
        self._cursor: Any = None  # its thread makes it
        self._rows: deque[Any] = deque()
        self._is_open = False

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> "OneTripCursor":
        told = () if parameters is None else parameters
        await self._in_thread(self._run, lambda cursor: cursor.execute(sql, told))
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> "OneTripCursor":
        await self._in_thread(self._run, lambda cursor: cursor.executemany(sql, parameters))
        return self

    async def fetchone(self) -> Any:
        return next(iter(await self.fetchmany(1)), None)

    async def fetchmany(self, size: int | None = None) -> list[Any]:
        wanted = self.arraysize if size is None else size
        if len(self._rows) < wanted and self._is_open:
            await self._in_thread(self._fetch, max(_AT_ONCE, wanted))
        return [self._rows.popleft() for _ in range(min(wanted, len(self._rows)))]

    async def fetchall(self) -> list[Any]:
        if self._is_open:
            await self._in_thread(self._fetch, None)
        rows = list(self._rows)
        self._rows.clear()
        return rows

    async def close(self) -> None:
        """Give back what the statement holds, if it still holds something."""
        self._rows.clear()
        if self._is_open:
            await self._in_thread(self._close)

    async def _in_thread(self, work: Callable[..., None], *about: Any) -> None:
        await self._execute(work, *about)  # type: ignore[no-untyped-call]

    def _run(self, statement: Callable[[sqlite3.Cursor], object]) -> None:
        if self._is_open:
            self._close()
        self._rows.clear()
        self._cursor, self._is_open = self._conn._conn.cursor(), True  # noqa: SLF001
        try:
            statement(self._cursor)
            self._fetch(_AT_ONCE)
        except BaseException:
            self._close()
            raise

    def _fetch(self, most: int | None) -> None:
        rows = self._cursor.fetchall() if most is None else self._cursor.fetchmany(most)
        self._rows.extend(rows)
        if most is None or len(rows) < most:
            self._close()

    def _close(self) -> None:
        self._is_open = False
        self._cursor.close()


class OneTripConnection(aiosqlite.Connection):
    """Has such cursors, and rolls back only what has begun."""

    @contextmanager
    async def cursor(self) -> aiosqlite.Cursor:
        return OneTripCursor(self)

    async def rollback(self) -> None:
        """Take back what was done since BEGIN."""
        if self.in_transaction:
            await super().rollback()


def connect(database: str, **how: Any) -> OneTripConnection:
    """Return a connection, to be awaited."""
    connection = OneTripConnection(lambda: sqlite3.connect(database, **how), _AT_ONCE)
    connection._thread.daemon = True  # noqa: SLF001 - as SQLAlchemy has it for aiosqlite's own
    return connection


def each_alone(engine: AsyncEngine) -> AsyncEngine:
    """Return an engine on which each statement is a transaction by itself.

    To SQLite's driver that is nothing new: else it would be told so, and the opposite, each time.
    """
    if engine.dialect.name == "sqlite":
        return engine.execution_options(**{ALONE: True})
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def connect_in_one_trip(
    dialect: Dialect, _record: Any, unnamed: Sequence[Any], named: dict[str, Any]
) -> Any:
    """Connect by this driver, as SQLAlchemy asks for it."""
    return dialect.loaded_dbapi.connect(*unnamed, async_creator_fn=connect, **named)


def prepare(engine: Engine) -> None:
    """Let an engine of SQLite's keep its file private, and begin transactions as it should."""
    event.listen(engine, "do_connect", partial(_make_private, database_file(engine.url)))
    event.listen(engine, "connect", _prepare_connection)
    event.listen(engine, "begin", _begin_immediately)


def _make_private(file: Path | None, *_what_to_connect_with: Any) -> None:
    if file is not None:
        make_private(file)


def _prepare_connection(connection: Any, _record: Any) -> None:
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
    chosen = connection.get_execution_options()
    if not (chosen.get(ALONE) or chosen.get("isolation_level") == "AUTOCOMMIT"):
        connection.exec_driver_sql("BEGIN IMMEDIATE")
