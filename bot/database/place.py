"""The place of a database: can it be made there? Asked before it is tried, as that says less."""

from errno import ENOSPC
from pathlib import Path
from tempfile import TemporaryFile

from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.base.database_address import is_sqlite, shown
from bot.base.errors import DatabaseError
from bot.database.trouble import DatabaseFault

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
