"""Placement of arrows and their labels, so that they cover nothing important.

A label is a disc with a number or punctuation, such as 2 or !, beside an arrow. Lengths are in
half-cells (see `dvonn.svg.geometry`).
"""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dvonn import Point
from dvonn._rules.board import opposite
from dvonn.svg.arrows import Spot, difference, lanes, spot_of

LABEL_RADIUS: Final = 0.4
"""Radius of a label.

A label is placed beside a shaft, at a corner where three spaces meet. There it covers no number of
a stack and no name of a space.
"""
_CORNERS: Final[tuple[Spot, ...]] = ((0.96, -0.55), (-0.96, -0.55), (0.96, 0.55), (-0.96, 0.55))
"""Candidate places of a placement's label, relative to the center of its space."""
_ASIDE: Final = 0.6  # distance from the center line of a shaft to the center of a label
# distance from the center of the source to the center of a label, along the shaft
_BEFORE: Final = 0.8
_SHAFT: Final = 0.16  # half the width of a shaft with its edge
_CLEAR: Final = 2 * LABEL_RADIUS + 0.1  # distance between the centers of two labels
_MARK_ROOM: Final = LABEL_RADIUS + 0.26


@dataclass(frozen=True, slots=True)
class ArrowPosition:
    """An arrow from one space to another.

    Attributes:
        source: The space where it starts.
        target: The space where it ends.
        aside: Shift to the arrow's right, if another arrow is on the same line.
        label: Center of the label, relative to the center of the source.
    """

    source: Point
    target: Point
    aside: float
    label: Spot


def arrow_positions(
    moves: Sequence[tuple[Point, Point]],
    marks: Sequence[Spot],
    *,
    turned: bool = False,
    labeled: Collection[int] = (),
) -> tuple[ArrowPosition, ...]:
    """Return where to draw each arrow.

    Args:
        moves: Source and target of each arrow. No two arrows are the same.
        marks: The marks of red pieces, which must stay visible.
        turned: True if the board is rotated by 180 degrees.
        labeled: Indices of the arrows that have a label.
    """
    if turned:
        moves = [(opposite(source), opposite(target)) for source, target in moves]
    asides = lanes(moves, marks, labeled=labeled)
    shafts = [_shaft(move, lane) for move, lane in zip(moves, asides, strict=True)]
    labels: list[Spot] = []

    def fault(spot: Spot) -> float:
        """Return a penalty for all that a label at a place would cover."""
        near = sum(max(0.0, LABEL_RADIUS + _SHAFT - _away(spot, shaft)) for shaft in shafts)
        return round(near + _crowding(spot, labels, marks), 2)

    for move in moves:
        places = _places(_shaft(move, 0))
        # Of equally good places, `min` returns the first, which is nearest to the source.
        labels.append(min(places, key=fault))
    return tuple(
        ArrowPosition(source, target, lane, difference(spot_of(source), label))
        for (source, target), lane, label in zip(moves, asides, labels, strict=True)
    )


def corners(points: Sequence[Point], *, turned: bool = False) -> tuple[Spot, ...]:
    """Return the center of each placement's label, relative to the center of its space.

    A label at a corner of a space covers no number, no name and no mark of a red piece.
    """
    if turned:
        points = [opposite(point) for point in points]
    labels: list[Spot] = []
    for x, y in map(spot_of, points):
        places = [(x + across, y + down) for across, down in _CORNERS]
        labels.append(min(places, key=lambda spot: round(_crowding(spot, labels, ()), 2)))
    return tuple(
        difference(spot_of(point), label) for point, label in zip(points, labels, strict=True)
    )


def _crowding(spot: Spot, labels: Iterable[Spot], marks: Iterable[Spot]) -> float:
    """Return how much a label overlaps other labels and the marks of red pieces."""
    return sum(max(0.0, _CLEAR - math.dist(spot, other)) for other in labels) + sum(
        max(0.0, _MARK_ROOM - math.dist(spot, mark)) for mark in marks
    )


def _shaft(move: tuple[Point, Point], aside: float) -> tuple[Spot, Spot]:
    (x, y), end = map(spot_of, move)
    across, down = difference((x, y), end)
    length = math.hypot(across, down)
    x, y = x - down / length * aside, y + across / length * aside
    return (x, y), (x + across, y + down)


def _places(way: tuple[Spot, Spot]) -> Iterator[Spot]:
    """Yield candidate places of an arrow's label: beside the shaft, at borders between spaces."""
    (x, y), end = way
    across, down = difference((x, y), end)
    length = math.hypot(across, down)
    across, down = across / length, down / length
    for step in range(round(length / 2)):
        along = 2 * step + _BEFORE
        for aside in (-_ASIDE, _ASIDE):
            yield x + across * along - down * aside, y + down * along + across * aside


def _away(spot: Spot, shaft: tuple[Spot, Spot]) -> float:
    """Return the distance from a place to an arrow's shaft."""
    start, end = shaft
    (x, y), (across, down) = difference(start, spot), difference(start, end)
    share = (x * across + y * down) / (across**2 + down**2)
    share = min(max(share, 0.0), 1.0)
    return math.hypot(x - across * share, y - down * share)
