"""Tests for the machine without its packages: only the lower levels, in a small process."""

import pytest

from demo.commands import use
from tests.e2e.conftest import Club, is_board, message_of, texts
from tests.e2e.features.machine.test_one_message import can_move, revision_of

LOWEST = {"level": 1, "colour": "black", "start": "balanced"}


@pytest.fixture
async def club(empty_club: Club) -> Club:
    empty_club.bot.settings["MACHINE"] = "light"
    await empty_club.bot.start()
    return empty_club


async def test_it_plays_gives_hints_and_says_which_levels_it_has(club: Club) -> None:
    begun = message_of(await use(club.ann, club.channel, "play", **LOWEST))
    assert is_board(0)(begun) or can_move(begun)
    await club.channel.wait_for(can_move)
    hint = message_of(await club.ann.click(begun, "Hint"))
    assert hint.content.startswith("I'd play **")
    before = revision_of(begun)
    await club.ann.click(hint, "Play it")
    answered = await club.channel.wait_for(
        lambda told: is_board(None)(told) and revision_of(told) > before + 1 and can_move(told)
    )
    assert revision_of(answered) == before + 2, "the hint was played, and answered"

    refused = await club.bob.slash(club.channel, "play", level=12)
    assert texts(refused) == "Here I only play levels 1 to 11. Choose one of them with /play."
    await club.ann.slash(club.channel, "resign")
    assert await club.bot.stop() == 0
