"""Tests for a game against the machine by buttons: one message, edited after each move."""

from importlib.util import find_spec

import pytest

from demo.commands import use
from sandbox import Channel, Message, Permission, Person
from tests.e2e.conftest import Club, is_board, is_gone, loses_buttons, message_of, texts

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="the engine's packages are not installed"
)

EDIT = "PATCH /channels/{id}/messages/{id}"


@pytest.fixture
def club(machine_club: Club) -> Club:
    return machine_club


async def begin(person: Person, channel: Channel, **terms: object) -> Message:
    """Start a game as White. Return the first board."""
    terms = {"level": 1, "colour": "white", "start": "balanced", **terms}
    await use(person, channel, "play", **terms)
    return await channel.wait_for(can_move)


def can_move(message: Message) -> bool:
    """Return True if someone can move under a board."""
    return any(
        (button.custom_id or "").endswith(":pick") and not button.disabled
        for button in message.buttons
    )


def revision_of(message: Message) -> int:
    return int(message.attachments[0].filename.removesuffix(".png").split("-")[2])


def stacks(board: Message) -> list[str]:
    """Return the stacks that have a button under a board."""
    return [button.label for button in board.buttons if ":from:" in (button.custom_id or "")]


async def pick(person: Person, board: Message) -> None:
    """Press the first stack."""
    await person.click(board, stacks(board)[0])


async def tap(person: Person, board: Message) -> None:
    """Move by two taps: the first stack, and its first landing space."""
    await pick(person, board)
    await person.click(board, board.buttons[0].label)


async def answered_board(board: Message, before: int) -> Message:
    """Wait for the board on which the machine has answered the move after a revision."""
    return await board.channel.wait_for(
        lambda one: is_board(None)(one) and revision_of(one) > before + 1 and can_move(one)
    )


def bot_messages(club: Club, channel: Channel) -> list[Message]:
    """Return everything that the bot has posted in a channel, including ephemeral messages.

    "Thinking" messages, which appear on busy machines, are left out.
    """
    here = [item for item in club.posted.values() if item.channel is channel]
    return [
        message
        for message in here
        if message.author is club.world.bot_user and message.content != "Done."
    ]


async def test_opening_turns_and_end_are_one_message_without_a_private_word(club: Club) -> None:
    board = await begin(club.ann, club.channel)
    assert board.content.splitlines()[1].startswith("Level 1 · Pip (first games). White: ")
    labels = [button.label for button in board.buttons]
    assert labels == ["Move", "Hint", "More", *stacks(board)]
    assert len(stacks(board)) > 5
    for _ in range(3):
        before = revision_of(board)
        await tap(club.ann, board)
        assert await answered_board(board, before) is board
    more = message_of(await club.ann.click(board, "More"))
    await club.ann.click(more, "Resign")
    await club.ann.click(more, "Yes, resign")
    await board.channel.wait_for(lambda one: one is board and "resigned" in one.content)
    assert bot_messages(club, club.channel) == [board, more]  # someone has asked for it
    await is_gone(more)


async def test_so_it_is_in_direct_messages_and_while_pieces_are_placed(club: Club) -> None:
    board = await begin(club.ann, club.ann.dm, start="placement")
    assert [button.label for button in board.buttons] == ["Place", "Hint", "More"]  # no spectators
    for space in ("d3", "g3"):
        before = revision_of(board)
        await club.ann.click(board, "Place")
        lists = [select for select in board.selects if (space, space) in select.options]
        if not lists:  # the machine's stack is there
            await club.ann.click(board, "Back")
            continue
        await club.ann.select(board, [space], custom_id=lists[0].custom_id)
        assert await answered_board(board, before) is board
    assert bot_messages(club, club.ann.dm) == [board]


async def test_a_way_leads_back_and_strangers_are_turned_away(club: Club) -> None:
    board = await begin(club.ann, club.channel)
    shows = board.content, [button.label for button in board.buttons]
    await pick(club.ann, board)
    refused = texts(await club.bob.click(board, board.buttons[0].label))
    assert refused.startswith("Only the two players can do that.")
    assert texts(await club.bob.click(board, "Back")) == refused
    await club.ann.click(board, "Back")
    assert (board.content, [button.label for button in board.buttons]) == shows
    assert is_board(0)(board)


async def test_messages_below_a_board_cause_a_new_board(club: Club) -> None:
    first = await begin(club.ann, club.channel)
    await pick(club.ann, first)
    await club.bob.say(club.channel, "who wins?")
    await club.ann.click(first, first.buttons[0].label)
    second = await answered_board(first, 0)
    assert second is not first
    await loses_buttons(first)
    before = revision_of(second)
    await tap(club.ann, second)
    assert await answered_board(second, before) is second
    moves = await club.ann.autocomplete(club.channel, "move", move="")
    before = revision_of(second)
    await club.ann.say(club.channel, str(moves[0][1]))
    third = await answered_board(second, before)
    assert third is not second
    await loses_buttons(second)


async def test_a_deleted_board_is_posted_again(club: Club) -> None:
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_MESSAGES)
    board = await begin(club.ann, club.channel)
    await pick(club.ann, board)
    with club.world.faults.slow(EDIT, seconds=2, times=None):
        await club.ann.click(board, board.buttons[0].label)
        await moderator.delete(board)
        newest = await answered_board(board, 0)
    before = revision_of(newest)
    await tap(club.ann, newest)
    again = await answered_board(newest, before)
    assert not again.deleted


async def test_a_kill_between_the_move_and_the_answer_loses_nothing(club: Club) -> None:
    board = await begin(club.ann, club.channel)
    with club.world.faults.slow(EDIT, seconds=60, times=None):
        await tap(club.ann, board)
        await club.bot.kill()
    await club.bot.start()
    newest = await answered_board(board, 0)
    before = revision_of(newest)
    await tap(club.ann, newest)
    assert await answered_board(newest, before) is newest
    standing = [
        item for item in bot_messages(club, club.channel) if can_move(item) and not item.deleted
    ]
    assert standing == [newest]


async def test_a_watcher_guesses_by_the_button_or_by_typing(club: Club) -> None:
    board = await begin(club.ann, club.channel)
    moves = await club.ann.autocomplete(club.channel, "move", move="")
    right, other = str(moves[0][1]), str(moves[1][1])
    typed = await club.bob.say(club.channel, right)
    await club.channel.wait_for(lambda one: one is typed and one.reactions)
    assert "Guess the move" not in [button.label for button in board.buttons], (
        "its player needs none"
    )
    page = message_of(await club.cid.click(board, "More"))
    view = message_of(await club.cid.click(page, "Guess the move"))
    await club.cid.click(view, other.partition("-")[0])
    await club.cid.click(view, other.partition("-")[2])
    await club.ann.slash(club.channel, "move", move=right)
    told = await answered_board(board, 0)
    assert f"🎯 {club.bob.mention} guessed {right} (2 tried)!" in told.content
