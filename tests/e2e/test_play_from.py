"""Tests for *Play from here*: a pasted position, a replay, Explore, a lesson."""

from importlib.util import find_spec

import pytest

from bot.base.languages import IN_ENGLISH
from bot.connection.words import too_slow
from dvonn import position_to_text
from sandbox import Answer, Message, Person
from tests.e2e.conftest import FAULTS, Club, is_board, message_of, press, texts
from tests.games import positions_of, random_game

MOVES = random_game(5)
POSITIONS = positions_of(MOVES)
MIDDLE = POSITIONS[61]
FRIENDLY = "From this position, just for fun."
has_engine = pytest.mark.skipif(
    find_spec("numba") is None, reason="the engine's packages are not installed"
)


async def opened(club: Club, message: Message) -> Answer:
    """Press until the form opens, because a busy host may ask for another try."""
    while (answer := await club.ann.click(message, "Choose opponent")).modal is None:
        assert texts(answer) == too_slow(IN_ENGLISH, "").content
    return answer


@has_engine
async def test_one_tap_plays_a_pasted_position_against_the_machine(machine_club: Club) -> None:
    club = machine_club
    view = message_of(await club.ann.slash(club.channel, "show", text=position_to_text(MIDDLE)))
    assert (await club.ann.click(view, "Play from here")).modal is None
    board = await club.channel.wait_for(is_board(0, 1))
    assert FRIENDLY in board.content
    assert "Level 1" in board.content
    move = MIDDLE.legal_moves()[0]  # it is their turn, because nobody else has chosen a color
    await club.ann.say(club.channel, str(move))
    await club.channel.wait_for(is_board(2, 1))
    again = message_of(await club.ann.slash(club.channel, "show", text=position_to_text(MIDDLE)))
    assert "Play from here" in [button.label for button in again.buttons]  # it is not rated
    assert FAULTS.findall(club.bot.log) == []


@has_engine
async def test_one_tap_keeps_the_side_and_the_level_and_another_lets_one_choose(
    machine_club: Club,
) -> None:
    club = machine_club
    table = await club.start_game()
    await table.reach(MOVES[:49])
    assert table.to_move is club.ann
    await resign(club.ann, await table.board(49))
    view = message_of(await club.bob.click(await club.channel.wait_for(is_board(50, 1)), "Replay"))
    await club.bob.click(view, "Last ⏭")
    form = (await club.bob.click(view, "Choose opponent")).modal
    await club.bob.submit(form, {"level": ["3"], "clock": ""})
    board = await club.channel.wait_for(
        lambda one: "Level 3" in one.content and is_board(None, 2)(one)
    )
    assert f"White: {club.bob.mention}" in board.content, "whose turn it is"
    await resign(club.bob, board)
    await club.channel.wait_for(
        lambda one: "Rematch" in [each.label for each in one.buttons] and is_board(None, 2)(one)
    )
    await club.bob.click(view, "Play from here")
    begun = await club.channel.wait_for(is_board(None, 3))
    assert f"Black: {club.bob.mention}" in begun.content, "as they played, the player to move"
    assert "Level 3" in begun.content, "as they chose last"


async def resign(person: Person, board: Message) -> None:
    question = message_of(await press(person, board, "Resign"))
    await person.click(question, "Yes, resign")


async def test_a_friend_is_challenged_with_the_chosen_board_and_colors(club: Club) -> None:
    view = message_of(
        await club.ann.slash(club.channel, "show", text=" ".join(map(str, MOVES[:61])))
    )
    form = await opened(club, view)
    await club.ann.submit(
        form.modal, {"opponent": [str(club.bob.id)], "colour": ["black"], "clock": "1 day per move"}
    )
    asked = await club.channel.wait_for(lambda one: FRIENDLY in one.content)
    assert "challenges you" in asked.content
    assert "plays Black" in asked.content
    assert "1 day" in asked.content
    assert asked.attachments
    await club.bob.click(asked, "Accept")
    board = await club.channel.wait_for(is_board(0, 1))
    assert f"White: {club.bob.mention}. Black: {club.ann.mention}. {FRIENDLY}" in board.content
    assert "Move 1" not in (board.attachments[0].description or "")
    mover = club.bob if MIDDLE.turn == "W" else club.ann
    await mover.say(club.channel, str(MOVES[61]))
    last = await club.channel.wait_for(is_board(1, 1))
    assert "Move 2" in (last.attachments[0].description or "")
    page = message_of(await club.ann.click(last, "More"))
    record = texts(await club.ann.click(page, "Record"))
    assert f'[Start "{position_to_text(MIDDLE)}"]' in record


async def test_a_page_of_the_handbook_is_played_from_its_beginning(club: Club) -> None:
    view = message_of(await club.ann.slash(club.channel, "learn"))
    chapters = message_of(await club.ann.click(view, "Chapters"))
    page = message_of(
        await club.ann.select(chapters, ["w-initiative"], custom_id="dvonn:do:learn:chapters::go1")
    )
    form = await opened(club, page)
    await club.ann.submit(form.modal, {"opponent": [str(club.bob.id)]})
    asked = await club.channel.wait_for(lambda one: FRIENDLY in one.content)
    await club.bob.click(asked, "Accept")
    await club.channel.wait_for(is_board(0, 1))
