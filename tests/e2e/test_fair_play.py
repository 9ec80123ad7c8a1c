"""Tests for fair play: the engine gives no help on boards of running games, and delays nobody."""

from importlib.util import find_spec

import pytest

from dvonn import Color, position_to_text
from sandbox import Person
from tests.e2e.conftest import FAULTS, Club, is_board, message_of, texts
from tests.e2e.features.reviews.reviewing import review
from tests.games import positions_of, random_game

GAME = random_game(5)
POSITIONS = positions_of(GAME)
SILENT = (
    "Two people are playing this board right now, so I'll keep quiet. Ask me again once they've "
    "moved on."
)
KEPT_BACK = "so I'll keep quiet"
has_engine = pytest.mark.skipif(
    find_spec("numba") is None, reason="the engine's packages are not installed"
)


async def test_a_review_hides_only_the_better_move_on_a_played_board(
    empty_club: Club,
) -> None:
    """Two other people copy a running game, play a blunder, and one of them resigns."""
    club = empty_club
    await club.bot.start()
    running = await club.start_game()
    await running.reach(GAME[:53])
    dan = club.guild.add_person("Dan")
    beside = club.guild.create_channel("beside")
    copy = await club.start_game(beside, challenger=club.cid, opponent=dan)
    await copy.reach(GAME[:60])
    asked = message_of(await club.cid.slash(beside, "resign"))
    await club.cid.click(asked, "Yes, resign")
    last = await copy.board(61)
    await review(club, game=2, losses={54: 0.3, 58: 0.3})
    # Everyone sees this at once. Where the game turned doesn't say which move was better.
    await beside.wait_for(lambda one: one is last and "It turned on" in one.content)

    async def page(person: Person, ply: int) -> str:
        overview = message_of(await person.click(last, "Review"))
        if overview.selects:  # because the opponent's moves are in a select
            listed = overview.selects[0].custom_id
            return texts(await person.select(overview, [str(100 + ply)], custom_id=listed))
        look = f"dvonn:review:2:{100 + ply}"
        return texts(await person.click(overview, custom_id=look))

    for person in (club.ann, club.cid, dan):
        assert KEPT_BACK in await page(person, 54)
        assert "Better: " in await page(person, 58)
    await running.play(GAME[53:56])
    assert "Better: " in await page(club.ann, 54)
    assert await club.bot.stop() == 0
    assert FAULTS.findall(club.bot.log) == []


@has_engine
async def test_only_played_boards_are_refused_and_by_every_handler(
    machine_club: Club,
) -> None:
    club, cid = machine_club, machine_club.cid
    running = await club.start_game()
    await running.reach(GAME[:60])
    beside = club.guild.create_channel("beside")

    async def ask(ply: int) -> str:
        """Return the engine's answer to a spectator about a pasted text."""
        pasted = position_to_text(POSITIONS[ply])
        view = message_of(await cid.slash(beside, "show", text=pasted))
        board = message_of(await cid.click(view, "Explore from here"))
        return texts(await cid.click(board, "Ask the machine"))

    for ply in (60, 61):
        assert await ask(ply) == SILENT
    assert SILENT not in await ask(62)
    # They play on from that board against the machine, which plays at once but gives no hint.
    here = POSITIONS[60]
    view = message_of(await cid.slash(beside, "show", text=position_to_text(here)))
    form = await cid.click(view, "Choose opponent")
    colour = "white" if here.turn is Color.WHITE else "black"
    await cid.submit(form.modal, {"level": ["1"], "colour": [colour], "clock": ""})
    board = await beside.wait_for(is_board(0, 2))
    assert texts(await cid.click(board, "Hint")) == SILENT
    await cid.say(beside, str(here.legal_moves()[0]))
    await beside.wait_for(is_board(2, 2))
