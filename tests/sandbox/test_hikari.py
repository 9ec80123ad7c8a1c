"""hikari, a client that shares no code with discord.py, finds the same Discord here.

It is a process of its own (hikari_client.py) in an environment of its own: hikari 2.7 wants
multidict below 7, and our locks hold 7.
"""

import asyncio
import json
import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from sandbox import Channel, Person, Sandbox
from tests.sandbox.clients import png

CLIENT = Path(__file__).with_name("hikari_client.py")
ENVIRONMENT = Path(__file__).resolve().parents[2] / ".venv-hikari"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


class Hikari:
    """The client while it runs, and what it has told so far."""

    def __init__(self, process: asyncio.subprocess.Process, log: Path) -> None:
        self._process = process
        self._log = log
        self.told: list[dict[str, Any]] = []

    async def tells(self, event: str) -> dict[str, Any]:
        """Wait for its next line about such an event."""
        try:
            async with asyncio.timeout(30):
                while (told := await self._line())["event"] != event:
                    pass
        except (EOFError, TimeoutError) as error:
            log = self._log.read_text()
            raise AssertionError(f"no word of {event} after {self.told}\n{log}") from error
        return told

    async def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise EOFError
        told: dict[str, Any] = json.loads(line)
        assert told["event"] != "error", told["trace"]
        self.told.append(told)
        return told

    def all_of(self, event: str) -> list[dict[str, Any]]:
        """What it has told about such events."""
        return [told for told in self.told if told["event"] == event]

    async def close(self) -> None:
        """Let it end in good order, with nothing to complain of."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self.tells("closed")
        assert await self._process.wait() == 0
        assert self._log.read_text() == ""


@asynccontextmanager
async def running(world: Sandbox, folder: Path) -> AsyncIterator[Hikari]:
    """The client while it is connected, with its command registered and its files in a folder."""
    picture, log = folder / "board.png", folder / "hikari.log"
    picture.write_bytes(png())
    kept = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT") if key in os.environ}
    with log.open("w") as errors:
        process = await asyncio.create_subprocess_exec(
            *(str(PYTHON), str(CLIENT), world.api_url, str(picture)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            env={**kept, "TOKEN": world.token},
            cwd=folder,
        )
    try:
        client = Hikari(process, log)
        await client.tells("started")
        yield client
        await client.close()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.fixture(scope="session")
def hikari_is_there() -> None:
    looking = "import importlib.util, sys; sys.exit(importlib.util.find_spec('hikari') is None)"
    if not PYTHON.exists() or subprocess.run([PYTHON, "-c", looking], check=False).returncode:
        pytest.skip("hikari is not installed: `./run test` puts it into .venv-hikari if it can")


@pytest.fixture
async def client(
    hikari_is_there: None, world: Sandbox, channel: Channel, tmp_path: Path
) -> AsyncIterator[Hikari]:
    """hikari, connected to a world that has the channel already."""
    async with running(world, tmp_path) as client:
        yield client


async def test_hikari_logs_in_hears_and_answers_with_a_file_and_a_thread(
    world: Sandbox, channel: Channel, ann: Person, client: Hikari
) -> None:
    assert [told["user"] for told in client.all_of("ready")] == [world.bot_user.name]
    typed = await ann.say(channel, "go")
    board = await channel.wait_for(lambda message: message.attachments, after=typed)
    assert board.content == "board"
    assert board.reference is not None
    assert board.reference.message_id == typed.id
    assert await ann.fetch(board.attachments[0]) == png()
    assert (await client.tells("read"))["history"] == ["board", "go"]
    assert typed.thread is not None
    await typed.thread.wait_for(lambda message: message.content == "in the thread")


async def test_hikari_answers_commands_and_buttons(
    channel: Channel, ann: Person, bob: Person, client: Hikari
) -> None:
    answer = await ann.slash(channel, "greet", who=bob)
    assert answer.content == f"hello {bob.mention}"
    typed = await ann.say(channel, "go")
    board = await channel.wait_for(lambda message: message.buttons, after=typed)
    await client.tells("read")
    await ann.click(board, "Accept")
    assert (board.content, board.buttons) == ("accepted", [])


@pytest.mark.parametrize("how", ["cut", "closed", "op 7"])
async def test_hikari_resumes_and_hears_what_it_missed(
    world: Sandbox, channel: Channel, ann: Person, client: Hikari, how: str
) -> None:
    await ann.say(channel, "before")
    await client.tells("heard")
    if how == "cut":
        async with world.faults.down():
            await client.tells("disconnected")
            await ann.say(channel, "missed")
    else:
        if how == "closed":
            await world.disconnect(4000)
        else:
            world.ask_to_reconnect()
        await ann.say(channel, "missed")
    await client.tells("resumed")
    # What was missed is told before RESUMED, and the session is the first one still.
    assert [told["content"] for told in client.all_of("heard")] == ["before", "missed"]
    assert [told["session"] for told in client.all_of("ready")] == [
        session.id for session in world.sessions
    ]
    await ann.say(channel, "after")
    assert (await client.tells("heard"))["content"] == "after"
