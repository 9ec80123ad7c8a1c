"""Tests for backups in places that can't be read or written."""

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.base.database_address import database_address
from bot.base.errors import BackupError
from bot.database.backups import back_up, restore
from bot.database.connection import AsyncEngine
from bot.database.opening import create_engine
from bot.people.store.privacy import repeat_deletions

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
_NOBODY = 65534


@contextmanager
def somebody_else() -> Iterator[None]:
    """Run as a user who owns nothing here, or without permissions if not run as root."""
    if os.geteuid():
        yield
        return
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that other users can read, unlike pytest's own."""
    with tempfile.TemporaryDirectory(prefix="dvonn-places-") as name:
        place = Path(name)
        place.chmod(0o755)
        yield place
        for path in [place, *place.iterdir()]:  # so that it can be removed
            path.chmod(0o755)


@pytest.fixture
async def engine(migrated: Path) -> AsyncIterator[AsyncEngine]:
    """A database of that other user."""
    with tempfile.TemporaryDirectory(prefix="dvonn-places-") as name:
        file = shutil.copy(migrated, Path(name) / "dvonn.sqlite3")
        if os.geteuid() == 0:
            for path in (name, file):
                os.chown(path, _NOBODY, _NOBODY)
        engine = create_engine(database_address(f"sqlite:///{file}"))
        yield engine
        await engine.dispose()


@pytest.fixture
def backup(place: Path) -> Path:
    """A file in the place of a backup. The checks stop before they find that it isn't one."""
    file = place / "backup"
    file.write_bytes(b"no backup")
    return file


def be_closed(file: Path) -> Path:
    file.chmod(0o000)
    return file


def be_in_a_closed_folder(file: Path) -> Path:
    folder = file.parent / "closed"
    folder.mkdir()
    file.replace(folder / file.name)
    folder.chmod(0o000)
    return folder / file.name


def be_a_folder(file: Path) -> Path:
    return file.parent


def be_below_a_file(file: Path) -> Path:
    return file / "backup"


def be_elsewhere(file: Path) -> Path:
    return file.with_name("another")


def be_a_pipe(file: Path) -> Path:
    pipe = file.with_name("pipe")
    os.mkfifo(pipe)
    return pipe


_CLOSED = "isn't readable by you; run this as its owner, or change its owner with chown"
UNREADABLE: dict[Callable[[Path], Path], str] = {
    be_closed: _CLOSED,
    be_in_a_closed_folder: _CLOSED,
    be_a_folder: "is a folder; name the backup in it",
    be_below_a_file: "doesn't exist: part of its path isn't a folder",
    be_elsewhere: "doesn't exist",
    be_a_pipe: "isn't a regular file",
}


@pytest.mark.parametrize("wrong", UNREADABLE, ids=lambda wrong: wrong.__name__)
async def test_a_backup_that_cannot_be_read_is_not_reported_as_damaged(
    engine: AsyncEngine, backup: Path, wrong: Callable[[Path], Path]
) -> None:
    file = wrong(backup)
    with somebody_else(), pytest.raises(BackupError) as refused:
        await restore(engine, file, replace=True, now=NOON, keeping=repeat_deletions)
    assert str(refused.value) == f"{file} {UNREADABLE[wrong]}"


def in_a_closed_folder(place: Path) -> Path:
    place.chmod(0o555)
    return place / "new"


def in_one_that_cannot_be_seen(place: Path) -> Path:
    folder = place / "closed"
    folder.mkdir(mode=0o000)
    return folder / "new"


def in_no_folder(place: Path) -> Path:
    return place / "nowhere" / "new"


def below_a_file(place: Path) -> Path:
    (place / "file").touch()
    return place / "file" / "new"


def instead_of_a_folder(place: Path) -> Path:
    return place


def instead_of_a_file(place: Path) -> Path:
    (place / "file").touch()
    return place / "file"


UNWRITABLE: dict[Callable[[Path], Path], str] = {
    in_a_closed_folder: "cannot be written: you can't write to {}; "
    "choose another folder, or run this as its owner",
    in_one_that_cannot_be_seen: "cannot be written: you can't write to {}; "
    "choose another folder, or run this as its owner",
    in_no_folder: "cannot be written: there is no folder {}; create it first",
    below_a_file: "cannot be written: {} isn't a folder; choose another place",
    instead_of_a_folder: "is a folder; choose a new file name in it",
    instead_of_a_file: "already exists; a backup never replaces another file",
}


@pytest.mark.parametrize("wrong", UNWRITABLE, ids=lambda wrong: wrong.__name__)
async def test_a_backup_that_cannot_be_written_says_why(
    engine: AsyncEngine, place: Path, wrong: Callable[[Path], Path]
) -> None:
    file = wrong(place)
    with somebody_else(), pytest.raises(BackupError) as refused:
        await back_up(engine, file, now=NOON)
    assert str(refused.value) == f"{file} {UNWRITABLE[wrong].format(file.parent)}"
