"""Tests for backups: made during writes, restored into either database, never incomplete."""

import asyncio
import shutil
import sqlite3
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import func, make_url, select, text

from bot.base.database_address import database_address
from bot.base.errors import BackupError, DatabaseError
from bot.database.backup_files import checksum, seal, snapshot, tables, verify_seal
from bot.database.backups import back_up, restore
from bot.database.connection import AsyncEngine
from bot.database.opening import create_engine, will_be_created
from bot.people.store.privacy import repeat_deletions
from bot.play.store.schema import events
from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.bot.table import ANN, BOB, CHANNEL, Table
from tests.games import random_game

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "backup"


@pytest.fixture
async def other_engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """A second, empty database."""
    engine = create_engine(database_address(f"sqlite:///{tmp_path / 'other.sqlite3'}"))
    yield engine
    await engine.dispose()


async def play_some(table: Table, plies: int = 7) -> None:
    """A running game whose last board is unsent."""
    await table.accept(await table.challenge())
    for ply, move in enumerate(random_game(4)[:plies]):
        await table.games.play(CHANNEL, (ANN, BOB)[ply % 2], str(move), source=table.source())


async def all_sums(engine: AsyncEngine) -> dict[str, str]:
    async with snapshot(engine) as connection:
        return {table.name: await checksum(table, connection) for table in tables()}


async def test_a_restore_gives_the_same_data(
    engine: AsyncEngine, table: Table, file: Path, other_engine: AsyncEngine
) -> None:
    await play_some(table)
    before = await all_sums(engine)

    made = await back_up(engine, file, now=NOON)
    restored = await restore(other_engine, file, replace=False, now=NOON, keeping=repeat_deletions)

    assert made == restored
    assert (made.rows["games"], made.rows["events"], made.made_at) == (1, 8, NOON)
    after = await all_sums(other_engine)
    assert after.pop("deliveries") != before.pop("deliveries")  # unsent deliveries were settled
    assert after == before
    assert await all_sums(engine) != {}  # the original is as usable as before


async def test_games_continue_while_a_backup_is_made(
    engine: AsyncEngine, table: Table, file: Path
) -> None:
    """A writer doesn't wait for the backup, and its change isn't part of it."""
    await play_some(table, plies=2)
    async with snapshot(engine) as before:
        seen = await checksum(events, before)
        await table.games.play(CHANNEL, ANN, str(random_game(4)[2]), source=table.source())
        assert await checksum(events, before) == seen
    made = await back_up(engine, file, now=NOON)
    assert made.rows["events"] == 4


async def test_a_backup_during_writes_is_a_consistent_snapshot(
    engine: AsyncEngine, table: Table, tmp_path: Path, other_engine: AsyncEngine
) -> None:
    await play_some(table, plies=0)
    moves = random_game(4)[:40]

    async def write() -> None:
        for ply, move in enumerate(moves):
            await table.games.play(CHANNEL, (ANN, BOB)[ply % 2], str(move), source=table.source())

    writing = asyncio.create_task(write())
    files: list[Path] = []
    while not writing.done():
        files.append(tmp_path / f"backup {len(files)}")
        await back_up(engine, files[-1], now=NOON)
    await writing
    for file in files:
        await restore(other_engine, file, replace=True, now=NOON, keeping=repeat_deletions)
        async with other_engine.connect() as connection:
            game = (await connection.execute(text("SELECT revision FROM games"))).scalar_one()
            numbers = select(func.count(), func.max(events.c.revision)).select_from(events)
            count, last = (await connection.execute(numbers)).one()
        assert (count, last) == (game + 1, game)


@pytest.fixture
async def game_backup(tmp_path: Path, file: Path, clock: Clock, migrated: Path) -> Path:
    """A backup of a game."""
    shutil.copy(migrated, tmp_path / "dvonn.sqlite3")
    engine = create_engine(database_address(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"))
    await play_some(Table(Store(engine), clock))
    await back_up(engine, file, now=NOON)
    await engine.dispose()
    return file


def test_it_is_a_single_file_private_to_its_owner(game_backup: Path) -> None:
    beside = {path.name for path in game_backup.parent.iterdir()}
    assert beside == {"backup", "dvonn.sqlite3"}
    assert stat.S_IMODE(game_backup.stat().st_mode) == 0o600


async def test_another_file_is_never_replaced(game_backup: Path, tmp_path: Path) -> None:
    engine = create_engine(database_address(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"))
    with pytest.raises(BackupError, match="already exists"):
        await back_up(engine, game_backup, now=NOON)
    with pytest.raises(BackupError, match="cannot be written: there is no folder"):
        await back_up(engine, tmp_path / "nowhere" / "backup", now=NOON)
    await engine.dispose()
    assert verify_seal(game_backup).made_at == NOON


async def test_a_missing_database_is_not_created(tmp_path: Path, file: Path) -> None:
    engine = create_engine(database_address(f"sqlite:///{tmp_path / 'none.sqlite3'}"))
    with pytest.raises(DatabaseError, match=r"none\.sqlite3\) cannot be used: it doesn't exist"):
        await back_up(engine, file, now=NOON)
    await engine.dispose()
    assert will_be_created(engine.url)
    assert will_be_created(make_url(f"sqlite:///{file}"))


def truncate(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def change_a_move(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE events SET data = ? WHERE revision = 3", ('{"move": "k3"}',))


def lose_a_row(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM deliveries WHERE revision = 3")


def be_of_the_future(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE backup SET value = '2' WHERE name = 'format'")


def be_something_else(file: Path) -> None:
    file.write_text("These are notes, not a database. " * 40)


def be_a_plain_database(file: Path) -> None:
    shutil.copy(file.with_name("dvonn.sqlite3"), file)


def be_gone(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (truncate, "is damaged"),
        (change_a_move, "is damaged: its checksums"),
        (lose_a_row, "is damaged: its checksums"),
        (be_of_the_future, "was made by a newer dvonn-bot"),
        (be_something_else, "is damaged: file is not a database"),
        (be_a_plain_database, "isn't a dvonn-bot backup"),
        (be_gone, "doesn't exist"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_a_bad_backup_is_refused(
    game_backup: Path, other_engine: AsyncEngine, harm: Callable[[Path], None], words: str
) -> None:
    harm(game_backup)
    with pytest.raises(BackupError, match=words):
        await restore(other_engine, game_backup, replace=False, now=NOON, keeping=repeat_deletions)
    assert will_be_created(other_engine.url)


@pytest.mark.parametrize("revision", ["9999", "0040"], ids=["newer", "between_releases"])
async def test_a_backup_of_an_unknown_schema_is_refused(
    game_backup: Path, other_engine: AsyncEngine, revision: str
) -> None:
    """Made by a bot with migrations that this one doesn't know."""
    with closing(sqlite3.connect(game_backup)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
        connection.execute("DROP TABLE backup")
    seal(game_backup, made_at=NOON, version="9.9.9")
    with pytest.raises(BackupError, match=f"is from another dvonn-bot: .*{revision}"):
        await restore(other_engine, game_backup, replace=False, now=NOON, keeping=repeat_deletions)
