"""Tests of the scan for damage: every table is read, and what is damaged is told."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.database.damage import DamageScan
from bot.database.faults import DatabaseFault, diagnose
from tests.bot.database.test_faults import harm


@pytest.fixture
def file(tmp_path: Path, migrated: Path) -> Path:
    return Path(shutil.copy(migrated, tmp_path / "dvonn.sqlite3"))


@pytest.mark.parametrize("thorough", [False, True])
async def test_each_table_of_a_sound_file_is_looked_at(file: Path, *, thorough: bool) -> None:
    told = list[tuple[str, int, int]]()
    await DamageScan(file, thorough=thorough, easy=True).run(lambda *now: told.append(now))
    with closing(sqlite3.connect(file)) as connection:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'")
    assert [number for _, number, _ in told] == [*range(1, tables[0] + 2)]
    assert {"sqlite_master", "games", "events"} <= {table for table, _, _ in told}
    assert {count for _, _, count in told} == {len(told)}
    assert {one.name for one in file.parent.iterdir()} <= {file.name, *_beside(file)}


def _beside(file: Path) -> list[str]:
    return [f"{file.name}-wal", f"{file.name}-shm"]


async def test_what_is_damaged_is_told(file: Path) -> None:
    harm(file, "overwritten")
    with pytest.raises(sqlite3.Error) as found:
        await DamageScan(file).run()
    assert diagnose(found.value) is DatabaseFault.DAMAGED
