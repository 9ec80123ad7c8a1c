"""Making a backup."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot import __version__
from bot.errors import BackupError, DatabaseError
from bot.store.backups.copying import TABLES, checksum, copy, snapshot
from bot.store.backups.seal import Contents, seal
from bot.store.engine import create_engine, is_yet_to_be_made, migrate, schema_is_current
from bot.store.place import look_at_place

_ONLY_THE_OWNER = 0o600


async def back_up(engine: AsyncEngine, file: Path, *, now: datetime) -> Contents:
    """Write everything in a database, as it is at one moment, into a new file; games go on.

    The file is there only when it is complete and has been compared with what was read.

    Raises:
        BackupError: if the file is there already, cannot be written, or turns out different.
        DatabaseError: if the database cannot be read, or is not of this bot's version.
    """
    await asyncio.to_thread(look_at_place, engine.url)
    if is_yet_to_be_made(engine.url) or not await schema_is_current(engine):
        raise BackupError(file, "is not made: the bot has to start once with this database first")
    with _beside(file) as part:
        await _fill(engine, part, file)
        contents = await asyncio.to_thread(seal, part, made_at=now, version=__version__)
        part.replace(file)
    return contents


@contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """An empty file beside another one, which is gone afterwards unless it was renamed."""
    try:
        if file.exists():
            raise BackupError(file, "is there already; a backup never replaces another file")
        part = file.with_name(f".{file.name}.{os.getpid()}.part")
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _ONLY_THE_OWNER))
    except OSError as error:
        raise BackupError(file, f"cannot be written: {error.strerror}") from error
    try:
        yield part
    finally:
        for name in (part.name, f"{part.name}-wal", f"{part.name}-shm", f"{part.name}-journal"):
            part.with_name(name).unlink(missing_ok=True)


async def _fill(engine: AsyncEngine, part: Path, file: Path) -> None:
    copies = create_engine(URL.create("sqlite+aiosqlite", database=str(part)))
    try:
        await migrate(copies)
        async with snapshot(engine) as source, copies.begin() as target:
            for table in TABLES:
                if await copy(table, source, target) != await checksum(table, target):
                    raise BackupError(file, f"is not made: {table.name} turned out different")
    except DatabaseError as error:  # of the copy: the database itself was looked at before
        raise BackupError(file, f"cannot be written: {error.reason}") from error
    except DBAPIError as error:
        raise BackupError(file, f"is not made: {error.orig}") from error
    finally:
        await copies.dispose()
