"""Tests for hints in a game between people, from the suggestion to the engine's answer."""

from importlib.util import find_spec

import pytest

from demo.commands import use
from sandbox import Message
from tests.e2e.conftest import Club, is_gone, message_of

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="the engine's packages are not installed"
)


async def next_after(message: Message) -> Message:
    """Wait for the next message in a channel."""
    return await message.channel.wait_for(lambda one: one.id > message.id)


async def test_hints_are_suggested_agreed_on_and_given_until_the_move(machine_club: Club) -> None:
    club = machine_club
    terms = {"opponent": club.bob, "rated": False, "colour": "white"}
    asked = await use(club.ann, club.channel, "challenge", **terms)
    await club.bob.click(message_of(asked), "Accept")
    board = await club.channel.wait_for(lambda one: "your turn" in one.content)
    listed = message_of(await club.ann.slash(club.channel, "games"))
    page = message_of(await club.ann.select(listed, ["1"]))
    assert "Hint" not in [button.label for button in page.buttons]

    await club.ann.click(page, "Suggest hints")
    suggested = await next_after(board)
    assert "suggests hints from me" in suggested.content
    await club.bob.click(suggested, "Accept")
    agreed = await next_after(suggested)
    assert "You can both ask me for hints now." in agreed.content
    hint = message_of(await club.ann.click(agreed, "Hint"))
    assert hint.content.startswith("I'd play **")

    await club.ann.click(agreed, "Move")
    picker = await club.ann.ephemeral(lambda one: one.content == "Which stack?")
    landings = message_of(await club.ann.click(picker, picker.buttons[0].label))
    await club.ann.click(landings, landings.buttons[0].label)
    await is_gone(hint)
