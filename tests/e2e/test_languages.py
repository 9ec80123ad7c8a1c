"""Tests that a single file adds a language to the real bot."""

import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import bot as sources
from sandbox import Channel, Message, Person, RateLimits, Sandbox
from tests.bot.composition.catalogues import template, write_catalogue
from tests.bot.composition.pseudo import accented, plain_words
from tests.e2e.bot_process import BotProcess
from tests.e2e.conftest import FAULTS, Club, message_of
from tests.games import random_game

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """A server whose bot has a Greek catalogue. One member uses Greek."""
    installed = tmp_path / "installed"
    shutil.copytree(Path(sources.__path__[0]), installed / "bot")
    write_catalogue(installed / "bot" / "base" / "locales", "el", template(), accented)
    async with Sandbox(rate_limits=RateLimits.generous()) as world:
        guild = world.create_guild("Friends")
        ann, bob, cid = (guild.add_person(name) for name in ("Ann", "Bob", "Cid"))
        ann.user.locale = "el"
        path = os.pathsep.join([str(installed), str(ROOT)])
        process = BotProcess(world, tmp_path, PYTHONPATH=path)
        process.cold = True  # a copy of the sources
        await process.start()
        yield Club(world, guild, guild.create_channel("dvonn"), ann, bob, cid, process)
        assert await process.stop() == 0
        assert FAULTS.findall(process.log) == []


async def shown_to(person: Person, channel: Channel) -> Message:
    """Return the board as one user sees it privately."""
    answer = message_of(await person.slash(channel, "board"))
    first = answer.id  # on a busy machine "thinking ..." may come before the text
    return await person.ephemeral(lambda one: one.id >= first and one.content)


async def test_greek_readers_get_greek_and_the_channel_english(club: Club) -> None:
    table = await club.start_game()
    board = await table.play(random_game(1)[:2])
    assert "your turn." in board.content
    seen = {}
    for person in (club.ann, club.bob):
        seen[person.user.name] = await shown_to(person, club.channel)
        refused = message_of(await person.slash(club.channel, "resign"))
        (button, *_) = refused.buttons
        assert bool(plain_words(button.label or "")) is (person is club.bob)
    greek, english = seen["Ann"], seen["Bob"]
    assert plain_words(greek.content) == []
    assert "It's " in english.content
    heard = plain_words(greek.attachments[0].description or "")
    assert set(heard) == {"Ann", "Bob"}, "no words but names"
    assert greek.attachments[0].data != english.attachments[0].data == board.attachments[0].data
