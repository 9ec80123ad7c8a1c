"""A game against the machine by buttons: one message, edited, whatever comes in between."""

from importlib.util import find_spec

import pytest

from demo.commands import use
from sandbox import Channel, Message, Person
from tests.e2e.conftest import Club, is_board, is_gone, shown, texts

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="the engine's packages are not installed"
)

EDIT = "PATCH /channels/{id}/messages/{id}"


@pytest.fixture
def club(machine_club: Club) -> Club:
    return machine_club


async def begin(person: Person, channel: Channel, **terms: object) -> Message:
    """Begin a game as White; the first board."""
    terms = {"level": 1, "colour": "white", "start": "balanced", **terms}
    await use(person, channel, "play", **terms)
    return await channel.wait_for(can_move)


def can_move(message: Message) -> bool:
    """Whether somebody is to move under a board."""
    return any((one.custom_id or "").endswith(":pick") for one in message.buttons)


def revision_of(message: Message) -> int:
    return int(message.attachments[0].filename.removesuffix(".png").split("-")[2])


async def pick(person: Person, board: Message) -> None:
    """Press *Move*, and the first stack."""
    await person.click(board, "Move")
    await person.click(board, board.buttons[0].label)


async def tap(person: Person, board: Message) -> None:
    """Move by three taps: *Move*, the first stack, its first landing."""
    await pick(person, board)
    await person.click(board, board.buttons[0].label)


async def answered(board: Message, before: int) -> Message:
    """The board on which the machine has answered what was played after a revision."""
    return await board.channel.wait_for(
        lambda one: is_board(None)(one) and revision_of(one) > before + 1 and can_move(one)
    )


def said(club: Club, channel: Channel) -> list[Message]:
    """All that the bot has posted in a channel, also what one person alone sees.

    That it thinks first, as on a busy machine, is left out.
    """
    here = (one for one in club.posted.values() if one.channel is channel and one.content != "✓")
    return [one for one in here if one.author is club.world.bot_user]


async def test_opening_turns_and_end_are_one_message_without_a_private_word(club: Club) -> None:
    board = await begin(club.ann, club.channel)
    assert board.content.splitlines()[1].startswith("Level 1 (first games). White: ")
    assert [one.label for one in board.buttons] == ["Move", "Hint", "Guess the move", "More"]
    for _ in range(3):
        before = revision_of(board)
        await tap(club.ann, board)
        assert await answered(board, before) is board
    more = shown(await club.ann.click(board, "More"))
    await club.ann.click(more, "Resign")
    await club.ann.click(more, "Yes, resign")
    await board.channel.wait_for(lambda one: one is board and "resigned" in one.content)
    assert said(club, club.channel) == [board, more]  # which somebody has asked for
    await is_gone(more)


async def test_so_it_is_in_direct_messages_and_while_pieces_are_placed(club: Club) -> None:
    board = await begin(club.ann, club.ann.dm, start="placement")
    assert [one.label for one in board.buttons] == ["Place", "Hint", "More"]  # nobody watches
    for space in ("d3", "g3"):
        before = revision_of(board)
        await club.ann.click(board, "Place")
        lists = [one for one in board.selects if (space, space) in one.options]
        if not lists:  # the machine stands there
            await club.ann.click(board, "Back")
            continue
        await club.ann.select(board, [space], custom_id=lists[0].custom_id)
        assert await answered(board, before) is board
    assert said(club, club.ann.dm) == [board]


async def test_a_way_leads_back_and_strangers_are_turned_away(club: Club) -> None:
    board = await begin(club.ann, club.channel)
    shows = board.content, [one.label for one in board.buttons]
    await pick(club.ann, board)
    refused = texts(await club.bob.click(board, board.buttons[0].label))
    assert refused.startswith("Only the two players can do that.")
    assert texts(await club.bob.click(board, "Back")) == refused
    await club.ann.click(board, "Back")
    await club.ann.click(board, "Back")
    assert (board.content, [one.label for one in board.buttons]) == shows
    assert is_board(0)(board)
