"""Tests for people's first messages to the bot. tests/bot/features/talk tests each answer."""

from collections.abc import Callable
from importlib.util import find_spec

import pytest

from demo.commands import use
from sandbox import Message
from tests.e2e.conftest import Club


def is_turn(message: Message) -> bool:
    """Return True if a board has buttons for its stacks."""
    return any(":from:" in (button.custom_id or "") for button in message.buttons)


def stack(message: Message) -> str:
    """Return the label of a board's first stack."""
    return next(item.label for item in message.buttons if ":from:" in (item.custom_id or ""))


def is_reply(said: Message) -> Callable[[Message], bool]:
    return lambda one: (
        bool(one.reactions)
        if one is said
        else one.reference is not None and one.reference.message_id == said.id
    )


async def answer_to(said: Message) -> str:
    """Return the answer to a message, or the reaction to it."""
    answer = await said.channel.wait_for(is_reply(said), after=said.id - 1)
    return next(iter(said.reactions)) if answer is said else answer.content


@pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are not installed")
async def test_a_direct_message_about_the_running_game_shows_a_board_to_play_from(
    machine_club: Club,
) -> None:
    ann = machine_club.ann
    await use(ann, ann.dm, "play", level=1, colour="white", start="balanced")
    board = await ann.dm.wait_for(is_turn)
    said = await ann.say(ann.dm, "play")
    again = await ann.dm.wait_for(is_reply(said), after=said.id - 1)
    labels = [button.label for button in again.buttons]
    assert labels == [button.label for button in board.buttons]
    await ann.click(again, stack(again))
    landing = again.buttons[0].label
    assert " · " in landing
    await ann.click(again, landing)
    await ann.dm.wait_for(lambda one: one is again and is_turn(one))
    assert stack(again)


async def test_behind_a_greeting_and_its_name_the_bot_is_spoken_to(club: Club) -> None:
    bot = club.world.bot_user.mention
    for words, begins in (
        (f"hey {bot}, how do I win?", "Stay linked to red"),
        (f"Hallo {bot} Regeln", "The rules in six pictures"),
        (f"hi {bot}", "🙂"),
    ):
        said = await club.ann.say(club.channel, words)
        assert (await answer_to(said)).startswith(begins)
