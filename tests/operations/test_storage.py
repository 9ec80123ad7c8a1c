"""Tests for disks and files that are full, locked, damaged or gone."""

import asyncio
import re
import resource
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.base.database_address import database_address
from bot.base.errors import BackupError, DatabaseError, StoreError
from bot.base.ids import UserId
from bot.base.languages import IN_ENGLISH
from bot.connection.words import cannot_write
from bot.database.backups import back_up, restore
from bot.database.connection import AsyncEngine
from bot.database.faults import DatabaseFault
from bot.database.opening import create_engine, migrate
from bot.people.store.privacy import repeat_deletions
from bot.play.store.store import Store
from bot.play.words.notices import will_be_played
from sandbox import Channel
from school.lessons.use_cases import LessonTable
from tests.e2e.bot_process import run_bot
from tests.e2e.conftest import Club, Table, message_of
from tests.e2e.database import all_rows, writes_blocked
from tests.finished import finished_games
from tests.games import random_game
from tests.operations.watched import Watched
from tests.postgresql import without_tables
from tests.when_gone import WhenGone

MOVES = random_game(2)
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
ANN = UserId(1001)


async def wait_for_message(channel: Channel, words: str) -> None:
    await channel.wait_for(lambda one: one.content == words)


async def wants_to_play(club: Club, table: Table, ailment: DatabaseFault) -> None:
    """Nothing can be written: clicks are refused, typed moves wait, and nothing changes."""
    before = all_rows(club.bot) if "sqlite" in club.bot.settings["DATABASE_URL"] else {}
    answer = await table.to_move.slash(club.channel, "move", move=str(MOVES[1]))
    assert answer.content == cannot_write(IN_ENGLISH)
    await table.type(MOVES[1])
    await wait_for_message(club.channel, will_be_played(IN_ENGLISH))
    if before:
        assert all_rows(club.bot) == before
    await club.bot.wrote(ailment.problem)
    assert ailment.cure in club.bot.log


async def goes_on(club: Club, table: Table) -> None:
    """Moves typed in the meantime are played now, once, without any further action."""
    await club.channel.wait_for(lambda one: any("-2.png" in f.filename for f in one.attachments))
    await table.play(MOVES[2:4])
    assert table.boards() == [f"dvonn-1-{n}.png" for n in range(5)]
    assert (
        sum(message.content == will_be_played(IN_ENGLISH) for message in club.channel.messages) == 1
    )
    assert "Traceback" not in club.bot.log
    assert await club.bot.stop() == 0


async def start(club: Club) -> Table:
    await club.bot.start()
    table = await club.start_game()
    await table.play(MOVES[:1])
    await club.bot.wrote("revision=1")  # that move is complete, not only its board
    return table


async def test_another_program_holds_the_file(quiet_club: Club) -> None:
    table = await start(quiet_club)
    with writes_blocked(quiet_club.bot):
        await wants_to_play(quiet_club, table, DatabaseFault.LOCKED)
    await goes_on(quiet_club, table)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits are set from outside on Linux")
async def test_a_full_disk_stops_writes(quiet_club: Club, watched: Watched) -> None:
    quiet_club.bot.settings["METRICS_PORT"] = str(watched.port)
    table = await start(quiet_club)
    file = quiet_club.bot.folder / "dvonn.sqlite3-wal"
    full = max(file.stat().st_size, quiet_club.bot.log_file.stat().st_size + 20_000)
    unlimited = resource.RLIM_INFINITY
    with file.open("ab") as wal:  # so that not even the next page fits
        wal.truncate(max(full, file.stat().st_size))
    resource.prlimit(quiet_club.bot.pid, resource.RLIMIT_FSIZE, (full, unlimited))
    await wants_to_play(quiet_club, table, DatabaseFault.DISK)
    status, health = await watched.health()
    assert (status, health["database"]) == (503, DatabaseFault.DISK.problem)
    assert (await watched.numbers())["dvonn_store_answers"] == 0
    resource.prlimit(quiet_club.bot.pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))
    await goes_on(quiet_club, table)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes. An empty database takes half of one, and as much for its log."""
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)],  # noqa: S607
        capture_output=True,
        check=False,
    )
    if done.returncode:
        pytest.skip("only root may make a small disk")
    gone = WhenGone('umount --lazy "$1"', str(place))
    try:
        yield place
    finally:
        gone.cancel()
        subprocess.run(["umount", "--lazy", str(place)], check=True)  # noqa: S607


async def test_the_disk_is_full(quiet_club: Club, small_disk: Path) -> None:
    quiet_club.bot.settings["DATABASE_URL"] = f"sqlite:///{small_disk / 'dvonn.sqlite3'}"
    (quiet_club.bot.folder / "dvonn.sqlite3").symlink_to(small_disk / "dvonn.sqlite3")
    table = await start(quiet_club)
    ballast = fill(small_disk)
    await wants_to_play(quiet_club, table, DatabaseFault.FULL)
    ballast.unlink()
    await goes_on(quiet_club, table)


def fill(disk: Path) -> Path:
    """Fill a disk. Return the file that takes the space."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    return ballast


async def test_check_says_that_a_disk_is_full(tmp_path: Path, small_disk: Path) -> None:
    url = f"sqlite:///{small_disk / 'dvonn.sqlite3'}"
    fill(small_disk)
    away = {"DISCORD_TOKEN": "x", "DISCORD_API_URL": "http://127.0.0.1:1", "DATABASE_URL": url}
    status, said, _ = await run_bot(tmp_path, "check", **away)
    assert status == 1
    assert f"BAD DATABASE_URL ({url}) cannot be used: " in said
    assert DatabaseFault.FULL.cure in said


class Gate:
    """A proxy in front of a PostgreSQL that can be closed.

    Attributes:
        flowing: Set while data gets through. Otherwise it is held back.
    """

    def __init__(self, socket_path: str) -> None:
        self._socket_path = socket_path
        self.flowing = asyncio.Event()
        self.flowing.set()
        self._server: asyncio.Server | None = None
        self._through: set[asyncio.StreamWriter] = set()
        self.port = 0

    async def open(self) -> None:
        """Let everything through."""
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Cut every connection, and refuse new ones."""
        if self._server is not None:
            self._server.close()
        for writer in self._through:
            writer.transport.abort()
        self._through.clear()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._socket_path)
        self._through |= {writer, back}

        async def carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            try:
                while data := await source.read(65536):
                    await self.flowing.wait()
                    target.write(data)
                    await target.drain()
            except OSError:
                pass
            finally:
                target.close()

        await asyncio.gather(carry(reader, back), carry(there, writer))


@asynccontextmanager
async def gate_to(url: str) -> AsyncIterator[tuple[Gate, str]]:
    """A proxy in front of a server on this machine, and its address."""
    address = database_address(url)
    folder = address.query.get("host", "")
    if not str(folder).startswith("/"):
        pytest.skip("TEST_DATABASE_URL names a server elsewhere")
    gate = Gate(f"{folder}/.s.PGSQL.{address.port or 5432}")
    await gate.open()
    user = address.username or "postgres"
    try:
        yield gate, f"postgresql://{user}@127.0.0.1:{gate.port}/{address.database}"
    finally:
        await gate.close()


async def test_a_postgresql_goes_away_and_comes_back(quiet_club: Club, postgres_url: str) -> None:
    await without_tables(postgres_url)
    async with gate_to(postgres_url) as (gate, url):
        quiet_club.bot.settings["DATABASE_URL"] = url
        table = await start(quiet_club)
        await gate.close()
        await wants_to_play(quiet_club, table, DatabaseFault.UNREACHABLE)
        quiet_club.world.invalidate_sessions()  # a new session, whose start needs the database
        await quiet_club.bot.wrote("catch-up waiting for the database")
        await gate.open()
        await goes_on(quiet_club, table)


async def test_nothing_is_written_into_a_file_that_was_deleted(
    tmp_path: Path, migrated: Path
) -> None:
    """SQLite would continue, and everything would be lost at the next stop."""
    file, aside = tmp_path / "dvonn.sqlite3", tmp_path / "aside"
    shutil.copy(migrated, file)
    store = Store(create_engine(database_address(f"sqlite:///{file}")))
    await store.queries(LessonTable).add(ANN, "surrounded", at=NOON)
    for there, elsewhere in ((file, aside), (aside, file)):  # the restored file is the same one
        there.rename(elsewhere)
        with pytest.raises(StoreError, match=DatabaseFault.GONE.problem):
            await store.queries(LessonTable).add(ANN, "alone", at=NOON)
        assert store.statistics.problem == DatabaseFault.GONE.problem
        assert list(await store.queries(LessonTable).solved_by(ANN)) == ["surrounded"]
    await store.close()


async def test_nothing_is_written_where_another_file_has_taken_its_place(
    tmp_path: Path, migrated: Path
) -> None:
    """Like a backup that is restored under a running bot: SQLite would write into the old file."""
    file, backup = tmp_path / "dvonn.sqlite3", tmp_path / "backup"
    for copy in (file, backup):
        shutil.copy(migrated, copy)
    store = Store(create_engine(database_address(f"sqlite:///{file}")))
    await store.queries(LessonTable).add(ANN, "surrounded", at=NOON)
    backup.replace(file)
    for _ in range(2):
        with pytest.raises(StoreError, match=DatabaseFault.GONE.problem):
            await store.queries(LessonTable).add(ANN, "alone", at=NOON)
    await store.close()


@pytest.mark.parametrize(
    ("wrong", "ailment"),
    [
        ({"username": "nobody-here"}, DatabaseFault.LOGIN_REJECTED),
        ({"database": "none"}, DatabaseFault.ABSENT),
    ],
)
async def test_a_postgresql_that_does_not_let_the_bot_in(
    postgres_url: str, wrong: dict[str, Any], ailment: DatabaseFault
) -> None:
    """At a start, and as a fault of the database if it happens later."""
    engine = create_engine(database_address(postgres_url).set(**wrong))
    store = Store(engine)
    with pytest.raises(DatabaseError, match=re.escape(ailment.cure)):
        await migrate(engine)
    with pytest.raises(StoreError, match=ailment.problem):
        await store.statistics.counts()
    await store.close()


@pytest.mark.thorough("after a failure nothing is tried for five seconds")
async def test_a_session_is_retried_after_any_failed_start(quiet_club: Club) -> None:
    table = await start(quiet_club)
    with closing(sqlite3.connect(quiet_club.bot.folder / "dvonn.sqlite3")) as database:
        database.execute("ALTER TABLE outages RENAME TO no_outages")
    quiet_club.world.invalidate_sessions()
    await quiet_club.bot.wrote("catch-up crashed")
    with closing(sqlite3.connect(quiet_club.bot.folder / "dvonn.sqlite3")) as database:
        database.execute("ALTER TABLE no_outages RENAME TO outages")
    await table.play(MOVES[1:3])  # otherwise moves typed in the meantime would be held back forever


async def test_the_bot_waits_for_a_hanging_postgresql(quiet_club: Club, postgres_url: str) -> None:
    club = quiet_club
    await without_tables(postgres_url)
    async with gate_to(postgres_url) as (gate, url):
        club.bot.settings["DATABASE_URL"] = url
        table = await start(club)
        beside = await club.start_game(club.guild.create_channel("garden"))
        board, mover = await table.board(1), table.to_move
        page = message_of(await mover.click(board, "More"))
        gate.flowing.clear()
        form = await mover.click(page, "Type a move")
        assert form.modal is not None  # the board shows the last known state
        await beside.type(MOVES[0])
        gate.flowing.set()
        await beside.board(1)
        await table.play(MOVES[1:3])


async def test_a_disk_that_may_only_be_read(tmp_path: Path, small_disk: Path) -> None:
    url = f"sqlite:///{small_disk / 'dvonn.sqlite3'}"
    engine = create_engine(database_address(url))
    await migrate(engine)
    await engine.dispose()
    remount = ["mount", "-o", "remount,ro", str(small_disk)]
    await asyncio.to_thread(subprocess.run, remount, check=True)
    status, _, said = await run_bot(tmp_path, DISCORD_TOKEN="x", DATABASE_URL=url)
    assert status == 2
    assert said.count("\n") == 1
    assert DatabaseFault.READ_ONLY.cure in said


@pytest.fixture
async def big(tmp_path: Path, migrated: Path) -> AsyncIterator[AsyncEngine]:
    """A database that is a little larger than the small disk. All of it is checked twice."""
    shutil.copy(migrated, tmp_path / "dvonn.sqlite3")
    engine = create_engine(database_address(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"))
    await finished_games(engine, 160)
    yield engine
    await engine.dispose()


def names_in(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


async def test_a_backup_for_which_there_is_no_room_leaves_nothing_behind(
    big: AsyncEngine, small_disk: Path
) -> None:
    with pytest.raises(BackupError, match="cannot be written: the disk is full; free some space"):
        await back_up(big, small_disk / "backup", now=NOON)
    assert names_in(small_disk) == []


async def test_a_restore_without_room_for_a_copy_says_so(
    big: AsyncEngine, small_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = tmp_path / "backup"
    await back_up(big, backup, now=NOON)
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    with pytest.raises(BackupError, match=r"has no room for a copy \(No space left.*TMPDIR"):
        await restore(big, backup, replace=True, now=NOON, keeping=repeat_deletions)
    assert names_in(small_disk) == []


async def test_a_restore_into_a_full_disk_says_so(big: AsyncEngine, small_disk: Path) -> None:
    backup = Path(str(big.url.database)).with_name("backup")
    await back_up(big, backup, now=NOON)
    engine = create_engine(database_address(f"sqlite:///{small_disk / 'dvonn.sqlite3'}"))
    with pytest.raises(BackupError, match=r"was not restored: .*full \(free some space\)"):
        await restore(engine, backup, replace=True, now=NOON, keeping=repeat_deletions)
    await engine.dispose()
