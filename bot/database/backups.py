"""Backups: the same kind of file for both databases, written while games continue.

A backup is a SQLite file. It holds the bot's tables, migrated to the current schema like any
database, and a table `backup` with its seal: each table's number of rows and their checksum. A
backup of SQLite can be restored into PostgreSQL, and vice versa.
"""

import asyncio
import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from sqlalchemy import Column, Table, bindparam, delete, func, select, text, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from bot import __version__
from bot.base.errors import BackupError, DatabaseError, count_text
from bot.database import backup_files, opening
from bot.database.aside import put_aside
from bot.database.connection import AsyncConnection, AsyncEngine
from bot.database.delivery_rows import THREAD, deliveries
from bot.database.faults import DatabaseFault, diagnose
from bot.database.in_use import is_in_use
from bot.database.schema import NO_GAMES

_ONLY_THE_OWNER = 0o600


async def back_up(engine: AsyncEngine, file: Path, *, now: datetime) -> backup_files.Contents:
    """Write a snapshot of a database to a new file, while games continue.

    The file appears only when it is complete and has been compared with the database.

    Raises:
        BackupError: if the file exists, can't be written or differs from the database, or if the
            database is of an older version.
        DatabaseError: if the database does not exist or can't be read.
    """
    opening.check_exists(engine.url)
    if not await opening.schema_is_current(engine):
        raise BackupError(
            file, "was not made: the database still has an older version; start the bot once"
        )
    backup_files.check_absent(file)
    with _partial_file(file) as part:
        try:
            await _fill(engine, part, file)
            contents = await asyncio.to_thread(
                backup_files.seal, part, made_at=now, version=__version__
            )
        # The error is about the copy, because the database itself was checked before.
        except DatabaseError as error:
            raise _backup_error(file, error.__cause__ or error) from error
        except (DBAPIError, sqlite3.Error, OSError) as error:
            raise _backup_error(file, error) from error
        try:
            part.replace(file)
        except OSError as error:
            raise backup_files.unwritable_error(file, error) from error
    return contents


def _backup_error(file: Path, error: BaseException) -> BackupError:
    """Return the error for a backup that failed because of a database error."""
    if diagnose(error) is DatabaseFault.FULL:
        return backup_files.full_disk_error(file)
    return BackupError(file, f"was not made: {getattr(error, 'orig', None) or error}")


@contextmanager
def _partial_file(file: Path) -> Iterator[Path]:
    """Yield an empty file next to another one. It is removed later, unless it was renamed."""
    try:
        part = file.with_name(f".{file.name}.{os.getpid()}.part")
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _ONLY_THE_OWNER))
    except OSError as error:
        raise backup_files.unwritable_error(file, error) from error
    try:
        yield part
    finally:
        for name in (part.name, f"{part.name}-wal", f"{part.name}-shm", f"{part.name}-journal"):
            with suppress(OSError):  # by now its folder may be unreadable or gone
                part.with_name(name).unlink(missing_ok=True)


async def _fill(engine: AsyncEngine, part: Path, file: Path) -> None:
    copies = opening.create_engine(URL.create("sqlite+aiosqlite", database=str(part)))
    try:
        await opening.migrate(copies)
        async with backup_files.snapshot(engine) as source, copies.begin() as target:
            for table in backup_files.tables():
                if not await backup_files.copy_and_verify(table, source, target):
                    raise BackupError(file, f"was not made: {table.name} doesn't match")
    finally:
        await copies.dispose()


_MAX_LOST_IDS = 10_000
"""Assumed maximum number of games or challenges started after a backup.

Their buttons are still in the channels and must never refer to another game.
"""
_drop_unsent = (
    update(deliveries)
    .where(
        deliveries.c.kind != THREAD,
        deliveries.c.sent_at.is_(None),
        deliveries.c.dropped_at.is_(None),
    )
    .values(dropped_at=bindparam("now"))
)


Keeping = Callable[[AsyncConnection, datetime], AbstractAsyncContextManager[None]]
"""Context manager that carries rows over a restore.

It reads them on entry and writes them again on exit. Its arguments are the transaction and the time
of the backup.
"""


async def restore(
    engine: AsyncEngine,
    file: Path,
    *,
    replace: bool,
    now: datetime,
    keeping: Keeping,
    on_put_aside: Callable[[str], object] = len,
) -> backup_files.Contents:
    """Restore a backup into a database, atomically.

    The backup's unsent deliveries are marked as handled, because they are old, and many were sent
    after the backup was made. Threads are still opened, because opening one twice does no harm.

    Missing tables are created, and an older bot's backup is migrated in the process. With
    `replace`, the database's content may be lost, except for what `keeping` carries over. A newer
    bot's database is moved aside, and `on_put_aside` is called with its new name.

    Raises:
        BackupError: if the backup is damaged or from a newer bot, if a bot uses the database, or if
            the database holds data that must not be lost.
        DatabaseError: if the database can't be used.
    """
    contents = await asyncio.to_thread(backup_files.verify_seal, file)
    async with _open_copy(file) as backup:
        if await is_in_use(engine):
            raise BackupError(file, "was not restored: a bot is using the database; stop it first")
        exists = not opening.will_be_created(engine.url)
        if replace and exists and await opening.is_of_another_version(engine):
            on_put_aside(await put_aside(engine, now=now))
        await opening.migrate(engine)
        try:
            async with backup.connect() as source, engine.begin() as target:
                await opening.exclude_migrations(target)
                if not replace:
                    await _check_empty(file, target)
                async with keeping(target, contents.made_at):
                    await _replace_rows(file, source, target)
                await target.execute(_drop_unsent, {"now": now})
        except DBAPIError as error:
            fault = diagnose(error)
            cure = "" if fault is None else f" ({fault.cure})"
            raise BackupError(file, f"was not restored: {error.orig}{cure}") from error
    return contents


@asynccontextmanager
async def _open_copy(file: Path) -> AsyncIterator[AsyncEngine]:
    """Yield an engine on a migrated copy of the backup. The backup itself stays unchanged."""
    with contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="dvonn-restore-"))
            working = Path(folder) / "backup.sqlite3"
            await asyncio.to_thread(shutil.copyfile, file, working)
        except OSError as error:
            raise backup_files.no_room_for_copy_error(file, error) from error
        engine = opening.create_engine(URL.create("sqlite+aiosqlite", database=str(working)))
        try:
            await _migrate_copy(engine, file)
            yield engine
        finally:
            await engine.dispose()


async def _migrate_copy(copy: AsyncEngine, file: Path) -> None:
    try:
        if not await opening.schema_is_current(copy):
            await opening.migrate(copy)
    except DatabaseError as error:
        if error.__cause__ is not None and diagnose(error.__cause__) is DatabaseFault.FULL:
            raise backup_files.no_room_for_copy_error(file, error.__cause__) from error
        raise BackupError(file, f"is from another dvonn-bot: {error.reason}") from error


async def _check_empty(file: Path, target: AsyncConnection) -> None:
    rows = {
        table.name: await backup_files.count(table, target)
        for table in backup_files.tables()
        if not NO_GAMES.items() <= table.info.items()
    }
    if any(rows.values()):
        raise BackupError(
            file,
            f"was not restored: the database already holds {count_text(rows['games'], 'game')}; "
            f"--replace puts the backup in their place",
        )


async def _replace_rows(file: Path, source: AsyncConnection, target: AsyncConnection) -> None:
    for table in reversed(backup_files.tables()):
        await target.execute(delete(table))
    for table in backup_files.tables():
        if not await backup_files.copy_and_verify(table, source, target):
            raise BackupError(file, f"was not restored: {table.name} doesn't match")
    await advance_ids(target, backup_files.tables())


async def advance_ids(target: AsyncConnection, restored: Iterable[Table]) -> None:
    """Make new rows' ids greater than all restored ids and all ids that may have been lost."""
    for table in restored:
        if table.autoincrement_column is not None:
            await _advance_id(table, table.autoincrement_column, target)


async def _advance_id(table: Table, column: Column[int], target: AsyncConnection) -> None:
    highest = (await target.execute(select(func.max(column)))).scalar() or 0
    reuses_no_id = table.dialect_options["sqlite"]["autoincrement"]
    last = highest + (_MAX_LOST_IDS if reuses_no_id else 0)
    if target.dialect.name == "postgresql":
        parameters = {"table": table.name, "column": column.name}
        sequence = text("SELECT pg_get_serial_sequence(:table, :column)")
        name = (await target.execute(sequence, parameters)).scalar()
        if name is not None:
            parameters_of_setval = {"name": name, "next": last + 1}
            await target.execute(text("SELECT setval(:name, :next, false)"), parameters_of_setval)
    elif reuses_no_id:
        entry = {"table": table.name, "last": last}
        await target.execute(text("DELETE FROM sqlite_sequence WHERE name = :table"), entry)
        await target.execute(text("INSERT INTO sqlite_sequence VALUES (:table, :last)"), entry)
