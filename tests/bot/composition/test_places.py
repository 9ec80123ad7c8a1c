"""Tests that an edit of a message never moves a button.

All edits are covered, except those made at the press of a button of the same message.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from bot.base.ids import NO_GUILD, UserId
from bot.base.languages import IN_ENGLISH
from bot.composition import FEATURE_SET
from bot.connection.posts import BUTTONS_IN_ROW, Button, Post
from bot.play.game_changes import GameUpdate
from bot.play.model.events import Moved, Resigned, Started
from bot.play.model.game import Game, Offer, before_start
from bot.play.model.offer_events import HintsAgreed, OfferDeclined, OfferMade
from bot.play.model.terms import Start
from bot.play.words.boards import answered_offer, board, board_buttons, note
from club.tournaments.model.tournament import TournamentFormat, TournamentState
from club.tournaments.words.announcements import tournament_announced
from school.reviews.words.reviews import reviewed_board
from tests.bot.replayed import ANN, BOB, new_game, play, started, step
from tests.bot.reviewed import review_of
from tests.club.tournaments.toured import report, running, tournament
from tests.games import played_out, random_game

MOVES = [str(move) for move in random_game(5)]


def places(post: Post) -> dict[tuple[int, int], Button]:
    """Return the buttons by row and place, as Discord arranges them."""
    found: dict[tuple[int, int], Button] = {}
    for button in post.buttons:
        rows = range(BUTTONS_IN_ROW) if button.row is None else [button.row]
        free = ((row, at) for row in rows for at in range(BUTTONS_IN_ROW))
        found[next(place for place in free if place not in found)] = button
    return found


def action(button: Button) -> str:
    """Return a button's action, whatever board it is under."""
    return (
        button.custom_id.rpartition(":")[2]
        if "dvonn:board" in button.custom_id
        else (":".join(part for part in button.custom_id.split(":") if not part.isdecimal()))
    )


def check(before: Post, after: Post) -> None:
    """Check that no button moves, and that no other button appears in its place."""
    then, now = places(before), places(after)
    labels = {button.label: place for place, button in now.items()}
    for place, button in then.items():
        if is_stack(button):
            continue
        assert labels.get(button.label, place) == place, button.label
        if not button.disabled and place in now:
            assert action(now[place]) == action(button)


def is_stack(button: Button) -> bool:
    """Return True if a stack can move.

    Which stacks can move depends on the board, and a press only asks.
    """
    return ":pick:" in button.custom_id and ":from:" in button.custom_id


def begun(start: Start = Start.BALANCED, **row: Any) -> tuple[Game, GameUpdate]:
    changed = replace(new_game().row, start=start, seed=2001, machine=BOB, level=1, **row)
    return step(before_start(changed), Started(), BOB)


def board_post(update: GameUpdate) -> Post:
    return board(IN_ENGLISH, update, parts=FEATURE_SET.board)


def played(game: Game, update: GameUpdate, seed: int) -> Iterator[GameUpdate]:
    """Yield a whole game against the machine."""
    yield update
    for move in played_out(game.position, seed):
        assert game.to_move is not None
        game, update = step(game, Moved(move), game.to_move)
        yield update


def solo_games() -> Iterator[Sequence[GameUpdate]]:
    for seed in range(4):
        for start in (Start.BALANCED, Start.PLACEMENT):
            for guild in (new_game().row.guild, NO_GUILD):
                for rated in (False, True):
                    for white, black in ((ANN, BOB), (BOB, ANN)):
                        row: Any = {"guild": guild, "rated": rated, "white": white, "black": black}
                        yield tuple(played(*begun(start, **row), seed))


def test_the_machines_moves_and_the_end_that_they_cause() -> None:
    ends = set[UserId]()
    for updates in solo_games():
        for before, after in pairwise(updates):
            if before.game.waits_for_machine:
                check(board_post(before), board_post(after))
                assert {
                    button.label for button in board_post(before).buttons if not button.disabled
                } == {"More"}
        outcome = updates[-1].game.outcome
        assert outcome is not None
        if outcome.winner is not None:
            ends.add(updates[-1].game.player(outcome.winner))
    assert {ANN, BOB} <= ends


def test_a_review() -> None:
    game, resigned = step(play(started(), *MOVES[:60])[0], Resigned(), ANN)
    review = review_of(game, {})
    for update in (resigned, *(updates[-1] for updates in solo_games())):
        before = board_post(update)
        after = reviewed_board(IN_ENGLISH, update, review, FEATURE_SET.board)
        check(before, after)
        assert "Review" in [button.label for button in after.buttons]
        assert update is resigned or after.buttons == before.buttons


@pytest.mark.parametrize("what", [Offer.DRAW, Offer.HINTS, Offer.PAUSE])
def test_an_offer_and_its_answer(what: Offer) -> None:
    game, _ = play(started(), "d2", "e2")
    offered, asked = step(game, OfferMade(what), ANN)
    moved, (update,) = play(offered, "f2")
    for before, by in ((offered, asked), (moved, update)):
        for answer in (OfferDeclined(), OfferDeclined(withdrawn=True), HintsAgreed()):
            if isinstance(answer, HintsAgreed) and what is not Offer.HINTS:
                continue
            after, _ = step(before, answer, BOB)
            if before is offered:
                buttons = answered_offer(IN_ENGLISH, after)
                check(note(IN_ENGLISH, asked), Post(content="", buttons=buttons))
            else:
                buttons = board_buttons(IN_ENGLISH, after, (), is_answered=True)
                check(board(IN_ENGLISH, by), Post(content="", buttons=buttons))


def test_a_takeback_that_puts_the_board_right() -> None:
    for updates in solo_games():
        boards = [update for update in updates if update.game.to_move == ANN]
        for before, after in pairwise(boards):
            if before.game.position.phase is after.game.position.phase:
                check(board_post(after), board_post(before))


def test_a_tournaments_announcement() -> None:
    for format_ in TournamentFormat:
        ways = [
            tournament(4, format=format_),
            tournament(4, format=format_, state=TournamentState.CHECK_IN),
            running(4, format=format_),
            tournament(4, format=format_, state=TournamentState.DONE),
            tournament(4, format=format_, state=TournamentState.CANCELLED),
        ]
        for number, one in enumerate(ways):
            for other in ways[number + 1 :]:
                check(*(tournament_announced(IN_ENGLISH, report(both)) for both in (one, other)))


def test_the_check_itself_fails_where_a_button_moves() -> None:
    button, other = Button("One", "dvonn:one"), Button("Other", "dvonn:other")
    before = Post(content="", buttons=(button,))
    check(before, Post(content="", buttons=(replace(button, disabled=True), other)))
    check(before, Post(content=""))
    for moved in ((other, button), (other,)):
        with pytest.raises(AssertionError):
            check(before, Post(content="", buttons=moved))
