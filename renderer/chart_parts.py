"""Parts shared by all charts: lines, areas and text on a background, in the theme's colors.

Lengths are in half-cells of a board of the same width (see `dvonn.svg.geometry`): width / ACROSS
pixels. Coordinates start at the upper left corner.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from dvonn.svg.theme import Rgb
from renderer.lettering import Weight, fitting, font, lettering
from renderer.picture import Painter

ACROSS: Final = 24.4
FINE: Final = 3
"""Supersampling factor of areas and lines."""
LEFT: Final = 2.75
"""The x coordinate of a panel's left side, with room for "100 %" beside it."""
RIGHT: Final = 23.6
FOOT: Final = 0.55
"""Empty space below the lowest element."""
LINE: Final = 0.1
EDGE: Final = 0.07
"""Widths of a line and of the dark edge on either side of it."""
TEXT: Final = 0.8
"""Font size of text in charts."""
_NARROW: Final = 13
"""Font size in pixels below which word spaces are widened. They would be two pixels wide, and words
would run together.
"""
_STEP: Final = 50
"""Step between bounds of rating panels, in rating points."""
_LEAST: Final = 4
"""Minimum range of a panel of leads, in pieces, so that small changes look small."""
Spot = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """A panel's scale, which maps move numbers and values to coordinates."""

    first: int
    last: int
    top: float
    foot: float
    least: float
    most: float
    inset: float = 0.0
    """Distance of the first and last numbers from the panel's sides."""

    def x(self, number: float) -> float:
        """Return a number's x coordinate. A single number is centered."""
        left, right = LEFT + self.inset, RIGHT - self.inset
        if self.first == self.last:
            return (left + right) / 2
        return left + (right - left) * (number - self.first) / (self.last - self.first)

    def y(self, value: float) -> float:
        return self.foot - (self.foot - self.top) * (value - self.least) / (self.most - self.least)

    def spot(self, number: float, value: float) -> Spot:
        """Return a value's point in the panel. Values outside the range are placed at its edge."""
        return self.x(number), min(max(self.y(value), self.top), self.foot)

    @property
    def box(self) -> Box:
        return LEFT, self.top, RIGHT, self.foot


def bounds(ratings: Sequence[float]) -> tuple[int, int]:
    """Return the bounds of a panel of ratings, an even number of steps apart."""
    lowest, highest = (
        int(min(ratings) // _STEP) * _STEP,
        -int(-max(ratings) // _STEP) * _STEP,
    )
    while (highest - lowest) < _LEAST * _STEP or (highest - lowest) // _STEP % 2:
        if ratings[-1] - lowest < highest - ratings[-1]:
            lowest -= _STEP
        else:
            highest += _STEP
    return lowest, highest


def _spaced(text: str) -> str:
    return text.replace(" ", "  ")


class Plot:
    """A chart under construction. Shapes are painted first, then text is written on top."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self._theme = painter.theme
        self._half = int(painter.layout.width / ACROSS)

    def _begin(self, foot: float) -> None:
        """Create an empty background that extends down to `foot`."""
        self._size = (self._painter.layout.width, self._pixels(foot))
        size = (self._size[0] * FINE, self._size[1] * FINE)
        self._picture = Image.new("RGB", size, self._theme.canvas)
        self._brush = ImageDraw.Draw(self._picture)

    def _settle(self) -> None:
        """Scale down the painted shapes. After this, only text can be added."""
        small = self._picture.resize(self._size, Image.Resampling.BOX)
        self._frame = self._painter.palette.indices(small)

    def _write(
        self,
        text: str,
        x: float,
        baseline: float,
        *,
        side: int = -1,
        size: float = TEXT,
        quiet: bool = False,
        room: float = RIGHT,
    ) -> float:
        """Write text that starts (side -1), is centered (0) or ends (1) at `x`.

        Return the width of the text.
        """
        face = fitting(Weight.MEDIUM, round(self._half * size), text, room * self._half)
        if face.size < _NARROW:
            text = _spaced(text)
            face = fitting(Weight.MEDIUM, int(face.size), text, room * self._half)
        ink = self._theme.quiet_text if quiet else self._theme.text
        image, mask = self._painter.palette.inked(lettering(text, face), self._theme.canvas, ink)
        left = x * self._half - mask.width * (side + 1) / 2
        corner = (round(left), round(baseline * self._half) - face.getmetrics()[0])
        self._frame.paste(image, corner, mask)
        return mask.width / self._half

    def _write_ratings(self, scale: Scale) -> None:
        """Write the highest, middle and lowest rating of a panel's range."""
        for value in (scale.most, (scale.least + scale.most) / 2, scale.least):
            self._write_value(str(round(value)), scale.y(value), scale.top, scale.foot)

    def _write_value(self, text: str, y: float, top: float, foot: float) -> None:
        """Write a value to the left of a panel, at y if that is within the panel's bounds."""
        y = min(max(y + 0.27, top + 0.5), foot)
        self._write(text, LEFT - 0.2, y, side=1, quiet=True, room=LEFT - 0.2)

    def _size_for(self, texts: Sequence[str], room: float) -> float:
        """Return the font size at which texts fit side by side: the default or smaller."""
        length = sum(self._breadth_of(text, TEXT) for text in texts)
        return TEXT if length <= room else TEXT * room / length

    def _breadth_of(self, text: str, size: float) -> float:
        """Return a text's width."""
        face = font(Weight.MEDIUM, max(1, round(self._half * size)))
        return face.getlength(_spaced(text) if face.size < _NARROW else text) / self._half

    def _dashes(self, y: float) -> None:
        """Draw a dashed line across a panel, visible on light and dark backgrounds."""
        x, dash = LEFT, 0.3
        while x < RIGHT:
            end = min(x + dash, RIGHT)
            for breadth, ink in ((0.12, self._theme.accent_edge), (0.05, self._theme.label)):
                line = self._fine([(x, y), (end, y)])
                self._brush.line(line, fill=ink, width=self._breadth(breadth))
            x += 2 * dash

    def _trace(self, line: Sequence[Spot], ink: Rgb | None = None) -> None:
        """Draw a line with edges, in the accent color unless another one is given."""
        for breadth, color in (
            (LINE + 2 * EDGE, self._theme.accent_edge),
            (LINE, ink or self._theme.accent),
        ):
            width = self._breadth(breadth)
            self._brush.line(self._fine(line), fill=color, width=width, joint="curve")

    def _dot(self, spot: Spot, radius: float, *, full: bool) -> None:
        """Draw a filled dot or a ring, which can be told apart without color."""
        self._disc(*spot, radius + EDGE, self._theme.accent_edge)
        self._disc(*spot, radius, self._theme.accent)
        if not full:
            self._disc(*spot, radius - LINE, self._theme.accent_edge)

    def _disc(self, x: float, y: float, radius: float, ink: Rgb) -> None:
        box = self._fine([(x - radius, y - radius), (x + radius, y + radius)])
        self._brush.ellipse([*box[0], *box[1]], fill=ink)

    def _rectangle(self, box: Box, ink: Rgb) -> None:
        left, top, right, foot = box
        corners = self._fine([(left, top), (right, foot)])
        self._brush.rectangle([*corners[0], *corners[1]], fill=ink)

    def _outline(self, box: Box) -> None:
        """Draw the border of a panel, in themes that have one."""
        left, top, right, foot = box
        breadth = round(self._theme.outline * self._half * FINE)
        corners = self._fine([(left, top), (right, foot)])
        self._brush.rectangle([*corners[0], *corners[1]], outline=self._theme.label, width=breadth)

    def _fine(self, spots: Iterable[Spot]) -> list[Spot]:
        scale = self._half * FINE
        return [(x * scale, y * scale) for x, y in spots]

    def _breadth(self, halves: float) -> int:
        return max(1, round(halves * self._half * FINE))

    def _pixels(self, halves: float) -> int:
        return round(self._half * halves)
