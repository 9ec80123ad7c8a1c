"""Tests that each scripted opponent of `./run` plays ten moves.

People wait here as they do on the page: the bot's first answer is their answer.
"""

import asyncio
from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from demo.commands import use
from demo.local import local_discord
from sandbox import Channel, Person
from sandbox.friend import TurnPlayer
from sandbox.person import PATIENCE_S
from sandbox.signals import SOON_S
from sandbox.web.start import Offer
from tests.demo.house import House
from tests.e2e.bot_process import BotProcess
from tests.e2e.conftest import database, is_board

__all__ = ["database"]

MOVES = 10
SOONER_S = SOON_S / 2
"""Real seconds for an answer: less than the wait for something that never comes."""


@pytest.fixture
async def here(tmp_path: Path, database: None) -> AsyncIterator[House]:
    async with local_discord(tmp_path, port=0) as world:
        world.page.company.reaction_s = 0
        world.state.first_response_s = PATIENCE_S  # no test depends on the machine's speed
        bot = BotProcess(world, tmp_path)
        if find_spec("numba") is not None:
            bot.settings["MACHINE"] = "auto"
        await bot.start()
        yield House(world)
        await bot.stop()
        assert world.crashes == []


async def play_ten_moves(person: Person, channel: Channel) -> None:
    """Play for one side until the other one has replied with ten moves."""
    hand, changed = TurnPlayer(Random(1)), channel.directory.messages_changed
    for _ in range(MOVES + 1):
        played = None
        while played is None:
            board = asyncio.ensure_future(
                changed.wait(lambda one: one.channel is channel and is_board(None)(one), SOONER_S)
            )
            played = await hand.play([person], channel)
            assert played or await board, f"nobody answers {person.name}"
            board.cancel()


def card(here: House, name: str) -> Offer:
    assert here.world.page.start is not None
    return next(offer for offer in here.world.page.start.offers if offer.name == name)


@pytest.mark.parametrize(("name", "rival"), [("Ann", "Mod"), ("Bob", "Ann"), ("Mod", "Bob")])
async def test_each_autopilot_answers_ten_moves(here: House, name: str, rival: str) -> None:
    friend, person = here.person_named(name), here.person_named(rival)
    here.world.page.company.switch(friend, on=True)
    await use(person, here.channel, "challenge", opponent=friend)
    await play_ten_moves(person, here.channel)


@pytest.mark.parametrize("name", ["friend", "machine"])
async def test_each_start_of_a_game_leads_to_ten_moves(here: House, name: str) -> None:
    if name == "machine":
        pytest.importorskip("numba", reason="the machine player is not installed")
    offer = card(here, name)
    person = offer.person or here.ann
    assert offer.take is not None
    assert offer.place is not None
    await offer.take(person)
    await play_ten_moves(person, offer.place)


@pytest.mark.parametrize(("name", "words"), [("learn", "First game"), ("moderator", "/setup")])
async def test_each_other_start_is_answered(here: House, name: str, words: str) -> None:
    offer = card(here, name)
    person = offer.person or here.ann
    assert offer.take is not None
    await offer.take(person)
    await person.ephemeral(lambda one: words in one.text, timeout=SOONER_S)
