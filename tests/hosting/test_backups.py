"""Backups as docs/hosting.md tells to make them, and what the bot does after one was restored."""

import asyncio
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import insert, make_url

from bot.store import create_engine, migrate
from bot.store.schema import listening
from dvonn import parse_move
from sandbox import RateLimits, Sandbox
from tests.e2e.bot_process import BotProcess
from tests.e2e.conftest import Table

ROOT = Path(__file__).resolve().parents[2]
DATABASE, BACKUP = "dvonn.sqlite3", "backup.sqlite3"
COMMANDS = re.findall(
    r"^(?:sqlite3|python3) .*$",
    (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def rows(database: Path) -> int:
    """How many rows a table has; -1 if the database does not know the table."""
    with closing(sqlite3.connect(database)) as connection:
        try:
            (count,) = connection.execute("SELECT count(*) FROM listening").fetchone()
        except sqlite3.OperationalError:
            return -1
    return int(count)


def test_the_paper_shows_two_ways() -> None:
    assert [line.split()[0] for line in COMMANDS] == ["sqlite3", "python3"]


@pytest.mark.parametrize("line", COMMANDS)
async def test_a_copy_made_by_sqlite_has_what_the_file_alone_has_not(
    line: str, tmp_path: Path
) -> None:
    tool, *arguments = shlex.split(line)
    if tool == "python3" and sys.version_info < (3, 12):
        pytest.skip("Python has this command from 3.12 on")
    tool = sys.executable if tool == "python3" else tool
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed here")
    engine = create_engine(make_url(f"sqlite+aiosqlite:///{tmp_path / DATABASE}"))
    try:
        await migrate(engine)
        async with engine.begin() as connection:
            moment = {"shard_id": 0, "shard_count": 1, "heard_at": NOON}
            await connection.execute(insert(listening), moment)
        shutil.copy(tmp_path / DATABASE, tmp_path / "the file alone")
        await asyncio.to_thread(subprocess.run, [tool, *arguments], cwd=tmp_path, check=True)
    finally:
        await engine.dispose()

    assert rows(tmp_path / "the file alone") == -1
    assert rows(tmp_path / BACKUP) == 1


@pytest.mark.e2e
async def test_after_a_restore_typed_moves_are_read_again(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=RateLimits.generous()) as world:
        guild = world.create_guild("Friends")
        channel = guild.create_channel("dvonn")
        ann, bob = guild.add_person("Ann"), guild.add_person("Bob")
        bot = BotProcess(world, tmp_path, LOG_LEVEL="debug")
        await bot.start()
        challenge = await ann.slash(channel, "challenge", opponent=bob, colour="white")
        assert challenge.message is not None
        await bob.click(challenge.message, "Accept")
        table = Table(channel, ann, bob)
        await table.board(0)
        await table.play([parse_move("d2")])
        _back_up(tmp_path)
        await table.play([parse_move("e3"), parse_move("f4")])
        assert await bot.stop() == 0

        assert not (tmp_path / f"{DATABASE}-wal").exists()  # a bot that was stopped leaves one file
        assert _moves(tmp_path / DATABASE) == ["d2", "e3", "f4"]
        (tmp_path / BACKUP).replace(tmp_path / DATABASE)
        assert _moves(tmp_path / DATABASE) == ["d2"]
        await bot.start()
        await bot.wrote(f"GET {world.api_url}/channels/{channel.id}/messages")
        assert await bot.stop() == 0  # not before it has played what it read

    assert _moves(tmp_path / DATABASE) == ["d2", "e3", "f4"]


def _back_up(folder: Path) -> None:
    with (
        closing(sqlite3.connect(folder / DATABASE)) as running,
        closing(sqlite3.connect(folder / BACKUP)) as copy,
    ):
        running.backup(copy)


def _moves(database: Path) -> list[str]:
    query = "SELECT move FROM events WHERE kind = 'move' ORDER BY revision"
    with closing(sqlite3.connect(database)) as connection:
        return [move for (move,) in connection.execute(query)]
