"""A SQLite database as files on a disk: where it lies, and who may read it."""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from sqlalchemy.engine import URL

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
