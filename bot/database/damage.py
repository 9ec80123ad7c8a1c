"""Scans a SQLite file for damage, table by table, before or while games run."""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from threading import Event

import structlog

from bot.database.database import Database
from bot.database.faults import DatabaseFault, diagnose
from bot.database.sqlite import database_file

_log = structlog.get_logger()

_STEPS = 1_000
"""Steps of SQLite's virtual machine between two checks of the clock."""
_RUN_S = 0.005
_PAUSE_S = 0.015
"""Length of each pause of a gentle scan in seconds. The scan runs a quarter of the time."""
_INTERVAL_S = 24 * 60 * 60

Progress = Callable[[str, int, int], None]
"""Progress callback. It gets the next table, its number, and the number of tables."""


class DamageScan:
    """A scan of a database file for damage.

    It blocks no one, because each table is read in its own snapshot. SQLite may run a checkpoint
    between two tables, so that its log does not grow during the whole scan.

    Args:
        file: The database file.
        thorough: True to also compare indexes with their tables, and check constraints. That takes
            several times as long.
        gently: True to pause for most of the time, because a game may be waiting.
    """

    def __init__(self, file: Path, *, thorough: bool = False, gently: bool = False) -> None:
        self._file = file
        self._thorough = thorough
        self._gently = gently
        self._ended = Event()
        self._last_pause = time.monotonic()
        self._connection: sqlite3.Connection | None = None

    async def run(self, on_progress: Progress = lambda *_: None) -> None:
        """Scan every table in a separate thread.

        Cancellation stops it.

        Raises:
            sqlite3.Error: if the file is damaged or can't be read.
        """
        try:
            await asyncio.to_thread(self._run, on_progress)
        except asyncio.CancelledError:
            self._ended.set()
            if self._connection is not None:
                with suppress(sqlite3.ProgrammingError):  # it may have just been closed
                    self._connection.interrupt()
            raise

    def _run(self, on_progress: Progress) -> None:
        address = f"{self._file.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
            self._connection = connection
            connection.set_progress_handler(self._pause, _STEPS)
            if not self._thorough:
                connection.execute("PRAGMA ignore_check_constraints = ON")
            try:
                tables = connection.execute(_TABLES).fetchall()
                for number, (table,) in enumerate(tables, start=1):
                    if self._ended.is_set():
                        break
                    on_progress(table, number, len(tables))
                    self._check_table(table, connection)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                    raise

    def _check_table(self, table: str, connection: sqlite3.Connection) -> None:
        pragma = "integrity_check" if self._thorough else "quick_check"
        (result,) = connection.execute(f"PRAGMA {pragma}('{table}')").fetchone()
        if result != "ok":
            damaged = sqlite3.DatabaseError(f"database disk image is malformed: {result}")
            damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damaged

    def _pause(self) -> bool:
        """Pause if a pause is due. Return True if the scan was stopped."""
        if self._gently and time.monotonic() - self._last_pause > _RUN_S:
            self._ended.wait(_PAUSE_S)
            self._last_pause = time.monotonic()
        return self._ended.is_set()


# The first table lists the others.
_TABLES = """
SELECT 'sqlite_master' UNION ALL SELECT name FROM sqlite_master
WHERE type = 'table' AND name NOT LIKE '%''%'
"""


class DamageMonitor:
    """Scans a running bot's file regularly, and reports damage to the host once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._file = database_file(database.url)

    async def run(self) -> None:
        """Scan a SQLite file immediately and then daily, until damage is found."""
        while self._file is not None:
            began = time.monotonic()
            try:
                await DamageScan(self._file, gently=True).run()
            except sqlite3.Error as error:
                if diagnose(error) is DatabaseFault.DAMAGED:
                    self._database.report_damage(error)
                    return
                _log.warning("damage scan failed", error=str(error))
            else:
                took = round(time.monotonic() - began, 1)
                _log.info("damage scan finished: no damage", seconds=took)
            await asyncio.sleep(_INTERVAL_S)
