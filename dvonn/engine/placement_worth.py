"""Values of the free points in the placement phase, as differences in winning chance.

Swings are computed as in `placement`. If the engine plays the game to the end, choosing one point
over another is worth _PLAYED_OUT times the difference between their swings (measured, see
docs/engine.md). Red pieces have no owner. Only the distance between them counts, and White wants it
large.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from dvonn import POINTS, Color, Estimate, Phase, Point, Position
from dvonn._rules.bitboard import POINT_AT_INDEX
from dvonn._rules.board import steps_between
from dvonn._rules.errors import DvonnError
from dvonn.engine.estimates import estimate, points_of
from dvonn.engine.placement import Board

_PLAYED_OUT: Final = 0.84
_THOUSANDTHS: Final = 2000
"""Difference in value between a won and a lost game, in thousandths."""

_WHITE_MEAN: Final = 0.542
_PER_STEP: Final = 0.007
_MEAN_STEPS: Final = 12.6
"""White's mean winning chance, its gain per additional step between the reds, and the mean steps.

In 28,000 self-play games, White scored 57% with 14 or more steps (16.7 on average), and 52% with
fewer (9.5 on average).
"""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The values of the possible placements of one piece.

    Attributes:
        chance: Winning chance (0 to 1) of the player who places, if they choose a point at random.
        points: For each free point in row order, the difference from that chance if they choose it.
    """

    chance: float
    points: Mapping[Point, float]


def outlook(position: Position, *, samples: int, seed: int = 0) -> Outlook:
    """Return the value of each free point for the player who places next.

    Args:
        position: A position of the placement phase.
        samples: Number of full boards to sample. Red pieces need none.
        seed: Seed of the random deals.

    Raises:
        DvonnError: if the position is not in the placement phase.
    """
    if position.phase is not Phase.PLACEMENT:
        raise DvonnError(f"the placement is over: {position!r}")
    sign = 1 if position.turn is Color.WHITE else -1
    if position.to_place == "R":
        white = _WHITE_MEAN + _PER_STEP * (_expected_steps(position) - _MEAN_STEPS)
        values = {point: sign * _PER_STEP * steps for point, steps in _apart(position).items()}
    else:
        board = Board(position)
        swings, mean = board.dealt(samples, random.Random(seed))  # noqa: S311 - no secrets
        white = 0.5 + mean / _THOUSANDTHS
        names = (POINT_AT_INDEX[int(index)] for index in board.free)
        scale = _PLAYED_OUT / _THOUSANDTHS
        values = {name: float(swing) * scale for name, swing in zip(names, swings, strict=True)}
    average = sum(values.values()) / len(values)
    return Outlook(
        chance=white if sign > 0 else 1 - white,
        points={point: value - average for point, value in values.items()},
    )


def rough_estimate(position: Position, *, samples: int) -> Estimate:
    """Return a placement-phase board's value to White if the rest is placed at random."""
    chance = outlook(position, samples=samples).chance
    if position.turn is Color.BLACK:
        chance = 1 - chance
    return estimate(points_of(chance, len(POINTS)), len(POINTS), exact=False)


def _expected_steps(position: Position) -> float:
    """Return the expected total distance between the reds if the rest are placed at random."""
    placed = list(position.stacks)
    steps = sum(steps_between(point, other) for point, other in combinations(placed, 2))
    pairs = len(placed) * (len(placed) - 1) // 2
    return steps + (3 - pairs) * _MEAN_STEPS / 3


def _apart(position: Position) -> dict[Point, float]:
    """Return each point's expected total distance to the other red pieces."""
    reds = list(position.stacks)
    free = [move.target for move in position.legal_moves()]
    to_come = 2 - len(reds)
    return {
        point: sum(steps_between(point, red) for red in reds)
        + to_come * sum(steps_between(point, other) for other in free) / (len(free) - 1)
        for point in free
    }
