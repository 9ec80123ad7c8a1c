"""Making a backup."""

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot import __version__
from bot.base.errors import BackupError, DatabaseError
from bot.database.backups.places import see_free, unwritable, without_room
from bot.database.backups.seal import Contents, copied, seal, snapshot, tables
from bot.database.faults import DatabaseFault, diagnose
from bot.database.opening import create_engine, look_whether_there, migrate, schema_is_current

_ONLY_THE_OWNER = 0o600


async def back_up(engine: AsyncEngine, file: Path, *, now: datetime) -> Contents:
    """Write everything in a database, as it is at one moment, into a new file; games go on.

    The file is there only when it is complete and has been compared with what was read.

    Raises:
        BackupError: if the file is there already, cannot be written, or turns out different; or if
            the database is of an older version.
        DatabaseError: if the database is not there, or cannot be read.
    """
    look_whether_there(engine.url)
    if not await schema_is_current(engine):
        raise BackupError(
            file, "is not made: the database is not of this version yet; start the bot once"
        )
    see_free(file)
    with _beside(file) as part:
        try:
            await _fill(engine, part, file)
            contents = await asyncio.to_thread(seal, part, made_at=now, version=__version__)
        except DatabaseError as error:  # of the copy: the database itself was looked at before
            raise _unmade(file, error.__cause__ or error) from error
        except (DBAPIError, sqlite3.Error, OSError) as error:
            raise _unmade(file, error) from error
        try:
            part.replace(file)
        except OSError as error:
            raise unwritable(file, error) from error
    return contents


def _unmade(file: Path, error: BaseException) -> BackupError:
    """Return what a database says, be it the one that is read or the one that is written."""
    if diagnose(error) is DatabaseFault.FULL:
        return without_room(file)
    return BackupError(file, f"is not made: {getattr(error, 'orig', None) or error}")


@contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """Return an empty file beside another one, which is gone afterwards unless it was renamed."""
    try:
        part = file.with_name(f".{file.name}.{os.getpid()}.part")
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _ONLY_THE_OWNER))
    except OSError as error:
        raise unwritable(file, error) from error
    try:
        yield part
    finally:
        for name in (part.name, f"{part.name}-wal", f"{part.name}-shm", f"{part.name}-journal"):
            with suppress(OSError):  # its folder may have been closed or taken away meanwhile
                part.with_name(name).unlink(missing_ok=True)


async def _fill(engine: AsyncEngine, part: Path, file: Path) -> None:
    copies = create_engine(URL.create("sqlite+aiosqlite", database=str(part)))
    try:
        await migrate(copies)
        async with snapshot(engine) as source, copies.begin() as target:
            for table in tables():
                if not await copied(table, source, target):
                    raise BackupError(file, f"is not made: {table.name} turned out different")
    finally:
        await copies.dispose()
