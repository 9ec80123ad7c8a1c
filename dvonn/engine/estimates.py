"""Conversions from a value in points to winning chances and to final margins in pieces."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

from dvonn import Color, Estimate, Position
from dvonn.engine.memory import WIN

POINTS_PER_LOGIT: Final = 100
"""Points per logit: the scale of the weights."""

_SLOPE: Final = 0.97
_PER_STACK: Final = 0.028
MIDDLE: Final = 35
"""Reference number of stacks for winning chances.

Winning chances assume that two level-11 players play on. `_SLOPE` is the number of logits for 100
points at 35 stacks. `_PER_STACK` is added for each additional stack. See docs/engine.md.
"""

_MARGIN_MOST: Final = 22.0
_MARGIN_SCALE: Final = 260.0
"""Parameters of the conversion from points to pieces, measured in self-play. See docs/engine.md."""


def win_probability(points: int, stacks: int) -> float:
    """Return the winning chance for a value in points, between two players of level 11.

    Args:
        points: The value.
        stacks: Number of stacks left in the position with that value.
    """
    if abs(points) >= WIN:
        return float(points > 0)
    return 1 / (1 + math.exp(-points / _per_logit(stacks)))


def points_of(chance: float, stacks: int) -> int:
    """Return the value in points that corresponds to a chance between 0 and 1."""
    return round(_per_logit(stacks) * math.log(chance / (1 - chance)))


def _per_logit(stacks: int) -> float:
    return POINTS_PER_LOGIT / (_SLOPE + _PER_STACK * (stacks - MIDDLE))


def expected_margin(points: int) -> float:
    """Return the expected margin for a value in points.

    For a proven result, this is the proven margin.
    """
    if abs(points) >= WIN:
        return float(points - math.copysign(WIN, points))
    return _MARGIN_MOST * math.tanh(points / _MARGIN_SCALE)


def finished(position: Position, player: Color) -> int:
    """Return the value of a finished game for a player, in points."""
    margin = position.score(player) - position.score(player.opponent)
    return margin + WIN * ((margin > 0) - (margin < 0))


def estimate(points: int, stacks: int, *, exact: bool) -> Estimate:
    """Return the estimate of a position for White.

    Args:
        points: The value for White.
        stacks: Number of stacks left in the position with that value.
        exact: True if it is proven.
    """
    chance = 0.5 if exact and not points else win_probability(points, stacks)
    if exact:
        margin = expected_margin(points)
        return Estimate(win_probability=chance, margin=(margin, margin), exact=True)
    if abs(points) >= WIN:
        margins = measured().won(abs(points) - WIN)
        return Estimate(win_probability=chance, margin=_for_white(points > 0, margins), exact=False)
    margins = measured().open(max(chance, 1 - chance), stacks)
    return Estimate(win_probability=chance, margin=_for_white(points >= 0, margins), exact=False)


def _for_white(white: bool, margins: tuple[float, float]) -> tuple[float, float]:
    low, high = margins
    return (low, high) if white else (-high, -low)


@dataclass(frozen=True, slots=True)
class SearchedValue:
    """The value of a position for White.

    Attributes:
        points: The value for White.
        stacks: Number of stacks left in the position with that value, perhaps later in the game.
        exact: True if it is proven.
    """

    points: int
    stacks: int
    exact: bool

    def chance(self, color: Color) -> float:
        """Return a player's winning chance."""
        white = win_probability(self.points, self.stacks)
        return white if color is Color.WHITE else 1 - white


@dataclass(frozen=True, slots=True)
class Margins:
    """Range of margins in the middle 80% of games. docs/engine.md describes how it was measured.

    Attributes:
        stacks: Numbers of stacks left, one per row.
        chances: Winning chances of at least 0.5, one per column.
        lows: Lower bounds by stacks and chances, for the player with that chance.
        highs: Upper bounds, arranged in the same way.
        most: Largest margin that a proven winner can expect.
    """

    stacks: Sequence[int]
    chances: Sequence[float]
    lows: Sequence[Sequence[float]]
    highs: Sequence[Sequence[float]]
    most: float

    def open(self, chance: float, stacks: int) -> tuple[float, float]:
        """Return the range for a player whose winning chance is at least one half."""
        low, high = (
            interpolated(
                [
                    (count, interpolated(list(zip(self.chances, row, strict=True)), chance))
                    for count, row in zip(self.stacks, part, strict=True)
                ],
                stacks,
            )
            for part in (self.lows, self.highs)
        )
        return round(low, 1), round(high, 1)

    def won(self, margin: int) -> tuple[float, float]:
        """Return the range for a proven winner who can reach a given margin."""
        return float(margin), max(self.most, float(margin))


@cache
def measured() -> Margins:
    """Return the ranges in margins.json."""
    text = (files("dvonn.engine") / "margins.json").read_text(encoding="utf-8")
    return Margins(**json.loads(text))


def interpolated(points: Sequence[tuple[float, float]], at: float) -> float:
    """Interpolate linearly between points. Outside them, the value is constant.

    Args:
        points: Pairs of x and y, by increasing x.
        at: The x coordinate.
    """
    if at <= points[0][0]:
        return points[0][1]
    for (start, low), (end, high) in pairwise(points):
        if at < end:
            return (high - low) / (end - start) * (at - start) + low
    return points[-1][1]
