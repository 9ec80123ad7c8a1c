"""Tests for the scan for damage: every table is read, and damage is reported."""

import asyncio
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.base.database_address import database_address
from bot.database.damage import DamageMonitor, DamageScan
from bot.database.database import Database
from bot.database.faults import DatabaseFault, diagnose
from bot.database.opening import create_engine
from tests.bot.database.test_faults import harm


@pytest.fixture
def file(tmp_path: Path, migrated: Path) -> Path:
    return Path(shutil.copy(migrated, tmp_path / "dvonn.sqlite3"))


@pytest.mark.parametrize("thorough", [False, True])
async def test_each_table_of_a_sound_file_is_scanned(file: Path, *, thorough: bool) -> None:
    told = list[tuple[str, int, int]]()
    await DamageScan(file, thorough=thorough, gently=True).run(lambda *now: told.append(now))
    with closing(sqlite3.connect(file)) as connection:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'")
    assert [number for _, number, _ in told] == [*range(1, tables[0] + 2)]
    assert {"sqlite_master", "games", "events"} <= {table for table, _, _ in told}
    assert {count for _, _, count in told} == {len(told)}
    assert {part.name for part in file.parent.iterdir()} <= {file.name, *_beside(file)}


def _beside(file: Path) -> list[str]:
    return [f"{file.name}-wal", f"{file.name}-shm"]


async def test_damage_is_reported(file: Path) -> None:
    harm(file, "overwritten")
    with pytest.raises(sqlite3.Error) as found:
        await DamageScan(file).run()
    assert diagnose(found.value) is DatabaseFault.DAMAGED


async def test_a_page_that_counts_a_row_too_many_is_damaged(tmp_path: Path) -> None:
    """SQLite reads it without an error. Only an integrity check finds the fault."""
    file = tmp_path / "small.sqlite3"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE games (ply INTEGER)")
        connection.execute("INSERT INTO games VALUES (1)")
    content = bytearray(file.read_bytes())
    page = int.from_bytes(content[16:18], "big")
    content[page + 4] += 1  # the number of rows on the table's only page
    file.write_bytes(content)
    with pytest.raises(sqlite3.Error) as found:
        await DamageScan(file).run()
    assert diagnose(found.value) is DatabaseFault.DAMAGED
    assert "malformed: " in str(found.value)


async def test_a_running_bot_reports_damage_once(file: Path) -> None:
    harm(file, "overwritten")
    database = Database(create_engine(database_address(f"sqlite:///{file}")))
    with capture_logs() as told:
        await DamageMonitor(database).run()  # and stops scanning
    assert [line["event"] for line in told] == ["database damaged"]


async def test_a_sound_file_is_scanned_again_later(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.database.damage._INTERVAL_S", 0)
    monitor = DamageMonitor(Database(create_engine(database_address(f"sqlite:///{file}"))))
    with capture_logs() as logged:
        scanning = asyncio.create_task(monitor.run())
        while len(logged) < 2:  # noqa: ASYNC110 - a log tells of no event
            await asyncio.sleep(0.005)
    scanning.cancel()
    assert {line["event"] for line in logged} == {"damage scan finished: no damage"}


async def test_a_scan_that_is_cancelled_ends_with_its_table(file: Path) -> None:
    looked, go_on, begun = list[str](), threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def on_table(table: str, _number: int, _count: int) -> None:
        looked.append(table)
        loop.call_soon_threadsafe(begun.set)
        go_on.wait()

    scanning = asyncio.create_task(DamageScan(file).run(on_table))
    await begun.wait()
    scanning.cancel()
    with pytest.raises(asyncio.CancelledError):
        await scanning
    go_on.set()
    await loop.shutdown_default_executor()
    assert looked == ["sqlite_master"]
