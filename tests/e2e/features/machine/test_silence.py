"""Tests for a machine that doesn't move: its player is told, and can continue without it."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from demo.commands import use
from sandbox import Channel, Message
from tests.e2e.bot_process import BotClock, BotProcess
from tests.e2e.conftest import Club, House, is_board, is_gone, message_of, texts
from tests.e2e.launch import NO_MEMORY

LONG, SILENT = 5, 60
"""Seconds until a board without the machine's move counts as late, and the machine as silent."""
OFF = "game waiting for the machine, which is off"

needs_engine = pytest.mark.skipif(
    find_spec("numba") is None, reason="the engine's packages are not installed"
)


async def begin(club: Club, level: int = 1) -> None:
    """Start a game on the empty board in which Ann moves first."""
    await use(club.ann, club.channel, "play", level=level, colour="white", start="placement")
    await club.channel.wait_for(is_board(0))


async def move(club: Club, *bots: BotProcess) -> None:
    """Place a piece as Ann, and wait until one of the bots has stored it."""
    await club.ann.say(club.channel, "d2")
    while not any("revision=1" in bot.log for bot in bots or (club.bot,)):  # noqa: ASYNC110 - a file tells of no event
        await asyncio.sleep(0.02)


async def notice(channel: Channel) -> Message:
    return await channel.wait_for(lambda one: "I can't think right now" in one.content)


def board_filenames(club: Club) -> list[str]:
    """Return the names of all boards that were ever posted, oldest first."""
    posted = (club.posted[number] for number in sorted(club.posted))
    return [message.attachments[0].filename for message in posted if is_board(None)(message)]


def notices(club: Club) -> list[Message]:
    """Return all notices that were ever posted."""
    return [message for message in club.posted.values() if "I can't think" in message.content]


async def pass_time(club: Club, clock: BotClock, until: tuple[int, str]) -> None:
    """Let time pass until the log contains a text a number of times."""
    number, words = until
    while club.bot.log.count(words) < number:
        clock.advance(seconds=SILENT)
        await asyncio.sleep(0.1)


async def restart(club: Club, machine: str) -> None:
    await club.bot.stop()
    club.bot.settings["MACHINE"] = machine
    await club.bot.start()


@pytest.fixture
async def clock(empty_club: Club) -> AsyncIterator[BotClock]:
    """The clock of a bot whose machine has been off since Ann's game against it started."""
    empty_club.bot.settings["MACHINE"] = "auto"
    clock = empty_club.bot.live_often()
    await empty_club.bot.start()
    await begin(empty_club)
    await restart(empty_club, "off")
    yield clock
    await empty_club.bot.stop()


@pytest.fixture
def club(clock: BotClock, empty_club: Club) -> Club:
    return empty_club


@needs_engine
async def test_the_board_appears_soon_and_the_silence_is_announced_once(
    club: Club, clock: BotClock
) -> None:
    await move(club)
    clock.advance(seconds=LONG)
    board = await club.channel.wait_for(is_board(1))
    assert board.content.splitlines()[0] == (
        f"{club.ann.mention} placed d2. Pip is thinking longer than usual."
    )
    clock.advance(seconds=SILENT)
    told = await notice(club.channel)
    assert told.pinged == set()
    assert [button.label for button in told.buttons] == ["Go on without me"]
    await restart(club, "off")
    await pass_time(club, clock, until=(2, OFF))
    await restart(club, "auto")
    await club.channel.wait_for(is_board(2))  # nothing was lost
    await is_gone(told)
    assert board_filenames(club) == [f"dvonn-1-{revision}.png" for revision in range(3)]
    assert notices(club) == [told]


@needs_engine
async def test_its_player_continues_without_the_machine(club: Club, clock: BotClock) -> None:
    await move(club)
    clock.advance(seconds=LONG + SILENT)
    told = await notice(club.channel)
    assert "only" in texts(await club.bob.click(told, "Go on without me")).lower()
    await club.ann.click(told, "Go on without me")
    over = await club.channel.wait_for(lambda one: "ended this game" in one.content)
    assert over.content.startswith(f"{club.ann.mention} ended this game.")
    await is_gone(told)
    await club.start_game()  # the channel has no running game


@needs_engine
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")
async def test_out_of_memory_never_stalls_a_game(empty_club: Club, tmp_path: Path) -> None:
    club, no_memory = empty_club, tmp_path / "no memory"
    club.bot.settings |= {"MACHINE": "auto", NO_MEMORY: str(no_memory)}
    clock = club.bot.live_often()
    await club.bot.start()
    await begin(club, level=14)  # the lower levels continue in a small process
    no_memory.touch()
    for pid in workers(club.bot.pid):
        os.kill(pid, signal.SIGKILL)
    await move(club)
    await club.bot.wrote("machine move failed")
    clock.advance(seconds=LONG)
    await club.channel.wait_for(is_board(1))
    clock.advance(seconds=SILENT)
    told = await notice(club.channel)
    await pass_time(club, clock, until=(3, "machine move failed"))
    no_memory.unlink()
    clock.advance(seconds=SILENT)
    await club.channel.wait_for(is_board(2))
    await is_gone(told)
    assert board_filenames(club) == [f"dvonn-1-{revision}.png" for revision in range(3)]
    assert notices(club) == [told]
    assert {ends_first(pid) for pid in workers(club.bot.pid)} == {True}
    await club.bot.stop()


@needs_engine
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")
async def test_a_first_board_stops_saying_that_the_machine_thinks(
    empty_club: Club,
) -> None:
    club = empty_club
    club.bot.settings["MACHINE"] = "auto"
    clock = club.bot.live_often()
    await club.bot.start()
    await begin(club)
    await club.ann.say(club.channel, "d2")
    await club.channel.wait_for(is_board(2))  # its worker processes are running now
    stopped = workers(club.bot.pid)
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    room = club.guild.create_channel("room")
    begun = message_of(await use(club.ann, room, "play", level=1, colour="black", start="balanced"))
    clock.advance(seconds=LONG)
    await room.wait_for(lambda one: "is thinking longer than usual." in one.content)
    clock.advance(seconds=SILENT)
    for pid in stopped:
        os.kill(pid, signal.SIGCONT)
    board = await room.wait_for(is_board(1))
    assert board.id != begun.id
    await room.wait_for(lambda one: one.id == begun.id and "thinking" not in one.content)
    await room.wait_for(lambda one: one.id == begun.id and not one.buttons)
    assert is_board(0)(begun)
    assert begun.content.startswith("Level 1 · Pip (first games).")
    await club.bot.stop()


def ends_first(pid: int) -> bool:
    """Return True if a system that runs out of memory would kill a process before the bot."""
    return Path(f"/proc/{pid}/oom_score_adj").read_text() == "1000\n"


def workers(pid: int) -> list[int]:
    """Return the processes of a bot, except multiprocessing's resource tracker."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    found = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return [
        child
        for child in found
        if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


async def test_two_processes_announce_it_once_without_workers(house: House) -> None:
    pytest.importorskip("saq", reason="the extra `cluster` is not installed")
    first, second = house.processes.add(), house.processes.add()
    for bot in (first, second):
        bot.settings["MACHINE"] = "queue"
        await house.start(bot)
    club = house.club(house.world.create_guild("Friends"))
    await begin(club)
    await move(club, first, second)
    house.processes.pass_time(seconds=LONG)
    await club.channel.wait_for(is_board(1))
    house.processes.pass_time(seconds=SILENT)
    told = await notice(club.channel)
    await first.kill()
    house.processes.pass_time(seconds=SILENT)
    await house.nothing_unsent()
    assert notices(club) == [told]
    await club.ann.click(told, "Go on without me")
    await club.channel.wait_for(lambda one: "ended this game" in one.content)
    await is_gone(told)
    assert await second.stop() == 0
