"""What the end of a game without moves brings to the pairing for which it was played."""

from dataclasses import replace

import pytest

from bot.model.events import Aborted, Happening, TimedOut
from bot.model.ids import UserId
from bot.model.outcome import How, Outcome
from bot.model.tournaments import PairingEnd, PairingResult, decided_by
from dvonn import Color
from tests.bot.replayed import ANN, BOB, CID, started, step

WHITE, BLACK, NEITHER = PairingResult.WHITE, PairingResult.BLACK, PairingResult.NEITHER


@pytest.mark.parametrize(
    ("what", "actor", "result"),
    [
        (Aborted(), ANN, BLACK),
        (Aborted(), BOB, WHITE),
        (Aborted(), CID, NEITHER),
        (TimedOut(), ANN, BLACK),
        (TimedOut(), BOB, WHITE),
        (Aborted(no_place=True), ANN, NEITHER),
        (Aborted(no_votes=True), BOB, NEITHER),
        (Aborted(decided=True), ANN, NEITHER),
    ],
)
def test_who_has_left_a_game_has_lost_its_pairing(
    what: Happening, actor: UserId, result: PairingResult
) -> None:
    game, update = step(started(), what, actor)
    end = decided_by(game, update.told[-1].event)
    assert (end.result, end.margin, end.forfeit) == (result, None, True)


def test_who_let_it_lie_before_has_lost_though_the_other_ends_it() -> None:
    game, update = step(replace(started(), left_by=ANN), Aborted(), BOB)
    assert decided_by(game, update.told[-1].event).result is BLACK


@pytest.mark.parametrize(
    ("winner", "margin", "result"),
    [
        (Color.WHITE, 7, WHITE),
        (Color.BLACK, None, BLACK),
        (None, 0, PairingResult.DRAW),
    ],
)
def test_a_result_counts_as_it_is(
    winner: Color | None, margin: int | None, result: PairingResult
) -> None:
    _, update = step(started(), TimedOut(), ANN)
    how = How.COUNT if margin is not None else How.RESIGNATION
    over = started().ended(Outcome(how, winner, margin))
    assert decided_by(over, update.told[-1].event) == PairingEnd(result, margin)
