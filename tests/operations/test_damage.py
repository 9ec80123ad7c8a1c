"""Tests for damaged files: the damage is found during games, and reported once."""

import asyncio
import os
import re
import shutil
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import connect

import pytest

from bot.base.database_address import database_address
from bot.base.ids import Shards
from bot.database.connection import AsyncEngine
from bot.database.damage import DamageScan
from bot.database.delivery_rows import BOARD, THREAD
from bot.database.faults import DatabaseFault
from bot.database.opening import create_engine, migrate
from bot.features.reminders.use_cases import REMINDER
from bot.play.store.store import Store
from tests.e2e.bot_process import run_bot
from tests.e2e.conftest import Club
from tests.finished import finished_games
from tests.games import random_game
from tests.operations.watched import Watched

ALL = Shards((0,), 1)
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
_FOUND = "database damaged"
_WHOLE = "damage scan finished: no damage"


async def filled(file: Path, games: int) -> None:
    """Create a database with ended games."""
    engine = create_engine(database_address(f"sqlite:///{file}"))
    await migrate(engine)
    await finished_games(engine, games)
    await engine.dispose()


def damage_old_events(file: Path) -> None:
    """Overwrite a page with events of ended games."""
    with closing(connect(file)) as database:
        # The last but one of these pages is not where new rows are written.
        (page,) = database.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'listening'"
        ).fetchone()
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    place = (page + (pages - page) // 4) * size
    content = file.read_bytes()
    file.write_bytes(content[:place] + os.urandom(size) + content[place + size :])


async def test_a_damaged_file_is_used_and_reported_once(quiet_club: Club, watched: Watched) -> None:
    club, file = quiet_club, quiet_club.bot.folder / "dvonn.sqlite3"
    await filled(file, 400)
    damage_old_events(file)
    club.bot.settings["METRICS_PORT"] = str(watched.port)
    await club.bot.start()
    table = await club.start_game()
    await table.play(random_game(2)[:3])
    await club.bot.wrote(_FOUND)
    assert club.bot.log.count(_FOUND) == 1
    assert DatabaseFault.DAMAGED.cure in club.bot.log

    async def is_told() -> bool:
        status, health = await watched.health()
        return bool((status, health["database"]) == (503, DatabaseFault.DAMAGED.problem))

    assert await is_told()
    await table.play(random_game(2)[3:5])  # writing doesn't repair it
    assert await is_told()
    assert (await watched.numbers())["dvonn_store_answers"] == 0
    assert await club.bot.stop() == 0
    assert "Traceback" not in club.bot.log

    status, out, _ = await run_bot(club.bot.folder, "check", **club.bot.settings)
    assert status == 1
    assert "BAD DATABASE_URL" in out
    assert DatabaseFault.DAMAGED.cure in out


async def test_an_intact_file_is_reported_as_intact(quiet_club: Club, watched: Watched) -> None:
    club = quiet_club
    await filled(club.bot.folder / "dvonn.sqlite3", 400)
    club.bot.settings["METRICS_PORT"] = str(watched.port)
    await club.bot.start()
    await club.bot.wrote(_WHOLE)
    status, health = await watched.health()
    assert (status, health["database"]) == (200, "well")
    assert await club.bot.stop() == 0
    status, out, _ = await run_bot(club.bot.folder, "check", **club.bot.settings)
    assert (status, "is up to date" in out) == (0, True)


@pytest.fixture
async def engine(tmp_path: Path, migrated: Path) -> AsyncIterator[AsyncEngine]:
    shutil.copy(migrated, tmp_path / "dvonn.sqlite3")
    engine = create_engine(database_address(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"))
    yield engine
    await engine.dispose()


async def test_a_canceled_check_ends_at_once(engine: AsyncEngine, tmp_path: Path) -> None:
    reached: list[str] = []
    there, go_on = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def reach(table: str, number: int, count: int) -> None:
        assert count > number
        reached.append(table)
        if len(reached) == 2:
            loop.call_soon_threadsafe(there.set)
            go_on.wait()

    looking = asyncio.create_task(DamageScan(tmp_path / "dvonn.sqlite3", gently=True).run(reach))
    await there.wait()
    looking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await looking
    go_on.set()
    await loop.shutdown_default_executor()
    assert len(reached) == 2


def bytes_read() -> int:
    """Return how many bytes this process has read from files, on disk or cached."""
    found = re.search(r"^rchar: (\d+)$", Path("/proc/self/io").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1])


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="Linux counts what is read")
async def test_a_start_reads_hardly_anything_of_games_that_are_over(
    engine: AsyncEngine, tmp_path: Path
) -> None:
    """Bytes are counted instead of seconds, until games can be played."""
    await finished_games(engine, 2_000)
    store = Store(engine)
    await engine.dispose()
    before = bytes_read()
    await store.other_processes.check()
    await migrate(engine)
    kinds = [BOARD, THREAD, REMINDER]
    await store.deliveries.all_unsent()
    await store.deliveries.release(kinds, ALL, NOON)
    await store.deliveries.due(kinds, ALL, NOON)
    await store.challenges.expire(ALL, before=NOON, at=NOON)
    await store.listening.received_until(0, 1)
    await store.games.running_channels(ALL)
    await store.games.with_machine(ALL)
    await store.timers.due(ALL, NOON)
    await store.statistics.counts()
    read = bytes_read() - before
    assert read < (tmp_path / "dvonn.sqlite3").stat().st_size / 20


async def test_a_growing_file_is_scanned_while_its_log_stays_small(
    engine: AsyncEngine, tmp_path: Path
) -> None:
    """Between two tables, all changes are copied from the log."""
    await finished_games(engine, 20)
    log = tmp_path / "dvonn.sqlite3-wal"

    def write(*_: object) -> None:
        with closing(connect(tmp_path / "dvonn.sqlite3", isolation_level=None)) as database:
            database.execute("UPDATE games SET ended_at = ended_at + 1")
            (busy, *_rest) = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        sizes.append(log.stat().st_size)
        assert not busy

    sizes: list[int] = []
    await DamageScan(tmp_path / "dvonn.sqlite3").run(write)
    assert len(sizes) > 10
    assert set(sizes) == {0}
