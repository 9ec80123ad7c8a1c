"""Tests for the switch *Boards in words*, for people who listen instead of looking."""

import re
from importlib.util import find_spec

import pytest

from demo.commands import use
from sandbox import Message
from tests.e2e.conftest import Club, choose, is_gone, loses_buttons, message_of, texts

needs_engine = pytest.mark.skipif(
    find_spec("numba") is None, reason="the engine's packages are not installed"
)


def is_turn(message: Message) -> bool:
    return any(":from:" in (button.custom_id or "") for button in message.buttons)


def stacks(message: Message) -> list[str]:
    return [button.label for button in message.buttons if ":from:" in (button.custom_id or "")]


@needs_engine
async def test_each_turn_against_the_machine_is_a_new_message_with_its_words(
    machine_club: Club,
) -> None:
    club = machine_club
    await choose(club.ann, club.channel, seen=["words"])
    await use(club.ann, club.channel, "play", level=1, colour="white", start="balanced")
    board = await club.channel.wait_for(is_turn)
    for _ in range(2):
        assert board.attachments[0].description == "Position", "its words are not heard twice"
        assert " White: you. Black: " in board.content
        assert " Can move: " in board.content
        chosen = message_of(await club.ann.click(board, stacks(board)[0]))
        assert chosen.ephemeral, "a step of a move is a new message, too"
        assert re.fullmatch(r"[a-k][1-5]( \(\d+ tall(, \d red)?\))? can go to:", chosen.content), (
            "no board again"
        )
        await club.ann.click(chosen, chosen.buttons[0].label)
        following = await club.channel.wait_for(is_turn, after=board)
        assert following is not board
        await loses_buttons(board)
        await is_gone(chosen)
        board = following


@pytest.mark.later("the texts are held by tests of words, and the board by the test above")
async def test_private_pages_come_with_their_words_for_them_alone(club: Club) -> None:
    seen = message_of(await club.ann.slash(club.channel, "learn"))
    assert "Board as text" not in [button.label for button in seen.buttons]
    await choose(club.ann, club.channel, seen=["words"])
    heard = message_of(await club.ann.slash(club.channel, "learn"))
    described = str(seen.attachments[0].description)
    board = described.removeprefix("Your turn. ")
    assert board != described, "the text above it says that already"
    color = "You're White. "
    assert f"\n{color}" in seen.content
    assert heard.content == f"{seen.content.replace(color, '')}\n{board}", "a color is said once"
    assert texts(await club.ann.click(heard, "Board as text")).count("```") == 2
    again = message_of(await club.ann.click(heard, "Hint"))
    assert board in again.content
    assert again is not heard, "an edit would not be announced"
    other = message_of(await club.bob.slash(club.channel, "learn"))
    assert other.content == seen.content
