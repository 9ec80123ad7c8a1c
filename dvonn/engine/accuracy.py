"""Accuracy: the quality of a player's moves as a single number."""

import math
from collections.abc import Sequence
from typing import Final

from dvonn import Color, PlyReview, Position

_TOLERANCE: Final = 0.20
"""Loss of winning chance (0 to 1) at which a move is rated 1/e of a good move. See docs/engine.md.
"""
_DECIDED: Final = 0.02
"""Winning chance of the weaker player below which the game counts as decided."""
_FEWEST: Final = 3
"""Minimum number of counted moves. With fewer, one bad move would decide the result."""


def accuracies(
    plies: Sequence[PlyReview], positions: Sequence[Position]
) -> tuple[float | None, float | None]:
    """Return White's and Black's accuracy, or None for a player with too few counted moves.

    Args:
        plies: The reviewed plies of a game.
        positions: The positions before each of them.
    """
    chosen = [
        review for review, at in zip(plies, positions, strict=False) if len(at.legal_moves()) > 1
    ]
    white, black = (
        accuracy([review for review in chosen if review.color is color]) for color in Color
    )
    return white, black


def accuracy(plies: Sequence[PlyReview]) -> float | None:
    """Return the quality of the chosen moves, 0 to 100, or None if too few of them count.

    All counted moves have equal weight. Each is rated by the winning chance that it lost. A move is
    not counted if the game was already decided and the move changed little.
    """
    graded = [
        math.exp(-ply.loss / _TOLERANCE)
        for ply in plies
        if _DECIDED < ply.before.win_probability < 1 - _DECIDED or ply.loss > _DECIDED
    ]
    return round(100 * sum(graded) / len(graded), 1) if len(graded) >= _FEWEST else None
