"""The seal of a backup: what is in it, so that a damaged or incomplete one is never restored."""

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bot.base.errors import BackupError
from bot.database.backups.places import see_readable
from bot.database.trouble import DatabaseFault, diagnose

_FORMAT = "1"
_TABLE = "table "


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a backup."""

    made_at: datetime
    version: str
    """Version of the bot that made it."""
    rows: Mapping[str, int]
    """Number of rows of each table."""


def seal(file: Path, *, made_at: datetime, version: str) -> Contents:
    """Write into a finished backup what is in it, and leave it as one file that is on the disk.

    Raises:
        BackupError: if SQLite finds the file damaged.
    """
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        _examine(connection, file)
        found = _fingerprints(connection)
        about = {"format": _FORMAT, "made_at": made_at.isoformat(), "version": version}
        about |= {f"{_TABLE}{name}": f"{rows} {digest}" for name, (rows, digest) in found.items()}
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE backup (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        connection.executemany("INSERT INTO backup VALUES (?, ?)", about.items())
        connection.execute("COMMIT")  # synchronous is FULL from the start: it is on the disk now
    return Contents(made_at, version, {name: rows for name, (rows, _) in found.items()})


def unsealed(file: Path) -> Contents:
    """Look whether a backup is what it was when it was made.

    Raises:
        BackupError: if it is not, or no backup at all.
    """
    see_readable(file)
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as one:
            try:
                about = dict(one.execute("SELECT name, value FROM backup").fetchall())
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                    raise
                raise BackupError(file, "is no backup that dvonn-bot has made") from error
            if about.get("format") != _FORMAT:
                raise BackupError(file, "was made by a newer dvonn-bot")
            _examine(one, file)
            found = _fingerprints(one)
    except sqlite3.Error as error:
        if diagnose(error) in {None, DatabaseFault.DAMAGED}:
            raise BackupError(file, f"is damaged: {error}") from error
        raise BackupError(file, f"cannot be read: {error}") from error
    sealed = {name: value for name, value in about.items() if name.startswith(_TABLE)}
    actual = {f"{_TABLE}{name}": f"{rows} {digest}" for name, (rows, digest) in found.items()}
    if sealed != actual:
        raise BackupError(file, "is damaged: its checksums differ from what was written")
    try:
        made_at, version = datetime.fromisoformat(about["made_at"]), str(about["version"])
    except (KeyError, TypeError, ValueError) as error:
        raise BackupError(file, "is damaged: it does not tell when it was made") from error
    return Contents(made_at, version, {name: rows for name, (rows, _) in found.items()})


def _examine(connection: sqlite3.Connection, file: Path) -> None:
    """Let SQLite look at every page."""
    (first, *_) = connection.execute("PRAGMA integrity_check").fetchone()
    if first != "ok":
        raise BackupError(file, f"is damaged: {first}")


def _fingerprints(connection: sqlite3.Connection) -> dict[str, tuple[int, str]]:
    """Return the number of rows of each table, and their checksum in the order of their key."""
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
    """Write a row for a checksum: the same bytes from every database."""
    return json.dumps(list(row), default=str).encode() + b"\n"
