"""What a value in points means: odds of winning, and pieces at the end."""

import math
from typing import Final

from dvonn import Color, Estimate, Phase, Position
from dvonn.engine.layout import WIN

POINTS_PER_LOGIT: Final = 100
"""As the weights are fitted."""

_MARGIN_MOST: Final = 22.0
_MARGIN_SCALE: Final = 260.0
"""How the estimate becomes pieces: measured on games of the engine with itself, see
docs/engine.md."""

_STACKS: Final = (4, 10, 20, 30, 40, 49)
_ERRORS: Final = (3.0, 8.0, 11.0, 14.0, 16.0, 17.0)
"""How far the margin is off with so many stacks left: four games in five end within this."""


def win_probability(points: int) -> float:
    """The odds that a value in points stands for, as a probability."""
    if abs(points) >= WIN:
        return float(points > 0)
    return 1 / (1 + math.exp(-points / POINTS_PER_LOGIT))


def points_of(chance: float) -> int:
    """The value in points that stands for a chance between 0 and 1."""
    return round(POINTS_PER_LOGIT * math.log(chance / (1 - chance)))


def expected_margin(points: int) -> float:
    """The pieces that a value in points comes to at the end; those of a proven win are proven."""
    if abs(points) >= WIN:
        return float(points - math.copysign(WIN, points))
    return _MARGIN_MOST * math.tanh(points / _MARGIN_SCALE)


def finished(position: Position, player: Color) -> int:
    """What a finished game is worth to a player, in points."""
    margin = position.score(player) - position.score(player.opponent)
    return margin + WIN * ((margin > 0) - (margin < 0))


def estimate(position: Position, points: int, *, exact: bool) -> Estimate:
    """What a position of the movement phase, or the end, is worth to White.

    Args:
        position: the position.
        points: its value to White.
        exact: whether that is proven.
    """
    if exact or position.phase is Phase.OVER:
        margin = expected_margin(points) if points else 0.0
        chance = win_probability(points)
        return Estimate(win_probability=chance, margin=(margin, margin), exact=True)
    return Estimate(
        win_probability=win_probability(points),
        margin=_range(points, len(position.stacks)),
        exact=False,
    )


def _range(points: int, stacks: int) -> tuple[float, float]:
    """The margins at the end, from and to, between which four games in five end."""
    expected, error = expected_margin(points), _interpolated(_ERRORS, stacks)
    return expected - error, expected + error


def _interpolated(values: tuple[float, ...], stacks: int) -> float:
    for (low, below), (high, above) in zip(
        zip(_STACKS, values, strict=True),
        zip(_STACKS[1:], values[1:], strict=True),
        strict=False,
    ):
        if stacks <= high:
            share = max(stacks - low, 0) / (high - low)
            return below + share * (above - below)
    return values[-1]
