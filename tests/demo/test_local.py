"""Tests for `./run` without a token: one process for Discord, one for the bot."""

import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random

import aiohttp
import pytest

from demo.commands import use
from demo.exhibition import Exhibition
from demo.local import CHANNELS, LEVELS, PORT, SERVER, LocalError, local_discord
from dvonn import Color
from sandbox import Channel, Message, Sandbox, StorageError
from tests.demo.house import House, house
from tests.e2e.conftest import is_board, is_gone
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]


class Local:
    """`python -m demo.local` as a process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.printed = ""

    async def until(self, pattern: str) -> re.Match[str]:
        """Wait for the first match in its output."""
        assert self.process.stdout is not None
        while True:
            found = re.search(pattern, self.printed)
            if found is not None:
                return found
            line = await self.process.stdout.readline()
            assert line, self.printed
            self.printed += line.decode()

    async def rest(self) -> str:
        """Return its output once it has ended."""
        out, _ = await self.process.communicate()
        self.printed += out.decode()
        return self.printed


@contextmanager
def in_the_foreground() -> Iterator[None]:
    """Let processes started in the block handle Ctrl-C, even if the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@asynccontextmanager
async def started(*arguments: str, **environment: str) -> AsyncIterator[Local]:
    with in_the_foreground():
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "demo.local", *arguments),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=os.environ | environment | {"PYTHONFAULTHANDLER": "1"},
            cwd=ROOT,
        )
    local = Local(process)
    try:
        yield local
    finally:
        if process.returncode is None:  # the test has failed, so show where it hangs
            process.send_signal(getattr(signal, "SIGABRT", signal.SIGTERM))
            sys.stderr.write(await local.rest())


async def page(address: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(address) as response:
        return response.status, await response.text()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
async def test_the_local_bot_prints_its_address_and_stops_both_processes(tmp_path: Path) -> None:
    folder, port = tmp_path / "my data", free_port()
    async with started("--folder", str(folder), "--port", str(port)) as local:
        address = (await local.until(r"\n    (http://\S+)\n"))[1]
        await local.until("The bot is online")
        assert address == f"http://127.0.0.1:{port}/"
        status, text = await page(address)
        assert status == 200
        assert "<title>" in text
        local.process.send_signal(signal.SIGINT)
        printed = await local.rest()

    assert local.process.returncode == 0
    assert "Ctrl-C stops it" in printed
    assert printed.endswith(f"Stopped. Everything is saved in {folder}\n")
    assert "WARNING" not in printed
    log = (folder / "bot.log").read_text(encoding="utf-8")
    assert "connected" in log
    assert "[error" not in log


async def test_a_taken_port_is_reported_and_the_default_one_is_replaced(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with started("--folder", str(tmp_path), "--port", str(port)) as local:
            printed = await local.rest()
    assert local.process.returncode == 1
    assert printed.startswith(
        f"The local Discord cannot start: it cannot listen on 127.0.0.1, port {port}:"
    )

    async with local_discord(tmp_path / "one") as one, local_discord(tmp_path / "two") as two:
        ports = [int(world.api_url.split(":")[2].split("/")[0]) for world in (one, two)]
    assert PORT <= ports[0] < ports[1]


async def test_invalid_ports_are_reported(tmp_path: Path) -> None:
    with pytest.raises(LocalError, match=r"port 80000: .*0-65535"):
        await local_discord(tmp_path, port=80_000).__aenter__()


async def test_a_host_that_others_reach_is_warned_of(tmp_path: Path) -> None:
    port = str(free_port())
    async with started("--folder", str(tmp_path), "--host", "0.0.0.0", "--port", port) as local:  # noqa: S104
        await local.until("WARNING: with 0.0.0.0, everybody who can reach this computer")


async def test_a_folder_in_use_is_reported(tmp_path: Path) -> None:
    async with local_discord(tmp_path):
        async with started("--folder", str(tmp_path)) as local:
            printed = await local.rest()
        with pytest.raises(StorageError):
            await local_discord(tmp_path).__aenter__()
    assert local.process.returncode == 1
    assert printed.endswith("world.sqlite3 is in use by another sandbox\n")


async def test_a_bot_that_cannot_start_ends_it_with_its_words(tmp_path: Path) -> None:
    port = str(free_port())
    async with started("--folder", str(tmp_path), "--port", port, LOG_LEVEL="shout") as local:
        printed = await local.rest()
    assert local.process.returncode == 1
    assert "the bot stopped with exit code 2" in printed
    assert "LOG_LEVEL" in printed


@pytest.mark.thorough("two processes and the machine, whose parts have tests of their own")
async def test_a_game_continues_after_a_restart_and_a_kill(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with house(tmp_path) as first:
        answer = await use(
            first.ann,
            first.channel,
            "challenge",
            opponent=first.bob,
            colour="white",
            start="placement",
        )
        assert answer.message is not None
        await first.bob.click(answer.message, "Accept")
        empty = await first.channel.wait_for(is_board(0))
        await first.ann.say(first.channel, "c3")
        await first.channel.wait_for(is_board(1))
        await is_gone(empty)  # only the newest board of the placement stays
        before = texts(first.channel)

    async with house(tmp_path) as second:
        assert texts(second.channel) == before
        board = await second.channel.wait_for(is_board(1))
        (picture,) = board.attachments
        assert await second.ann.fetch(picture) == picture.data
        await second.bob.say(second.channel, "d3")
        await second.channel.wait_for(is_board(2))
        assert len([message for message in second.channel.messages if is_board(1)(message)]) == 1
        if LISTS_CHILDREN:
            await a_bot_that_dies_is_started_again(second)
            told = capsys.readouterr().out
            assert "The bot stopped with exit code -9" in told
            assert "It is started again" in told


async def a_bot_that_dies_is_started_again(here: House) -> None:
    (session,) = here.world.sessions
    (bot,) = bots()
    os.kill(bot, signal.SIGKILL)
    await here.world.state.readiness.wait(
        lambda _: any(item is not session and item.connected for item in here.world.sessions),
        timeout_s=90,
    )
    await here.ann.slash(here.channel, "help")


@pytest.mark.thorough("two processes and the machine, whose parts have tests of their own")
async def test_two_levels_play_for_spectators_and_restart(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="the machine player is not installed")
    async with house(tmp_path) as here:
        watching = here.channel_named("watch")
        cast = {color: here.person_named(f"Level {LEVELS[color]}") for color in Color}

        async def at_once(_: float) -> None:
            await asyncio.sleep(0)

        for game in (1, 2):
            exhibition = Exhibition(watching, cast, LEVELS, Random(game), sleep=at_once)
            exhibition.begin()
            exhibition.begin()  # one at a time
            await watching.wait_for(is_board(3, game))
            await exhibition.close()
        said = [message.author.name for message in watching.messages if not message.author.bot]
        assert said[:3] == ["Level 4", "Level 7", "Level 4"]
        # The first game, in which nobody played, was aborted for the second.
        assert any(is_over(message) for message in watching.messages)


def is_over(message: Message) -> bool:
    return any(button.label == "Rematch" for button in message.buttons)


async def test_an_older_pages_world_gets_missing_data(tmp_path: Path) -> None:
    async with Sandbox(folder=tmp_path / "discord", bot_name="dvonn-bot") as old:
        guild = old.create_guild(SERVER)
        dvonn, ann = guild.create_channel("dvonn"), guild.add_person("Ann")
    for _ in range(2):
        async with local_discord(tmp_path, port=0) as world:
            (found,) = world.state.guilds.values()
            channels = {channel.name: channel.id for channel in found.channels.values()}
            people = {member.user.name: member.user.id for member in found.members.values()}
    assert [*channels] == [*CHANNELS]
    assert (channels["dvonn"], people["Ann"]) == (dvonn.id, ann.id)
    assert {"Ann", "Bob", "Mod", "Level 4", "Level 7"} <= set(people)


def texts(channel: Channel) -> list[tuple[str, str]]:
    return [(message.author.name, message.content) for message in channel.messages]


CHILDREN = Path(f"/proc/self/task/{os.getpid()}/children")
LISTS_CHILDREN = CHILDREN.exists()
"""True if this system lists our child processes."""


def bots() -> list[int]:
    """Return the bots among our children. Other tests may have left some."""
    children = CHILDREN.read_text(encoding="ascii").split()
    return [
        int(child)
        for child in children
        if b"-m\0bot\0" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]
