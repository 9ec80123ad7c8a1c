"""Tests for the machine in remote workers: games continue if workers die."""

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("saq", reason="the extra `cluster` is not installed")

from sqlalchemy import text

import dvonn
from bot.features.machine.opponent.job_queue import queue_name
from bot.features.machine.startup import build
from demo.commands import use
from dvonn.machine import LEVELS
from tests.e2e.conftest import House, Table, is_board, message_of
from tests.games import random_game
from tests.rooms import ROOMS

pytestmark = [
    pytest.mark.thorough(
        "workers as hosts start them; tests/bot/features/machine/test_remote_machine.py"
    ),
    pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are missing"),
]

HERE = Path(dvonn.__file__).resolve().parents[1]


@asynccontextmanager
async def worker(
    folder: Path, database: str, code: Path = HERE
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run `dvonn-bot worker`, as hosts start it, during the block."""
    kept = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT") if key in os.environ}
    with (folder / "worker.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "worker"),
            env={**kept, "PYTHONPATH": str(code), "DATABASE_URL": database},
            cwd=folder,
            stdout=log,
            stderr=log,
        )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
            assert await process.wait() == 0


async def jobs(house: House, which: str) -> int:
    """Return the number of jobs of this build."""
    question = text(f"SELECT count(*) FROM saq_jobs WHERE queue = :queue AND {which}")  # noqa: S608 - of a test
    async with house.engine.connect() as connection:
        return int(
            (await connection.execute(question, {"queue": queue_name(build())})).scalar_one()
        )


async def wait_for_job(house: House, which: str) -> None:
    """Wait until there is such a job."""
    while not await jobs(house, which):  # noqa: ASYNC110 - a database tells of no event
        await asyncio.sleep(0.02)


def another_build(folder: Path) -> Path:
    """Copy the code, with one changed line."""
    for name in (*ROOMS, "dvonn", "dvonn_lessons", "renderer"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(HERE / name, folder / name, ignore=ignored)
    with (folder / "dvonn" / "link.py").open("a") as file:
        file.write("# another build\n")
    return folder


async def test_workers_answer_and_one_that_is_killed_has_its_question_taken_over(
    house: House, tmp_path: Path, postgres_url: str
) -> None:
    bot = house.processes.add()
    bot.settings["MACHINE"] = "queue"
    await house.start(bot)
    club = house.club(house.world.create_guild("Friends"))
    await use(club.ann, club.channel, "play", level=LEVELS[-1], colour="white", start="placement")
    table = Table(club.channel, club.ann, club.bob)
    await table.board(0)
    await club.ann.say(club.channel, "d2")
    await wait_for_job(house, "status = 'queued'")  # no worker is running yet
    other = club.guild.create_channel("other")
    beside = await club.start_game(other, challenger=club.bob, opponent=club.cid)
    async with worker(tmp_path, postgres_url, another_build(tmp_path / "code")):
        await waits_for_work(house)
        await beside.play(random_game(2)[:3])  # people keep playing
        assert await jobs(house, "status = 'queued'") == 1  # because only the same code may answer
        async with worker(tmp_path, postgres_url) as first:
            await wait_for_job(house, "status = 'active'")
            first.kill()
            await first.wait()
        await beside.play(random_game(2)[3:5])
        async with worker(tmp_path, postgres_url):
            await club.channel.wait_for(is_board(2))
            await beside.reach(random_game(2)[5:52])
            answer = message_of(await club.bob.slash(other, "resign"))
            await club.bob.click(answer, "Yes, resign")
            reviewed = await other.wait_for(
                lambda one: any(button.label == "Review" for button in one.buttons),
            )
            assert "it turned on" in reviewed.content.lower()
    assert await bot.stop() == 0
    for game_table in (table, beside):
        numbers = [int(name.split("-")[2].removesuffix(".png")) for name in game_table.boards()]
        assert numbers == sorted(set(numbers))
    async with house.engine.connect() as connection:
        left = (await connection.execute(text("SELECT count(*) FROM saq_jobs"))).scalar_one()
    assert left == 0


async def waits_for_work(house: House) -> None:
    """Wait until a worker of another build has started."""
    question = text("SELECT count(*) FROM saq_stats WHERE queue_key <> :queue")
    while True:
        async with house.engine.connect() as connection:
            found = await connection.execute(question, {"queue": queue_name(build())})
            if found.scalar_one():
                return
        await asyncio.sleep(0.1)
