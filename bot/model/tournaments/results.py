"""What the end of a game brings to the pairing for which it was played."""

from dataclasses import dataclass

from bot.model.events import Aborted, Event, TimedOut
from bot.model.game import Game
from bot.model.ids import UserId
from bot.model.tournaments.terms import PairingResult
from dvonn import Color


@dataclass(frozen=True, slots=True)
class PairingEnd:
    """How a pairing is decided."""

    result: PairingResult
    margin: int | None = None
    """By how many pieces, where they were counted."""
    forfeit: bool = False
    """Without a game that counts."""


def decided_by(game: Game, newest: Event) -> PairingEnd:
    """What a game that has ended brings to its pairing.

    A game can end early on without a result; in a tournament whoever leaves it then has lost, and
    so has whoever had let it lie before. Where nobody did it, or somebody who does not play in it,
    neither gets anything, until an organiser says otherwise.

    Args:
        game: The game once it has ended.
        newest: The event by which it did.
    """
    outcome = game.outcome
    assert outcome is not None  # it has ended  # noqa: S101
    if outcome.is_draw:
        return PairingEnd(PairingResult.DRAW, outcome.margin)
    if outcome.winner is not None:
        return PairingEnd(_won_by(outcome.winner), outcome.margin)
    loser = _left_by(game, newest)
    seat = None if loser is None else game.seat(loser)
    if seat is None:
        return PairingEnd(PairingResult.NEITHER, forfeit=True)
    return PairingEnd(_won_by(seat.opponent), forfeit=True)


def _left_by(game: Game, newest: Event) -> UserId | None:
    """Who has left a game that has no result; None: nobody who plays in it."""
    match newest.what:
        case Aborted(no_place=False, no_votes=False, decided=False):
            return game.left_by or newest.actor
        case TimedOut():
            return newest.actor
        case _:
            return None


def _won_by(color: Color) -> PairingResult:
    return PairingResult.WHITE if color is Color.WHITE else PairingResult.BLACK
