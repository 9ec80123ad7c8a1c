"""The machine player that `./run` brings when somebody first wants to play it."""

import asyncio
import sys
from pathlib import Path

import pytest

from demo.machine import MachinePlayer
from sandbox import Channel, Person, Refused
from tests.demo.house import House, house

UNTIL = """\
import pathlib, sys, time
while not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.01)
"""
"""An installation that is done as soon as a file is there."""


def absent(*code: str) -> MachinePlayer:
    """A machine player that is not there, and that this code installs."""
    machine = MachinePlayer((sys.executable, "-c", *code))
    machine.is_installed = False
    return machine


async def press(here: House, name: str, person: Person) -> None:
    """Press a button of the page's start view."""
    start = here.world.page.start
    assert start is not None
    (offer,) = (one for one in start.offers if one.name == name)
    assert offer.take is not None
    await offer.take(person)


def boards(channel: Channel) -> int:
    return sum(bool(one.attachments) for one in channel.messages)


async def test_who_wants_to_play_it_is_told_and_gets_the_game_once_it_is_there(
    tmp_path: Path,
) -> None:
    pytest.importorskip("numba", reason="the machine player is not installed")
    done = tmp_path / "done"
    machine = absent(UNTIL, str(done))
    async with house(tmp_path, machine) as here:
        without = await here.world.wait_session()
        wanted = asyncio.create_task(press(here, "machine", here.ann))
        await asyncio.sleep(0)  # it is begun at once
        assert machine.is_coming
        assert "being installed" in here.world.page.note
        with pytest.raises(Refused, match="starts by itself"):
            await press(here, "machine", here.ann)
        await press(here, "learn", here.ann)  # all else is as ever
        assert not boards(here.channel)

        done.touch()
        await wanted
        # A bot that began without it says that it plays no games: another one was asked.
        assert not without.connected
        assert here.world.page.note == ""
        await here.channel.wait_for(lambda one: bool(one.attachments), timeout=60)


async def test_who_writes_to_the_bot_gets_it_too_and_a_game_may_be_asked_for_meanwhile(
    tmp_path: Path,
) -> None:
    pytest.importorskip("numba", reason="the machine player is not installed")
    done = tmp_path / "done"
    machine = absent(UNTIL, str(done))
    async with house(tmp_path, machine) as here:
        writing = asyncio.create_task(press(here, "direct", here.ann))
        await asyncio.sleep(0)  # it is begun at once
        assert here.world.page.note.endswith("Say hello meanwhile, and then “play”.")
        await press(here, "direct", here.bob)  # nothing more is to be done
        wanted = asyncio.create_task(press(here, "machine", here.ann))
        await asyncio.sleep(0)
        assert here.world.page.note.endswith("the game then starts by itself.")
        done.touch()
        await asyncio.gather(writing, wanted)
        assert here.world.page.note == ""
        await here.channel.wait_for(lambda one: bool(one.attachments), timeout=60)


async def test_what_cannot_be_installed_is_told_and_tried_again_at_the_next_press(
    tmp_path: Path,
) -> None:
    tries = tmp_path / "tries"
    machine = absent("import sys; open(sys.argv[1], 'a').write('.'); sys.exit(1)", str(tries))
    async with house(tmp_path, machine) as here:
        for count in (1, 2):
            with pytest.raises(Refused, match="cannot be installed"):
                await press(here, "machine", here.ann)
            assert tries.read_text(encoding="ascii") == "." * count
            assert here.world.page.note == ""
