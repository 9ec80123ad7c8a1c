"""Tests for the permissions of a SQLite database's files."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.base.database_address import database_address
from bot.connection.store import listening
from bot.database.opening import create_engine, migrate
from bot.database.sqlite import exposure_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="files have no modes on Windows")


@pytest.fixture(autouse=True)
def open_handed() -> Iterator[None]:
    """Let other users read new files, unless a program sets other permissions."""
    before = os.umask(0o000)
    yield
    os.umask(before)


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def modes(file: Path) -> dict[str, int]:
    return {path.name: mode(path) for path in file.resolve().parent.iterdir()}


async def modes_while_writing(file: Path) -> dict[str, int]:
    """Create a database and write to it. Return the modes of its files during the write."""
    engine = create_engine(database_address(f"sqlite:///{file}"))
    try:
        await migrate(engine)
        async with engine.begin() as connection:
            await connection.execute(listening.delete())
            return modes(file)
    finally:
        await engine.dispose()


async def test_only_the_owner_can_read_a_new_database(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    assert await modes_while_writing(folder / "d.sqlite3") == {
        "d.sqlite3": 0o600,
        "d.sqlite3-wal": 0o600,
        "d.sqlite3-shm": 0o600,
    }
    assert exposure_of(database_address(f"sqlite:///{folder / 'd.sqlite3'}")) is None


async def test_a_file_behind_a_link_is_private_too(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    link = tmp_path / "d.sqlite3"
    link.symlink_to(folder / "real.sqlite3")
    assert set((await modes_while_writing(link)).values()) == {0o600}


@pytest.mark.parametrize("chosen", [0o644, 0o640, 0o660])
async def test_a_hosts_choices_stay_and_are_reported(tmp_path: Path, chosen: int) -> None:
    file = tmp_path / "d.sqlite3"
    await modes_while_writing(file)
    file.chmod(chosen)
    assert (await modes_while_writing(file))[file.name] == chosen
    assert exposure_of(database_address(f"sqlite:///{file}")) == (
        f"others may read {file} (mode 0{chosen:o}); to prevent that: chmod 600 {file}"
    )
    file.chmod(0o600)
    assert exposure_of(database_address(f"sqlite:///{file}")) is None


def test_a_missing_file_has_nothing_to_read() -> None:
    for address in ("sqlite:///nowhere.sqlite3", "postgresql://localhost/dvonn"):
        assert exposure_of(database_address(address)) is None
