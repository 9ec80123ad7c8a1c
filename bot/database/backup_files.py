"""Copies rows, and seals a backup to prove that it is complete."""

import errno
import hashlib
import json
import os
import sqlite3
import stat
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Table, func, insert, select, text

from bot.base.errors import BackupError
from bot.database.connection import AsyncConnection, AsyncEngine
from bot.database.faults import DatabaseFault, diagnose
from bot.database.schema import metadata
from bot.database.sqlite import autocommit

_FORMAT = "1"
_TABLE = "table "


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a backup."""

    made_at: datetime
    version: str
    rows: Mapping[str, int]


def seal(file: Path, *, made_at: datetime, version: str) -> Contents:
    """Write the checksums into a finished backup, and flush it to disk as a single file.

    Raises:
        BackupError: if SQLite finds that the file is damaged.
    """
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        _check_integrity(connection, file)
        fingerprints = _fingerprints(connection)
        properties = {"format": _FORMAT, "made_at": made_at.isoformat(), "version": version}
        properties |= {
            f"{_TABLE}{name}": f"{rows} {digest}" for name, (rows, digest) in fingerprints.items()
        }
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE backup (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        connection.executemany("INSERT INTO backup VALUES (?, ?)", properties.items())
        # the pragma `synchronous` has been FULL from the start, so the data is on disk now
        connection.execute("COMMIT")
    return Contents(made_at, version, {name: rows for name, (rows, _) in fingerprints.items()})


def verify_seal(file: Path) -> Contents:
    """Check that a backup has not changed since it was made.

    Raises:
        BackupError: if it has changed or is not a backup at all.
    """
    check_readable(file)
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        ) as connection:
            try:
                properties = dict(connection.execute("SELECT name, value FROM backup").fetchall())
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                    raise
                raise BackupError(file, "isn't a dvonn-bot backup") from error
            if properties.get("format") != _FORMAT:
                raise BackupError(file, "was made by a newer dvonn-bot")
            _check_integrity(connection, file)
            fingerprints = _fingerprints(connection)
    except sqlite3.Error as error:
        if diagnose(error) in {None, DatabaseFault.DAMAGED}:
            raise BackupError(file, f"is damaged: {error}") from error
        raise BackupError(file, f"cannot be read: {error}") from error
    sealed = {name: value for name, value in properties.items() if name.startswith(_TABLE)}
    actual = {
        f"{_TABLE}{name}": f"{rows} {digest}" for name, (rows, digest) in fingerprints.items()
    }
    if sealed != actual:
        raise BackupError(file, "is damaged: its checksums don't match")
    try:
        made_at, version = datetime.fromisoformat(properties["made_at"]), str(properties["version"])
    except (KeyError, TypeError, ValueError) as error:
        raise BackupError(file, "is damaged: its creation time is missing") from error
    return Contents(made_at, version, {name: rows for name, (rows, _) in fingerprints.items()})


def _check_integrity(connection: sqlite3.Connection, file: Path) -> None:
    """Let SQLite check every page."""
    (first, *_) = connection.execute("PRAGMA integrity_check").fetchone()
    if first != "ok":
        raise BackupError(file, f"is damaged: {first}")


def _fingerprints(connection: sqlite3.Connection) -> dict[str, tuple[int, str]]:
    """Return each table's number of rows, and their checksum in key order."""
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
        "ESCAPE '\\' AND name != 'backup'"
    ).fetchall()
    return {name: _fingerprint(connection, name) for (name,) in tables}


def _fingerprint(connection: sqlite3.Connection, table: str) -> tuple[int, str]:
    columns = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
    key = [str(place) for place, (*_, in_key) in enumerate(columns, start=1) if in_key]
    order = f" ORDER BY {', '.join(key)}" if key else ""
    digest, count = hashlib.sha256(), 0
    for row in connection.execute(f'SELECT * FROM "{table}"{order}'):  # noqa: S608 - its own name
        digest.update(line(row))
        count += 1
    return count, digest.hexdigest()


def line(row: Any) -> bytes:
    """Serialize a row for a checksum, to the same bytes for every database."""
    return json.dumps(list(row), default=str).encode() + b"\n"


_BATCH_SIZE = 1_000


def tables() -> Sequence[Table]:
    """Return all tables, each after the tables that it references."""
    return metadata.sorted_tables


@asynccontextmanager
async def snapshot(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Yield a connection that sees the database at a single moment and doesn't block writers."""
    if engine.dialect.name == "sqlite":
        # Unlike everywhere else, not BEGIN IMMEDIATE, which would keep the bot from writing.
        async with engine.connect() as connection:
            await connection.run_sync(autocommit)
            await connection.execute(text("BEGIN"))
            try:
                yield connection
            finally:
                await connection.execute(text("ROLLBACK"))
        return
    async with engine.connect() as plain:
        connection = await plain.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        yield connection


async def checksum(
    table: Table, source: AsyncConnection, copy_to: AsyncConnection | None = None
) -> str:
    digest = hashlib.sha256()
    rows = select(table).order_by(*table.primary_key.columns)
    async for batch in source.partitions(rows, _BATCH_SIZE):
        for row in batch:
            digest.update(line(row))
        if copy_to is not None:
            await copy_to.execute(insert(table), [row._asdict() for row in batch])
    return digest.hexdigest()


async def copy_and_verify(table: Table, source: AsyncConnection, target: AsyncConnection) -> bool:
    """Copy a table's rows. Return True if source and target are equal afterwards."""
    return await checksum(table, source, copy_to=target) == await checksum(table, target)


async def count(table: Table, connection: AsyncConnection) -> int:
    return int((await connection.execute(select(func.count()).select_from(table))).scalar_one())


_FULL_DISK = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}


def check_readable(file: Path) -> None:
    """Check that a file exists and may be read.

    Raises:
        BackupError: if not.
    """
    try:
        mode = file.stat().st_mode
        if stat.S_ISDIR(mode):
            raise BackupError(file, "is a folder; name the backup in it")
        if not stat.S_ISREG(mode):
            raise BackupError(file, "isn't a regular file")
        with file.open("rb"):
            pass
    except FileNotFoundError as error:
        raise BackupError(file, "doesn't exist") from error
    except NotADirectoryError as error:
        raise BackupError(file, "doesn't exist: part of its path isn't a folder") from error
    except PermissionError as error:
        raise BackupError(
            file, "isn't readable by you; run this as its owner, or change its owner with chown"
        ) from error
    except OSError as error:
        raise BackupError(file, f"cannot be read: {error.strerror}") from error


def check_absent(file: Path) -> None:
    """Raise BackupError if the file exists, or if that cannot be checked."""
    try:
        mode = file.stat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise unwritable_error(file, error) from error
    if stat.S_ISDIR(mode):
        raise BackupError(file, "is a folder; choose a new file name in it")
    raise BackupError(file, "already exists; a backup never replaces another file")


def unwritable_error(file: Path, error: OSError) -> BackupError:
    folder = file.absolute().parent
    match error:
        case FileNotFoundError():
            reason = f"there is no folder {folder}; create it first"
        case NotADirectoryError():
            reason = f"{folder} isn't a folder; choose another place"
        case PermissionError():
            reason = f"you can't write to {folder}; choose another folder, or run this as its owner"
        case OSError(errno=errno.EROFS):
            reason = f"{folder} is on a read-only disk; choose another folder"
        case OSError(errno=number) if number in _FULL_DISK:
            return full_disk_error(file)
        case _:
            reason = str(error.strerror)
    return BackupError(file, f"cannot be written: {reason}")


def full_disk_error(file: Path) -> BackupError:
    return BackupError(
        file, "cannot be written: the disk is full; free some space, or choose another folder"
    )


def no_room_for_copy_error(file: Path, error: BaseException) -> BackupError:
    """Return the error for a disk without room for the copy on which a backup is migrated."""
    reason = error.strerror if isinstance(error, OSError) else error
    place = os.environ.get("TMPDIR", "the temporary folder")
    return BackupError(
        file,
        f"was not restored: {place} has no room for a copy ({reason}); "
        f"set TMPDIR to a folder with enough room",
    )
