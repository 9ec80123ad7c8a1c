"""Tests for restoring a backup: never mixed with other data, never incomplete."""

import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from bot.base.database_address import database_address
from bot.base.errors import BackupError, DatabaseError
from bot.base.ids import ChannelId, GameId
from bot.database.backup_files import seal, verify_seal
from bot.database.backups import back_up, restore
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import THREAD, DeliveryKind, NewDelivery, deliveries
from bot.database.opening import (
    create_engine,
    revisions,
    run_migrations,
    schema_is_current,
    will_be_created,
)
from bot.people.store.privacy import repeat_deletions
from bot.play.store.schema import events
from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.bot.database.test_backups import NOON, all_sums, file, other_engine, play_some
from tests.bot.looked import due_games
from tests.bot.table import ANN, BOB, CHANNEL, GUILD, Table
from tests.games import random_game

__all__ = ["file", "other_engine"]  # fixtures


async def test_numbers_given_since_the_backup_never_come_again(
    engine: AsyncEngine, table: Table, file: Path, other_engine: AsyncEngine, clock: Clock
) -> None:
    await play_some(table)
    made = await back_up(engine, file, now=NOON)
    assert (made.made_at, made.rows["games"], made.rows["events"]) == (NOON, 1, 8)
    assert verify_seal(file) == made
    offered = await table.challenge(channel=ChannelId(501))
    lost = await table.accept(offered)
    for target in (engine, other_engine):
        await restore(target, file, replace=True, now=NOON, keeping=repeat_deletions)
        again = Table(Store(target), clock)  # like a bot that starts with an empty cache
        again.last_source = 9_000
        await again.games.play(CHANNEL, BOB, str(random_game(4)[7]), source=again.source())
        challenge = await again.challenge(channel=ChannelId(502))
        started = await again.accept(challenge)
        assert started.game.row.id > lost.game.row.id
        assert challenge > offered


async def test_a_database_that_is_open_elsewhere_is_not_touched(
    engine: AsyncEngine, table: Table, file: Path, database_url: str
) -> None:
    await play_some(table)
    await back_up(engine, file, now=NOON)
    running = create_engine(database_address(database_url))
    try:
        async with running.connect() as connection:
            await connection.execute(select(events))
        # Its connection waits in the pool, like a bot's between two turns.
        with pytest.raises(BackupError, match="a bot is using the database; stop it first"):
            await restore(engine, file, replace=True, now=NOON, keeping=repeat_deletions)
    finally:
        await running.dispose()
    await restore(engine, file, replace=True, now=NOON, keeping=repeat_deletions)


# A database that writes something different from what it is given.
ILL = {
    "sqlite": ["CREATE TRIGGER ill AFTER INSERT ON events BEGIN UPDATE events SET at = 0; END"],
    "postgresql": [
        """CREATE FUNCTION ill() RETURNS trigger LANGUAGE plpgsql
           AS 'BEGIN NEW.at = 0; RETURN NEW; END'""",
        "CREATE TRIGGER ill BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION ill()",
    ],
}
HEALED = {"sqlite": "DROP TRIGGER ill", "postgresql": "DROP FUNCTION ill CASCADE"}


async def test_a_failure_in_the_middle_changes_nothing(
    engine: AsyncEngine, table: Table, file: Path
) -> None:
    await play_some(table)
    await back_up(engine, file, now=NOON)
    await table.games.play(CHANNEL, BOB, str(random_game(4)[7]), source=table.source())
    before = await all_sums(engine)
    async with engine.begin() as connection:
        for line in ILL[engine.dialect.name]:
            await connection.execute(text(line))
    with pytest.raises(BackupError, match="events doesn't match"):
        await restore(engine, file, replace=True, now=NOON, keeping=repeat_deletions)
    assert await all_sums(engine) == before
    async with engine.begin() as connection:
        await connection.execute(text(HEALED[engine.dialect.name]))


async def test_unsent_boards_and_reminders_are_settled_and_threads_are_still_opened(
    engine: AsyncEngine, table: Table, file: Path, other_engine: AsyncEngine
) -> None:
    await play_some(table)
    async with engine.begin() as connection:
        await connection.execute(deliveries.update().values(sent_at=None))
        (last,) = (await connection.execute(select(func.max(deliveries.c.id)))).one()
        await connection.execute(
            deliveries.update().where(deliveries.c.id == last).values(kind=THREAD)
        )
    reminder = NewDelivery(
        kind=DeliveryKind("reminder"),
        key="1-1-1",
        guild=GUILD,
        channel=CHANNEL,
        game=GameId(1),
        player=ANN,
    )
    await Store(engine).deliveries.add(reminder, at=NOON)
    await back_up(engine, file, now=NOON)
    await restore(other_engine, file, replace=False, now=NOON, keeping=repeat_deletions)

    store = Store(other_engine)
    async with other_engine.connect() as connection:
        kept = select(deliveries.c.dropped_at).where(deliveries.c.kind == "reminder")
        (dropped,) = (await connection.execute(kept)).one()
    assert dropped == NOON
    (game,) = await due_games(store, NOON)
    assert [row.kind for row in await store.deliveries.unsent(game)] == [THREAD]


async def test_a_restore_loses_no_data_by_mistake(
    engine: AsyncEngine, table: Table, file: Path
) -> None:
    await play_some(table)
    await back_up(engine, file, now=NOON)
    before = await all_sums(engine)
    with pytest.raises(BackupError, match="already holds 1 game; --replace"):
        await restore(engine, file, replace=False, now=NOON, keeping=repeat_deletions)
    assert await all_sums(engine) == before


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM deliveries WHERE revision = 3",
        "UPDATE deliveries SET tries = 7 WHERE revision = 3",
    ],
)
async def test_a_backup_with_a_missing_or_another_row_is_refused(
    engine: AsyncEngine, table: Table, file: Path, other_engine: AsyncEngine, damage: str
) -> None:
    await play_some(table)
    await back_up(engine, file, now=NOON)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(damage)
    with pytest.raises(BackupError, match="is damaged: its checksums"):
        await restore(other_engine, file, replace=False, now=NOON, keeping=repeat_deletions)
    assert will_be_created(other_engine.url)


def test_other_files_and_damaged_backups_are_distinguished(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE things (x)")
    with pytest.raises(BackupError, match="isn't a dvonn-bot backup"):
        verify_seal(file)
    file.write_text("These are notes. " * 100, encoding="utf-8")
    with pytest.raises(BackupError, match="is damaged: file is not a database"):
        verify_seal(file)


async def test_a_backup_replaces_no_other_backup(
    engine: AsyncEngine, table: Table, file: Path
) -> None:
    await play_some(table)
    await back_up(engine, file, now=NOON)
    with pytest.raises(BackupError, match="already exists"):
        await back_up(engine, file, now=NOON + timedelta(days=1))
    assert verify_seal(file).made_at == NOON


def bytes_of(file: Path) -> bytes:
    return file.read_bytes()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def newer_file(tmp_path: Path, migrated: Path) -> Path:
    """A database that a newer bot has migrated."""
    newer = Path(shutil.copy(migrated, tmp_path / "newer.sqlite3"))
    with closing(sqlite3.connect(newer)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    return newer


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_newer_bots_database_makes_room_for_a_backup(
    engine: AsyncEngine, table: Table, file: Path, newer_file: Path
) -> None:
    await play_some(table)
    await back_up(engine, file, now=NOON)
    content = bytes_of(file)
    newer = create_engine(database_address(f"sqlite:///{newer_file}"))
    places = list[str]()
    with pytest.raises(DatabaseError, match="created by a newer dvonn-bot"):
        await restore(newer, file, replace=False, now=NOON, keeping=repeat_deletions)
    for is_newer in (True, False):
        await restore(
            newer,
            file,
            replace=True,
            now=NOON,
            keeping=repeat_deletions,
            on_put_aside=places.append,
        )
        assert len(places) == 1, f"only the newer one is put aside: {is_newer=}"
    assert Path(places[0]).name in names(newer_file.parent)
    assert [name for name in names(file.parent) if name.startswith(file.name)] == [file.name]
    assert bytes_of(file) == content
    await newer.dispose()


async def test_a_backup_of_an_older_version_is_brought_up_to_date(
    tmp_path: Path, file: Path, other_engine: AsyncEngine
) -> None:
    old = create_engine(database_address(f"sqlite:///{file}"))
    async with old.begin() as connection:
        await connection.run_sync(run_migrations, revisions()[-2])
    await old.dispose()
    seal(file, made_at=NOON, version="0.1.0")
    await restore(other_engine, file, replace=False, now=NOON, keeping=repeat_deletions)
    assert await schema_is_current(other_engine)


async def test_a_database_of_an_older_version_is_not_backed_up(tmp_path: Path, file: Path) -> None:
    old = create_engine(database_address(f"sqlite:///{tmp_path / 'old.sqlite3'}"))
    async with old.begin() as connection:
        await connection.run_sync(run_migrations, revisions()[0])
    with pytest.raises(BackupError, match="still has an older version"):
        await back_up(old, file, now=NOON)
    assert file.name not in names(tmp_path)
    await old.dispose()
