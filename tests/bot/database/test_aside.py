"""Tests for putting a database aside."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.base.database_address import database_address
from bot.base.errors import DatabaseError, InUseError
from bot.database.aside import _rename, put_aside
from bot.database.opening import create_engine, migrate
from tests.bot.conftest import Clock
from tests.postgresql import without_tables


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_databases_put_aside_within_a_second_replace_nothing(tmp_path: Path) -> None:
    file, aside = tmp_path / "dvonn.sqlite3", tmp_path / "dvonn.sqlite3.aside-20261129-120000"
    for content in ("first", "second", "third"):
        file.write_text(content)
        _rename(file, aside)
    kept = {path.name.removeprefix(aside.name): path.read_text() for path in tmp_path.iterdir()}
    assert kept == {"": "first", "-2": "second", "-3": "third"}


async def test_a_database_is_moved_aside_with_all_its_files(tmp_path: Path) -> None:
    """This also works with an unreadable database, whose other files SQLite leaves behind."""
    file, now = tmp_path / "dvonn.sqlite3", Clock().time
    engine = create_engine(database_address(f"sqlite:///{file}"))
    with pytest.raises(DatabaseError, match="it doesn't exist"):
        await put_aside(engine, now=now)
    for end in ("", "-shm"):
        file.with_name(file.name + end).write_text(f"no database{end}")
    place = Path(await put_aside(engine, now=now))
    assert place.name == "dvonn.sqlite3.aside-20260301-120000"
    assert names(tmp_path) == [place.name, f"{place.name}-shm"]


async def test_nothing_is_put_aside_under_a_bot(tmp_path: Path, migrated: Path) -> None:
    file = Path(shutil.copy(migrated, tmp_path / "dvonn.sqlite3"))
    engine = create_engine(database_address(f"sqlite:///{file}"))
    with closing(sqlite3.connect(file)) as bot:
        bot.execute("PRAGMA journal_mode = WAL")
        bot.execute("SELECT count(*) FROM games").fetchone()
        with pytest.raises(InUseError):
            await put_aside(engine, now=Clock().time)
    assert file.name in names(tmp_path)
    await put_aside(engine, now=Clock().time)
    assert file.name not in names(tmp_path)


async def test_schemas_moved_aside_within_one_second_replace_nothing(
    postgres_url: str,
) -> None:
    await without_tables(postgres_url)
    engine, moved = create_engine(database_address(postgres_url)), list[str]()
    for _ in range(3):
        await migrate(engine)
        moved.append(await put_aside(engine, now=Clock().time))
    first = moved[0]
    assert moved == [first, f"{first}_2", f"{first}_3"]
    async with engine.begin() as connection:
        for place in moved:
            await connection.execute(text(f"DROP {place} CASCADE"))
    await engine.dispose()
