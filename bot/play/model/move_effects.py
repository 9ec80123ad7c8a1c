"""Effects of a move by the rules alone, without an engine."""

from dataclasses import dataclass

from bot.play.model.game import Game
from dvonn import Color, Move, Phase, Position


@dataclass(frozen=True, slots=True)
class Threat:
    """Pieces that the opponent could cut off next."""

    pieces: int
    """Number of pieces that the player would lose, at least one."""
    by: Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequences:
    """The effects of a movement."""

    after: Position
    own: int
    """Number of pieces that it cuts off in the player's own stacks."""
    others: int
    """Number of pieces that it cuts off in the opponent's stacks."""
    threat: Threat | None
    """The most that the opponent could cut off next, or None if that is nothing."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A movement before it is played."""

    game: Game
    move: Move
    does: Consequences


def consequences(position: Position, move: Move) -> Consequences:
    """Return the effects of a movement. Raise IllegalMoveError if the rules refuse it."""
    after = position.play(move)
    own, others = cut_off(position, move)
    is_answered = position.turn is not None and after.turn is position.turn.opponent
    threat = _worst(after) if is_answered else None
    return Consequences(after=after, own=own, others=others, threat=threat)


def cut_off(position: Position, move: Move) -> tuple[int, int]:
    """Count the pieces that a movement cuts off: in its player's stacks, and in the other's."""
    removed = position.play(move).removed.values()
    own = sum(len(stack) for stack in removed if stack[-1] == position.turn)
    return own, sum(map(len, removed)) - own


def _worst(position: Position) -> Threat | None:
    """Return the largest cut that the player to move can make, the first of equal ones, or None."""
    if position.phase is not Phase.MOVEMENT:
        return None
    cuts = [(cut_off(position, move)[1], move) for move in position.legal_moves()]
    pieces, move = max(cuts, key=lambda one: one[0])
    return Threat(pieces, move) if pieces else None


def counts(position: Position) -> tuple[int, int]:
    """Return the counts of White and Black, were the game over now."""
    return position.score(Color.WHITE), position.score(Color.BLACK)
