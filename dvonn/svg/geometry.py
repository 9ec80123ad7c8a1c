"""Geometry of board pictures, in pixels.

The board is a grid of pointy-top hexagons (cells). The unit of length is the half-cell: half the
distance between the centers of two adjacent spaces in a row. `Layout.half` is its size in pixels, a
whole number. Every space is therefore the same tile at whole-pixel coordinates, and code can paste
tiles instead of drawing them.

x increases to the right and y downward. a1 is at the bottom left, unless the board is rotated.
"""

import math
from typing import NamedTuple

from dvonn._rules.board import COLUMNS, ROWS, Point, column_row, distance, point_at
from dvonn._rules.frozen import Value

MIN_WIDTH_PX = 150
"""Minimum width of a picture in pixels. Below it, pieces blur together. Numbers blur below 300."""
MAX_WIDTH_PX = 2400
"""Maximum width of a picture in pixels. Files of wider pictures are too large for a message."""

# Lengths in half-cells. The row of eleven spaces takes 22 of the width, frame and margins the rest.
_ACROSS = 22.8
_STRIP = 1.38  # height of the header row
_FRAME = 0.16  # width of the board's frame beyond the outer spaces
_TOP = 1.68  # from the header row to the center of the top row, with room for tall stacks
_BOTTOM = 1.6  # from the center of the bottom row to the picture's edge


class Pixel(NamedTuple):
    """A place in the picture, in pixels from the top left corner."""

    x: int
    y: int


class Layout(Value):
    """The dimensions of a picture that is `width` pixels wide.

    If `turned`, the board is rotated by 180 degrees, and a1 is at the top right.

    >>> layout = Layout(720)
    >>> layout.half, layout.height, layout.centre(Point("a1"))
    (31, 361, Pixel(x=112, y=311))

    Raises:
        ValueError: if the width is not between MIN_WIDTH_PX and MAX_WIDTH_PX.
    """

    width: int
    turned: bool

    def __init__(self, width: int, turned: bool = False) -> None:
        if not MIN_WIDTH_PX <= width <= MAX_WIDTH_PX:
            raise ValueError(
                f"a picture is {MIN_WIDTH_PX} to {MAX_WIDTH_PX} pixels wide, not {width!r}"
            )
        super().__init__(width, turned)

    @property
    def half(self) -> int:
        """The size in pixels of a half-cell, the unit of length."""
        return int(self.width / _ACROSS)

    @property
    def row_step(self) -> int:
        """Distance between two rows in pixels."""
        return round(self.half * math.sqrt(3))

    @property
    def tile_size(self) -> tuple[int, int]:
        """Width and height in pixels (both even) of a space's bounding box."""
        return tile_size(self.half)

    @property
    def frame(self) -> int:
        """Width of the board's frame in pixels."""
        return max(2, round(self.half * _FRAME))

    @property
    def strip_height(self) -> int:
        """Height of the header row above the board in pixels."""
        return round(self.half * _STRIP)

    @property
    def height(self) -> int:
        """Height of the picture in pixels."""
        return self._center(0, 0).y + round(self.half * _BOTTOM)

    def centre(self, point: Point) -> Pixel:
        """Return the center of a space."""
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
    """Return the width and height in pixels (both even) of a space's bounding box."""
    return 2 * half, 2 * math.ceil(half / math.cos(math.pi / 6))


def hexagon(centre: tuple[float, float], apothem: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a pointy-top hexagon.

    `apothem` is the distance from the center to a side.
    """
    x, y = centre
    reach = apothem / math.cos(math.pi / 6)
    return tuple(
        (x + reach * math.sin(turn * math.pi / 3), y - reach * math.cos(turn * math.pi / 3))
        for turn in range(6)
    )


def diamond(centre: tuple[float, float], reach: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a DVONN piece's mark.

    `reach` is the distance from the center to the top corner.
    """
    (x, y), aside = centre, reach * 0.86
    return (x, y - reach), (x + aside, y), (x, y + reach), (x - aside, y)


def crossed(source: Point, target: Point) -> tuple[Point, ...]:
    """Return the points strictly between two points on a straight line, starting at the source.

    >>> crossed(Point("d2"), Point("d5"))
    ('d3', 'd4')

    Raises:
        ValueError: if they are not on a straight line.
    """
    steps = distance(source, target)
    if not steps:
        raise ValueError(f"no straight line joins {source} and {target}")
    (column, row), (last_column, last_row) = column_row(source), column_row(target)
    across, up = (last_column - column) // steps, (last_row - row) // steps
    between = (point_at(column + across * step, row + up * step) for step in range(1, steps))
    return tuple(point for point in between if point is not None)
