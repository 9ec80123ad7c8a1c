"""Common parts of charts: lines, areas and words on a ground, in the theme's colors.

Lengths are in units of width / ACROSS, from the upper left corner.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from renderer.lettering import Weight, fitting, font, lettering
from renderer.picture import Painter
from renderer.theme import Rgb

ACROSS: Final = 24.4
FINE: Final = 3
"""Scale factor of areas and lines before they are scaled down."""
LEFT: Final = 2.75
"""The distance from the picture's edge at which "100 %" has air on both of its sides."""
RIGHT: Final = 23.6
FOOT: Final = 0.55
"""The ground that is left below the last thing."""
LINE: Final = 0.1
EDGE: Final = 0.07
"""Breadths: of a line, and of the dark edge beside it."""
TEXT: Final = 0.8
"""The size of the font."""
_NARROW: Final = 13
"""The size of a font in pixels below which its spaces have two pixels, so that words run together.
"""
_STEP: Final = 50
"""A rating panel's range begins and ends at multiples of it."""
_LEAST: Final = 4
"""Minimum height of a panel in these units, so that small changes look small."""
Spot = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of a panel: from numbers and values to places, in halves."""

    first: int
    last: int
    top: float
    foot: float
    least: float
    most: float
    inset: float = 0.0
    """Between the panel's sides and the first and the last number."""

    def x(self, number: float) -> float:
        """Return the x coordinate of a number. A single number is in the middle."""
        left, right = LEFT + self.inset, RIGHT - self.inset
        if self.first == self.last:
            return (left + right) / 2
        return left + (right - left) * (number - self.first) / (self.last - self.first)

    def y(self, value: float) -> float:
        return self.foot - (self.foot - self.top) * (value - self.least) / (self.most - self.least)

    def spot(self, number: float, value: float) -> Spot:
        """Return the place of a value. One too high or too low is at the panel's edge."""
        return self.x(number), min(max(self.y(value), self.top), self.foot)

    @property
    def box(self) -> Box:
        return LEFT, self.top, RIGHT, self.foot


def bounds(ratings: Sequence[float]) -> tuple[int, int]:
    """Return the least and the greatest rating of a panel, with an even number of steps between."""
    least, most = (
        int(min(ratings) // _STEP) * _STEP,
        -int(-max(ratings) // _STEP) * _STEP,
    )
    while (most - least) < _LEAST * _STEP or (most - least) // _STEP % 2:
        if ratings[-1] - least < most - ratings[-1]:
            least -= _STEP
        else:
            most += _STEP
    return least, most


def _spaced(text: str) -> str:
    return text.replace(" ", "  ")


class Plot:
    """A chart in the making: first shapes are painted, then words are written on them."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self._theme = painter.theme
        self._half = int(painter.layout.width / ACROSS)

    def _begin(self, foot: float) -> None:
        """Begin with an empty ground that reaches down to `foot`."""
        self._size = (self._painter.layout.width, self._pixels(foot))
        size = (self._size[0] * FINE, self._size[1] * FINE)
        self._picture = Image.new("RGB", size, self._theme.canvas)
        self._brush = ImageDraw.Draw(self._picture)

    def _settle(self) -> None:
        """End painting: from now on words are written."""
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
        """Write words that begin (side -1), are in the middle (0) or end (1) at `x`.

        Returns how broad they are, in halves.
        """
        face = fitting(Weight.MEDIUM, round(self._half * size), text, room * self._half)
        if face.size < _NARROW:
            text = _spaced(text)
            face = fitting(Weight.MEDIUM, int(face.size), text, room * self._half)
        ink = self._theme.quiet_text if quiet else self._theme.text
        written, mask = self._painter.palette.inked(lettering(text, face), self._theme.canvas, ink)
        left = x * self._half - mask.width * (side + 1) / 2
        corner = (round(left), round(baseline * self._half) - face.getmetrics()[0])
        self._frame.paste(written, corner, mask)
        return mask.width / self._half

    def _write_ratings(self, scale: Scale) -> None:
        """Write the greatest rating of a panel, the least, and the one between."""
        for value in (scale.most, (scale.least + scale.most) / 2, scale.least):
            self._write_value(str(round(value)), scale.y(value), scale.top, scale.foot)

    def _write_value(self, text: str, y: float, top: float, foot: float) -> None:
        """Write a value to the left of a panel, at its height or within the panel's."""
        y = min(max(y + 0.27, top + 0.5), foot)
        self._write(text, LEFT - 0.2, y, side=1, quiet=True, room=LEFT - 0.2)

    def _size_for(self, texts: Sequence[str], room: float) -> float:
        """The font size at which adjacent texts fit, in halves: the default or smaller."""
        length = sum(self._breadth_of(text, TEXT) for text in texts)
        return TEXT if length <= room else TEXT * room / length

    def _breadth_of(self, text: str, size: float) -> float:
        """Return the breadth of a text, in halves."""
        face = font(Weight.MEDIUM, max(1, round(self._half * size)))
        return face.getlength(_spaced(text) if face.size < _NARROW else text) / self._half

    def _dashes(self, y: float) -> None:
        """A dashed line across a panel, visible on light and dark grounds."""
        x, dash = LEFT, 0.3
        while x < RIGHT:
            end = min(x + dash, RIGHT)
            for breadth, ink in ((0.12, self._theme.accent_edge), (0.05, self._theme.label)):
                line = self._fine([(x, y), (end, y)])
                self._brush.line(line, fill=ink, width=self._breadth(breadth))
            x += 2 * dash

    def _trace(self, line: Sequence[Spot], ink: Rgb | None = None) -> None:
        """Draw a line with edges, in the accent's color if no other is given."""
        for breadth, colour in (
            (LINE + 2 * EDGE, self._theme.accent_edge),
            (LINE, ink or self._theme.accent),
        ):
            width = self._breadth(breadth)
            self._brush.line(self._fine(line), fill=colour, width=width, joint="curve")

    def _dot(self, spot: Spot, radius: float, *, full: bool) -> None:
        """Draw a dot, or a ring: they differ without colors."""
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
        """The line around a panel, in themes that have one."""
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
