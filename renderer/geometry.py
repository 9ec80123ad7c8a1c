"""Geometry of the picture: pure arithmetic, from points of the board to pixels.

The board is a field of pointy-top hexagons. All of it is measured in whole pixels from one number,
`half`, half the distance between two neighbors in a row, so that every space is the same tile at a
whole-pixel place: that lets the code paste tiles instead of painting them.

x grows to the right, y downwards; a1 is at the bottom left.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from dvonn import COLUMNS, ROWS, Point, column_row, distance, point_at

MIN_WIDTH_PX = 150
"""Minimum width. Below it, pieces blur together. Numbers already do so below 300."""
MAX_WIDTH_PX = 2400
"""Wider pictures are too large a file for a message."""

# Lengths in halves. The row of eleven spaces takes 22 of the width; frame and margin take the rest.
_ACROSS = 22.8
_STRIP = 1.38  # height of the header row above the board
_FRAME = 0.16  # how far the board's frame reaches beyond the outer spaces
_TOP = 1.68  # from the header row to the middle of the highest row: high stacks reach beyond it
_BOTTOM = 1.6  # from the middle of the lowest row to the picture's edge


class Pixel(NamedTuple):
    """A place in the picture, in pixels from its top left corner."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The measures of a picture that is `width` pixels wide.

    Turned by half a turn, a1 is at the top right.

    Raises:
        ValueError: if the width is not between MIN_WIDTH_PX and MAX_WIDTH_PX.
    """

    width: int
    turned: bool = False

    def __post_init__(self) -> None:
        if not MIN_WIDTH_PX <= self.width <= MAX_WIDTH_PX:
            raise ValueError(
                f"a picture is {MIN_WIDTH_PX} to {MAX_WIDTH_PX} pixels wide, not {self.width!r}"
            )

    @property
    def half(self) -> int:
        """Half the distance between two neighbors in a row, in pixels: the unit of all else."""
        return int(self.width / _ACROSS)

    @property
    def row_step(self) -> int:
        """The distance between two rows in pixels."""
        return round(self.half * math.sqrt(3))

    @property
    def tile_size(self) -> tuple[int, int]:
        """The width and height in pixels, both even, of the rectangle around a space."""
        return tile_size(self.half)

    @property
    def frame(self) -> int:
        """The breadth of the board's frame in pixels."""
        return max(2, round(self.half * _FRAME))

    @property
    def strip_height(self) -> int:
        """The height of the strip of words above the board in pixels."""
        return round(self.half * _STRIP)

    @property
    def height(self) -> int:
        """The height of the picture in pixels."""
        return self._center(0, 0).y + round(self.half * _BOTTOM)

    def centre(self, point: Point) -> Pixel:
        """Return the middle of a space."""
        column, row = column_row(point)
        if self.turned:
            column, row = COLUMNS - 1 - column, ROWS - 1 - row
        return self._center(column, row)

    def _center(self, column: int, row: int) -> Pixel:
        return Pixel(
            x=self.width // 2 + (2 * column - row - (ROWS - 1) * 2) * self.half,
            y=self.strip_height + round(self.half * _TOP) + (ROWS - 1 - row) * self.row_step,
        )


def tile_size(half: int) -> tuple[int, int]:
    """Return the width and height in pixels, both even, of the rectangle around a space."""
    return 2 * half, 2 * math.ceil(half / math.cos(math.pi / 6))


def hexagon(centre: tuple[float, float], apothem: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a pointy-top hexagon. `apothem` is from its middle to a side."""
    x, y = centre
    reach = apothem / math.cos(math.pi / 6)
    return tuple(
        (x + reach * math.sin(turn * math.pi / 3), y - reach * math.cos(turn * math.pi / 3))
        for turn in range(6)
    )


def diamond(centre: tuple[float, float], reach: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of the sign of a DVONN piece. `reach` is from its middle to its top."""
    (x, y), aside = centre, reach * 0.86
    return (x, y - reach), (x + aside, y), (x, y + reach), (x - aside, y)


def crossed(source: Point, target: Point) -> tuple[Point, ...]:
    """Return the points strictly between two points in a straight line, from the source on.

    Raises:
        ValueError: if no straight line joins them.
    """
    steps = distance(source, target)
    if not steps:
        raise ValueError(f"no straight line joins {source} and {target}")
    (column, row), (last_column, last_row) = column_row(source), column_row(target)
    across, up = (last_column - column) // steps, (last_row - row) // steps
    between = (point_at(column + across * step, row + up * step) for step in range(1, steps))
    return tuple(point for point in between if point is not None)
