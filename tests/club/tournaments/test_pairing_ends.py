"""Tests for pairings whose game ended without moves."""

from dataclasses import replace

import pytest

from bot.base.ids import UserId
from bot.play.model.events import Aborted, AnyEventData, Moved, TimedOut
from bot.play.model.game import AutoMoveReason
from bot.play.model.terms import EndReason, Outcome
from club.tournaments.model.results import PairingEnd, asked_in, decided_by
from club.tournaments.model.tournament import PairingResult
from dvonn import Color, parse_move
from tests.bot.replayed import ANN, BOB, CID, play, started, step

WHITE, BLACK, NEITHER = PairingResult.WHITE, PairingResult.BLACK, PairingResult.NEITHER


@pytest.mark.parametrize(
    ("what", "actor", "result"),
    [
        (Aborted(), ANN, BLACK),
        (Aborted(), BOB, WHITE),
        (Aborted(), CID, NEITHER),
        (Aborted(no_place=True), ANN, NEITHER),
        (Aborted(no_votes=True), BOB, NEITHER),
        (Aborted(decided=True), ANN, NEITHER),
    ],
)
def test_leaving_a_game_loses_its_pairing(
    what: AnyEventData, actor: UserId, result: PairingResult
) -> None:
    game, update = step(started(), what, actor)
    end = decided_by(game, update.events[-1].event)
    assert (end.result, end.margin, end.forfeit) == (result, None, True)


@pytest.mark.parametrize(
    ("moves", "absent", "end"),
    [
        ((), ANN, PairingEnd(None, absent=frozenset({ANN}), asks=BOB)),
        (("a1",), BOB, PairingEnd(WHITE, forfeit=True, absent=frozenset({BOB}))),
        (("a1", "b1"), ANN, PairingEnd(BLACK, forfeit=True)),
    ],
    ids=["nobody came", "White came", "both came"],
)
def test_nobody_wins_on_time_without_a_turn(
    moves: tuple[str, ...], absent: UserId, end: PairingEnd
) -> None:
    game, _ = play(started(), *moves)
    game, update = step(game, TimedOut(), absent)
    assert decided_by(game, update.events[-1].event) == end
    assert asked_in(game) == (ANN if absent == BOB else BOB)


def test_an_automatic_move_does_not_count_as_presence() -> None:
    game, _ = step(started(), Moved(parse_move("a1"), AutoMoveReason.ONLY), ANN)
    game, update = step(game, TimedOut(), BOB)
    assert decided_by(game, update.events[-1].event).asks == ANN


def test_an_absent_player_loses_even_if_the_other_ends_it() -> None:
    game, update = step(replace(started(), left_by=ANN), Aborted(), BOB)
    assert decided_by(game, update.events[-1].event).result is BLACK


@pytest.mark.parametrize(
    ("winner", "margin", "result"),
    [(Color.WHITE, 7, WHITE), (Color.BLACK, None, BLACK), (None, 0, PairingResult.DRAW)],
)
def test_a_result_counts_as_it_is(
    winner: Color | None, margin: int | None, result: PairingResult
) -> None:
    _, update = step(started(), TimedOut(), ANN)
    how = EndReason.COUNT if margin is not None else EndReason.RESIGNATION
    over = started().ended(Outcome(how, winner, margin))
    assert decided_by(over, update.events[-1].event) == PairingEnd(result, margin)
