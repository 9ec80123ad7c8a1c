"""Simple players that play like beginners, to measure the lowest levels."""

import random
from typing import Final

from dvonn import Move, Phase, Position


class Tapper:
    """Plays random moves, like people who just tap.

    Args:
        seed: Seed of its random choices.
    """

    def __init__(self, seed: int) -> None:
        self._rng: Final = random.Random(seed)

    def choose(self, position: Position, seconds: float | None = None) -> Move:  # noqa: ARG002 - it is always quick
        """Return a random legal move."""
        return self._rng.choice(position.legal_moves())


class Child(Tapper):
    """Takes the opponent's tallest stack if possible, or else plays a random move."""

    def choose(self, position: Position, seconds: float | None = None) -> Move:
        """Return the move that takes the tallest stack."""
        if position.phase is Phase.PLACEMENT:
            return super().choose(position, seconds)
        moves = list(position.legal_moves())
        self._rng.shuffle(moves)
        return max(moves, key=lambda move: _captured_height(position, move))


def _captured_height(position: Position, move: Move) -> int:
    """Return the height of the opponent's stack that a move takes."""
    is_theirs = position.turn is not None and position.owner(move.target) is position.turn.opponent
    return position.height(move.target) if is_theirs else 0
