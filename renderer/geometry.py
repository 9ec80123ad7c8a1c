"""Where things stand in the picture: pure arithmetic, from points of the board to pixels.

The board is a field of pointy-top hexagons. All of it is measured in whole pixels from one number,
`half`, half the distance between two neighbours in a row, so that every space is the same tile at a
whole-pixel place: that lets the drawing code paste tiles instead of painting them.

x grows to the right, y downwards; a1 is at the bottom left.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from dvonn import ROWS, Point, column_row, point_at

# The widths between which the proportions hold: below, numbers melt; above, a picture is no message.
MIN_WIDTH_PX = 300
MAX_WIDTH_PX = 2400

# Lengths in halves. 22 of the width are the row of eleven spaces, the rest is labels and margin.
_ACROSS = 24.4
_STRIP = 2.15  # height of the strip of words above the board
_FRAME = 0.14  # how far the board's frame reaches beyond the outer spaces
_TOP_GAP = 0.25  # from the strip to the frame
_LABEL = 1.52  # from a space's centre to the label beside it, outwards along its line
_BOTTOM = 0.62  # from the middle of the lowest labels to the picture's edge


class Pixel(NamedTuple):
    """A place in the picture, in pixels from its top left corner."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The measures of a picture that is `width` pixels wide.

    Raises:
        ValueError: if the width is not between MIN_WIDTH_PX and MAX_WIDTH_PX.
    """

    width: int

    def __post_init__(self) -> None:
        if not MIN_WIDTH_PX <= self.width <= MAX_WIDTH_PX:
            raise ValueError(
                f"a picture is {MIN_WIDTH_PX} to {MAX_WIDTH_PX} pixels wide, not {self.width!r}"
            )

    @property
    def half(self) -> int:
        """Half the distance between two neighbours in a row, in pixels: the unit of all else."""
        return round(self.width / _ACROSS)

    @property
    def row_step(self) -> int:
        """The distance between two rows in pixels."""
        return round(self.half * math.sqrt(3))

    @property
    def corner(self) -> int:
        """From the centre of a space to its upper corner in pixels, rounded up."""
        return math.ceil(self.half / math.cos(math.pi / 6))

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
        return self.column_label(0).y + round(self.half * _BOTTOM)

    def centre(self, point: Point) -> Pixel:
        """The middle of a space."""
        return self._centre(*column_row(point))

    def row_label(self, row: int) -> Pixel:
        """The middle of a row's label, to the left of its first space; rows count from 0."""
        first = min(column for column in range(row + 1) if point_at(column, row))
        x, y = self._centre(first, row)
        return Pixel(x - round(self.half * _LABEL), y)

    def column_label(self, column: int) -> Pixel:
        """The middle of a column's label, below and to the right of its lowest space."""
        lowest = min(row for row in range(ROWS) if point_at(column, row))
        x, y = self._centre(column, lowest)
        along = self.half * _LABEL
        return Pixel(x + round(along / 2), y + round(along * math.sin(math.pi / 3)))

    def _centre(self, column: int, row: int) -> Pixel:
        top_row = self.strip_height + round(self.half * _TOP_GAP) + self.frame + self.corner
        return Pixel(
            x=self.width // 2 + (2 * column - row - 8) * self.half,
            y=top_row + (ROWS - 1 - row) * self.row_step,
        )
