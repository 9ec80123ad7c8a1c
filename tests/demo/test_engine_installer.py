"""Tests for installing the compiled engine during the first game against the machine."""

import asyncio
import sys
from pathlib import Path

from demo.engine_installer import FAILED, INSTALLING, EngineInstaller
from sandbox import Channel, Message, Person
from tests.demo.house import House, house

UNTIL = """\
import pathlib, sys, time
while not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.01)
"""
"""An installation that is complete as soon as a file exists."""


def absent(*code: str) -> EngineInstaller:
    """Return an engine that is missing, and that this code installs."""
    engine = EngineInstaller((sys.executable, "-c", *code))
    engine.is_installed = False
    return engine


async def press(here: House, name: str, person: Person) -> None:
    """Press a button on the page's start view."""
    start = here.world.page.start
    assert start is not None
    (offer,) = (offer for offer in start.offers if offer.name == name)
    assert offer.take is not None
    await offer.take(person)


async def board(channel: Channel) -> Message:
    return await channel.wait_for(lambda one: bool(one.attachments))


async def until(note: str, here: House) -> None:
    while here.world.page.note != note:  # noqa: ASYNC110 - the page tells of no event
        await asyncio.sleep(0.01)


async def test_the_game_begins_at_once_and_the_bot_restarts_with_the_engine(
    tmp_path: Path,
) -> None:
    done = tmp_path / "done"
    engine = absent(UNTIL, str(done))
    async with house(tmp_path, engine) as here:
        without = await here.world.wait_session()
        await press(here, "machine", here.ann)
        await until(INSTALLING, here)
        begun = await board(here.channel)  # with nothing installed yet
        await press(here, "learn", here.ann)

        done.touch()
        await until("", here)
        while without.connected:  # noqa: ASYNC110 - the page tells of no event
            await asyncio.sleep(0.01)
        await here.world.wait_ready()
        answer = await here.ann.menu(begun, "Board as text")  # the game continues
        assert "```" in (await answer.settled()).content


async def test_a_failed_installation_is_reported_and_retried_at_the_next_press(
    tmp_path: Path,
) -> None:
    tries = tmp_path / "tries"
    engine = absent("import sys; open(sys.argv[1], 'a').write('.'); sys.exit(1)", str(tries))
    async with house(tmp_path, engine) as here:
        for count in (1, 2):
            await press(here, "direct", here.ann)
            await until(FAILED, here)
            assert tries.read_text(encoding="ascii") == "." * count
            here.world.page.note = ""
        await press(here, "machine", here.ann)
        await board(here.channel)
