"""Tests for the comments by the machine's character during a game, and for *Why?*."""

from importlib.util import find_spec
from itertools import count

import pytest

from dvonn import Move, Position, position_to_text
from dvonn_lessons.remarks import Idea, remark_on
from tests.e2e.conftest import Club, choose, message_of
from tests.games import positions_of, random_game

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="the engine's packages are not installed"
)


def costly() -> tuple[Position, Move]:
    """Return a position, and a move that cuts off its own player's stacks."""
    for seed in count():
        moves = random_game(seed)
        for position, move in zip(positions_of(moves)[60:], moves[60:], strict=False):
            after = position.play(move)
            replies = after.legal_moves()
            if position.turn is None or after.turn is not position.turn.opponent:
                continue
            said = [remark_on(position, move, reply) for reply in replies]
            if len(replies) > 3 and all(item and item.idea is Idea.CUT_OWN for item in said):
                return position, move
    raise LookupError


async def test_a_costly_move_gets_a_word_and_why_shows_it(machine_club: Club) -> None:
    club, (position, move) = machine_club, costly()
    text = f"```\n{position_to_text(position)}\n```"
    view = message_of(await club.ann.slash(club.channel, "show", text=text))
    await club.ann.click(view, "Play from here")
    first = await club.channel.wait_for(lambda one: "Pip" in one.content and one.buttons)
    await club.ann.say(club.channel, str(move))
    board = await club.channel.wait_for(
        lambda one: f"**Pip**: Ouch, {move} cut off your own " in one.content, after=first
    )
    why = message_of(await club.ann.click(board, "Why?"))
    assert why.ephemeral
    assert f"Ouch, {move} cut off your own " in why.content
    assert f"Played: {move}." in str(why.attachments[0].description)


@pytest.mark.later("tests/school/companion hold when it speaks")
async def test_nothing_is_sent_to_people_who_switched_it_off(machine_club: Club) -> None:
    club, (position, move) = machine_club, costly()
    await choose(club.ann, club.channel, on=["mentions"])
    text = f"```\n{position_to_text(position)}\n```"
    view = message_of(await club.ann.slash(club.channel, "show", text=text))
    await club.ann.click(view, "Play from here")
    first = await club.channel.wait_for(lambda one: "Pip" in one.content and one.buttons)
    await club.ann.say(club.channel, str(move))
    board = await club.channel.wait_for(
        lambda one: "Pip" in one.content and "your turn" in one.content, after=first
    )
    assert "Ouch" not in board.content
    assert "Why?" not in [button.label for button in board.buttons]
