"""The shapes of arrows, and of the band along the last move.

Lengths are in half-cells (see `dvonn.svg.geometry`) unless noted otherwise.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from dvonn._rules.board import Point, column_row, opposite
from dvonn.svg.stack_shapes import MARK, StackFace, mark_spots

Spot = tuple[float, float]
"""A place as x and y coordinates. x increases to the right and y downward."""

_SHAFT: Final = 0.09  # half the width of an arrow's shaft
_HEAD_BREADTH: Final = 0.27  # half the width of an arrow's head
# extra length at both ends of an arrow with a label, which would otherwise hide it
_REACH: Final = 0.16
_HOLLOW: Final = 1.5  # factor for the width of a hollow shaft
EDGE: Final = 0.05  # width of the dark edge around all marks
OUTLINE: Final = 0.04  # half the width of the outline around a placement
OUTLINE_AT: Final = 0.93  # distance of a placement's outline from the center of the space
CIRCLE: Final = 0.045  # half the width of the circle around a marked stack
CIRCLE_AT: Final = 0.89  # radius of the circle around a marked stack
_LANE: Final = 0.34  # distance between two arrows on the same line
_LANES: Final = (0, 1, -1, 2, -2)
_HEAD_REACH: Final = 0.15  # distance from the middle of a head to its sides
_NOTHING: Final = 0.01  # tolerance for rounding errors
_UP: Final = math.sqrt(3)

_BREADTH: Final = 0.19  # half the width of the band
_HEAD: Final = 0.5  # half the width of the band's head
_LENGTH: Final = 0.62  # length of the band's head
_SHORT: Final = 0.98  # distance of both ends from the centers of the two spaces
NEXT: Final = 3.0  # upper bound of the distance to an adjacent space


class _ArrowParts(NamedTuple):
    """Proportions of an arrow, in half-cells.

    Attributes:
        start: Distance from the center of the source to the dot at the arrow's start. It leaves the
            space's name readable.
        tail: Radius of the dot.
        head: Length of the head.
        short: Distance from the tip to the center of the target. The tip touches the ring there.
    """

    start: float
    tail: float
    head: float
    short: float


_FAR: Final = _ArrowParts(start=0.68, tail=0.17, head=0.46, short=0.74)
# There is little room between adjacent spaces, so all parts are smaller to keep the shaft visible.
_NEAR: Final = _ArrowParts(start=0.6, tail=0.11, head=0.36, short=0.6)


class ArrowShape(NamedTuple):
    """An arrow in pixels, relative to the center of its source.

    Attributes:
        shaft: Corners of the shaft.
        head: Corners of the head.
        dot: Center of the dot at the arrow's start.
        radius: Radius of the dot.
    """

    shaft: tuple[Spot, ...]
    head: tuple[Spot, ...]
    dot: Spot
    radius: float


def arrow_shape(
    way: Spot,
    half: int,
    *,
    aside: float = 0.0,
    labeled: bool = False,
    hollow: bool = False,
    grow: float = 0.0,
    share: float = 1.0,
) -> ArrowShape:
    """Return the shape of an arrow.

    Args:
        way: Vector from the center of the source to the center of the target, in pixels.
        half: Size of a half-cell in pixels.
        aside: Shift to the arrow's right, in half-cells.
        labeled: True for an arrow with a label beside its start.
        hollow: True for a wider shaft.
        grow: Number of pixels that are added on all sides.
        share: Fraction (0 to 1) of an arrow's usual width.
    """
    (across, down), length = way, math.hypot(*way)
    reach = _REACH if labeled else 0.0
    parts = _NEAR if not labeled and length / half < NEXT else _FAR
    start, tip = half * (parts.start - reach), length - half * (parts.short - reach)
    neck, moved = tip - half * parts.head, half * aside

    def place(along: float, beside: float) -> Spot:
        """Convert a distance along the arrow and one to its right to x and y."""
        beside += moved
        return (
            (across * along - down * beside) / length,
            (down * along + across * beside) / length,
        )

    shaft = half * _SHAFT * (_HOLLOW if hollow else 1.0) * share + grow
    # An edge of constant width extends farther at the corners of a pointed shape.
    barb = half * _HEAD_BREADTH * share + grow * 1.7
    inset = (tip - neck) * (1 - share)
    base, end = neck - grow + inset * 0.35, tip + grow * 2 - inset * 0.65
    return ArrowShape(
        (place(start, -shaft), place(neck, -shaft), place(neck, shaft), place(start, shaft)),
        (place(base, -barb), place(end, 0), place(base, barb)),
        place(start, 0),
        half * parts.tail * share + grow,
    )


def lanes(
    moves: Sequence[tuple[Point, Point]],
    marks: Sequence[Spot] = (),
    *,
    turned: bool = False,
    labeled: Collection[int] = (),
) -> list[float]:
    """Return the shift of each arrow to its right that keeps it from covering another.

    If possible, both ends of each arrow are beside the marks of red pieces instead of on them.

    Args:
        moves: Source and target of each arrow.
        marks: Places of the marks of red pieces on the board as it is drawn.
        turned: True if the board is rotated by 180 degrees.
        labeled: Indices of the arrows with a label, which are longer.
    """
    if turned:
        moves = [(opposite(source), opposite(target)) for source, target in moves]
    used: list[tuple[tuple[Point, Point], int]] = []
    for number, move in enumerate(moves):
        used_lanes = {lane for other, lane in used if _overlap(move, other)}
        free = [lane for lane in _LANES if lane not in used_lanes] or [0]
        is_labeled = number in labeled
        clear = (lane for lane in free if _is_clear(move, _shift(move, lane), marks, is_labeled))
        used.append((move, next(clear, free[0])))
    return [_shift(move, lane) for move, lane in used]


def _shift(move: tuple[Point, Point], lane: int) -> float:
    return lane * _LANE * (1 if _is_forward(move) else -1)


def red_marks(stacks: Mapping[Point, str], *, turned: bool = False) -> list[Spot]:
    """Return the places of the marks of all red pieces on the board.

    Args:
        stacks: The stacks on the board.
        turned: True if the board is rotated by 180 degrees.
    """
    spots = list[Spot]()
    for point, pieces in stacks.items():
        x, y = spot_of(point, turned=turned)
        spots += (
            (x + across, y + down) for across, down in mark_spots(StackFace.from_pieces(pieces))
        )
    return spots


def _is_clear(
    move: tuple[Point, Point], aside: float, marks: Iterable[Spot], is_labeled: bool
) -> bool:
    """Return True if no mark covers an end of an arrow."""
    start, end = map(spot_of, move)
    shape = arrow_shape(difference(start, end), 1, aside=aside, labeled=is_labeled)
    middle = sum(x for x, _ in shape.head) / 3, sum(y for _, y in shape.head) / 3
    ends = (shape.dot, shape.radius + MARK), (middle, _HEAD_REACH + MARK), (shape.head[1], MARK)
    spots = [difference(start, mark) for mark in marks]
    return all(math.dist(place, spot) >= reach for place, reach in ends for spot in spots)


def _overlap(a: tuple[Point, Point], b: tuple[Point, Point]) -> bool:
    """Return True if two arrows are on the same line and share more than an end."""
    (start, end), (first, last) = (sorted(map(spot_of, move)) for move in (a, b))
    if any(_distance_from_line(start, end, spot) > _NOTHING for spot in (first, last)):
        return False
    axis = 0 if abs(end[0] - start[0]) > _NOTHING else 1
    return min(end[axis], last[axis]) - max(start[axis], first[axis]) > _NOTHING


def _is_forward(move: tuple[Point, Point]) -> bool:
    source, target = map(spot_of, move)
    return source < target


def _distance_from_line(start: Spot, end: Spot, spot: Spot) -> float:
    """Return the distance of `spot` from the line through two places."""
    (x, y), (across, down) = difference(start, spot), difference(start, end)
    return abs(x * down - y * across) / math.hypot(across, down)


def difference(start: Spot, end: Spot) -> Spot:
    """Return the vector from one place to another."""
    return end[0] - start[0], end[1] - start[1]


def spot_of(point: Point, *, turned: bool = False) -> Spot:
    """Return the center of a space."""
    column, row = column_row(opposite(point) if turned else point)
    return 2.0 * column - row, -_UP * row


class Corner(NamedTuple):
    """A corner of the band: its distance along the band, and its distance to the side.

    `along` is measured from the source, or from the target if `far`.
    """

    along: float
    beside: float
    far: bool


_NECK: Final = -_SHORT - _LENGTH
CORNERS: Final = (
    Corner(_SHORT, -_BREADTH, far=False),
    Corner(_NECK, -_BREADTH, far=True),
    Corner(_NECK, -_HEAD, far=True),
    Corner(-_SHORT, 0.0, far=True),
    Corner(_NECK, _HEAD, far=True),
    Corner(_NECK, _BREADTH, far=True),
    Corner(_SHORT, _BREADTH, far=False),
)


def way_corners(source: Spot, target: Spot, half: float) -> list[Spot]:
    """Return the corners of the last move's band, or none if the two spaces are adjacent.

    All places are in pixels.
    """
    across, down = difference(source, target)
    length = math.hypot(across, down)
    if length < half * NEXT:
        return []
    across, down, places = across / length, down / length, list[Spot]()
    for corner in CORNERS:
        along, beside = half * corner.along + corner.far * length, half * corner.beside
        x, y = across * along - down * beside, down * along + across * beside
        places.append((source[0] + x, source[1] + y))
    return places
