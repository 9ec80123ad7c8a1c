"""A SQLite database as files on a disk: who may read it, and whether it can be made there."""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from errno import ENOSPC
from pathlib import Path
from tempfile import TemporaryFile

from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.base.database_address import is_sqlite, shown
from bot.base.errors import DatabaseError
from bot.database.faults import DatabaseFault

_ONLY_THE_OWNER = 0o600
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_BESIDE = ("", "-wal", "-shm")
"""Suffixes that SQLite adds to the names of its files."""


def database_file(url: URL) -> Path | None:
    """Return the file of a SQLite database; None for any other, and for one in memory."""
    name = url.database or ""
    if url.get_backend_name() != "sqlite" or name in {"", ":memory:"} or name.startswith("file:"):
        return None
    return Path(name)


def make_private(file: Path) -> None:
    """Make a new database's file, for its owner alone; what SQLite adds to it has its mode.

    One that is there is not touched. Nor may it be opened here: closing it would take away the
    locks that SQLite has on it in this process.
    """
    real = Path(os.path.realpath(file))
    if not real.exists():
        with suppress(OSError):  # what is wrong with the folder, SQLite tells
            os.close(os.open(real, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _ONLY_THE_OWNER))


def open_to_others(url: URL) -> str | None:
    """Return how a host keeps others from reading a database, if they can; None if they cannot.

    Where files have no modes, as on Windows, its folder decides, and nothing can be said.
    """
    file = database_file(url)
    return None if file is None else exposed(file.with_name(file.name + end) for end in _BESIDE)


def exposed(files: Iterable[Path]) -> str | None:
    """Return how a host keeps others from reading files, of those that are there."""
    if os.name == "nt":
        return None
    there = [one for one in files if one.exists()]
    modes = {one: stat.S_IMODE(one.stat().st_mode) for one in there}
    wide = [one for one, mode in modes.items() if mode & _OTHERS]
    if not wide:
        return None
    names = " ".join(map(str, wide))
    return f"others may read {wide[0]} (mode {modes[wide[0]]:04o}); to keep it: chmod 600 {names}"


_ROOM = 1 << 20
"""Bytes: a new database has two thirds of it."""


class _Misplaced(Exception):  # noqa: N818 - it names what is wrong
    """A file cannot be where it is meant to be."""

    def __init__(self, problem: str, cure: str) -> None:
        super().__init__(problem)
        self.cure = cure


def look_at_place(url: URL) -> None:
    """See whether a SQLite file can be made or written where it is meant to be; makes none.

    Raises:
        DatabaseError: if it cannot.
    """
    if not is_sqlite(url):
        return
    try:
        _look(Path(url.database or "").absolute())
    except _Misplaced as error:
        raise DatabaseError(shown(url), error, error.cure) from error


def look_at_room(url: URL) -> None:
    """See whether there is room on a SQLite file's disk; leaves nothing there.

    Raises:
        DatabaseError: if there is none. A bot starts nevertheless where its file is there already:
            it says in Discord that it cannot save, and goes on once there is room.
    """
    if not is_sqlite(url):
        return
    try:
        with TemporaryFile(dir=Path(url.database or "").absolute().parent, buffering=0) as file:
            file.write(bytes(_ROOM))
    except OSError as error:
        raise DatabaseError(shown(url), error, DatabaseFault.FULL.cure) from error


def _look(file: Path) -> None:
    folder = file.parent
    try:
        if file.is_dir():
            raise _Misplaced("it is a folder", "name a file in it")
        if file.exists() and not file.is_file():
            raise _Misplaced("it is no file", "name another one")
        if not folder.is_dir():
            raise _Misplaced(f"there is no folder {folder}", "make it, or name another one")
    except OSError as error:
        raise _Misplaced(
            f"it cannot be looked at: {error.strerror}", "let the bot's user into its folder"
        ) from error
    try:
        # Beside an older file, too: SQLite writes its journal there.
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _Misplaced(
            f"no file can be made in {folder}: {error.strerror}",
            DatabaseFault.FULL.cure if error.errno == ENOSPC else DatabaseFault.READ_ONLY.cure,
        ) from error


async def look_at_rights(engine: AsyncEngine) -> None:
    """See whether tables can be made in a PostgreSQL; makes none.

    Raises:
        DatabaseError: if they cannot.
    """
    if engine.dialect.name != "postgresql":
        return
    async with engine.connect() as connection:
        (may,) = (await connection.execute(_MAY_MAKE_TABLES)).one()
    if not may:
        error = _Misplaced("its user may not make tables in it", DatabaseFault.FORBIDDEN.cure)
        raise DatabaseError(shown(engine.url), error, error.cure)


_MAY_MAKE_TABLES = text("SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)")
