"""The layer above the stacks: the player's choices, or moves to show.

A chosen stack has a thick outline around its space, and circles mark its landings. A move is an
arrow, or an outline around a placement. If there are several moves, each has a label (a number or
punctuation), and one that was not played is hollow.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

from PIL import Image

from renderer.arrow_places import SIGN, Spot
from renderer.geometry import Layout, Pixel, hexagon
from renderer.lettering import Weight, centred, font, lettering
from renderer.palette import Palette
from renderer.shapes import SoftMask, hard
from renderer.theme import Rgb, Theme

_LEVELS: Final = 4
"""Number of steps of a soft edge. More would not be visible."""

# Measures in halves (see geometry.Layout).
SHAFT: Final = 0.09  # half the width of an arrow's shaft
HEAD_BREADTH: Final = 0.27  # half the width of its head
_NEXT_BUT_ONE: Final = 3.0  # in halves: farther than an adjacent space, nearer than any other
# extra length at both ends of an arrow with a label, so that it shows beside the label
_REACH: Final = 0.16
_MARGIN: Final = 0.4  # around an arrow's two ends
_EDGE: Final = 0.05  # the dark edge around all marks
OUTLINE: Final = 0.04  # half the width of the outline around a placement
OUTLINE_AT: Final = 0.93  # from that outline to the center of the space
_CHOSEN: Final = 0.06  # half the width of the outline around a chosen stack
_CHOSEN_AT: Final = 0.965
_LANDING: Final = 0.045  # half the width of the circle around a landing
_LANDING_AT: Final = 0.89  # radius of that circle
_DASHED: Final = (0.86, 1.0)  # inner and outer radius of a dashed circle
_HOLLOW: Final = 1.5  # how much wider a hollow shaft or line is
_CORE: Final = 0.45  # dark share of its width
_SIGN_TEXT: Final = 0.72  # font size of a label


@dataclass(frozen=True, slots=True)
class Stroke:
    """The style of a mark: its color, and whether it is hollow or has a label."""

    ink: Rgb
    hollow: bool = False
    signed: bool = False


class ArrowParts(NamedTuple):
    """The parts of an arrow, in halves.

    Attributes:
        start: Distance from the center of its source to the dot there, which keeps the name
            readable.
        tail: Radius of the dot.
        head: Length of the head.
        short: Distance from its tip to the center of its target, so that it ends on the ring.
    """

    start: float
    tail: float
    head: float
    short: float


_FAR: Final = ArrowParts(start=0.68, tail=0.17, head=0.46, short=0.74)
# Between adjacent spaces there is little room, so everything is smaller to keep the shaft visible.
_NEAR: Final = ArrowParts(start=0.6, tail=0.11, head=0.36, short=0.6)


def arrow_parts(length: float) -> ArrowParts:
    """Return the parts of an arrow.

    `length` is the distance in halves between its spaces' centers.
    """
    return _NEAR if length < _NEXT_BUT_ONE else _FAR


class Coat:
    """A soft shape in one color that can be pasted onto any background."""

    def __init__(self, mask: Image.Image, ink: Rgb, palette: Palette) -> None:
        self._steps = []
        for level in range(1, _LEVELS + 1):
            low, high = ((level + shift) * 255 / _LEVELS for shift in (-0.5, 0.5))
            step = hard(mask, math.ceil(low), math.ceil(high))
            self._steps.append((step, palette.blend(ink, level / _LEVELS)))

    def lay(self, frame: Image.Image, left: int, top: int) -> None:
        """Paste the shape onto a frame of palette indices."""
        width, height = self._steps[0][0].size
        ground = frame.crop((left, top, left + width, top + height))
        for mask, table in self._steps:
            frame.paste(ground.point(table), (left, top), mask)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A shape with a dark edge, and the offset of its corner from its space."""

    left: int
    top: int
    coats: tuple[Coat, ...]

    def lay(self, frame: Image.Image, centre: Pixel) -> None:
        for coat in self.coats:
            coat.lay(frame, centre.x + self.left, centre.y + self.top)


class Overlay:
    """Draws the marks of one theme and size on frames of palette indices."""

    def __init__(self, theme: Theme, layout: Layout, palette: Palette) -> None:
        self._theme = theme
        self._half = layout.half
        # The area around a space: a tile, and a little more.
        self._size = (
            layout.tile_size[0] + 2 * layout.frame,
            layout.tile_size[1] + 2 * layout.frame,
        )
        self._middle = (self._size[0] / 2, self._size[1] / 2)
        self._palette = palette
        self._plain = Stroke(theme.accent)
        self._arrow = lru_cache(maxsize=128)(self._make_arrow)
        self._sign = lru_cache(maxsize=32)(self._make_sign)
        self._line = lru_cache(maxsize=6)(self._make_line)
        self._circle = lru_cache(maxsize=1)(self._make_circle)

    def arrow(
        self,
        frame: Image.Image,
        source: Pixel,
        target: Pixel,
        stroke: Stroke | None = None,
        aside: float = 0.0,
    ) -> None:
        """Draw an arrow from beside the center of a space to the rim of another space's stack.

        Args:
            frame: The picture.
            source: Center of the first space.
            target: Center of the other space.
            stroke: Style of the arrow, or None for the style of the last move.
            aside: Shift to its right, in halves.
        """
        across, down = target.x - source.x, target.y - source.y
        self._arrow(across, down, stroke or self._plain, aside).lay(frame, source)

    def sign(self, frame: Image.Image, text: str, space: Pixel, at: Spot, stroke: Stroke) -> None:
        """Draw a label: a disc with a number or punctuation.

        `at` is relative to the space's center.
        """
        middle = Pixel(space.x + round(at[0] * self._half), space.y + round(at[1] * self._half))
        self._sign(text, stroke).lay(frame, middle)

    def outline(self, frame: Image.Image, centre: Pixel, stroke: Stroke | None = None) -> None:
        """Draw an outline around a space."""
        self._line(OUTLINE_AT, OUTLINE, stroke or self._plain).lay(frame, centre)

    def chosen(self, frame: Image.Image, centre: Pixel) -> None:
        """Draw a thick outline around a space."""
        self._line(_CHOSEN_AT, _CHOSEN, self._plain).lay(frame, centre)

    def landing(self, frame: Image.Image, centre: Pixel) -> None:
        """Draw a circle around a space's stack."""
        self._circle().lay(frame, centre)

    def _make_arrow(self, across: int, down: int, stroke: Stroke, aside: float) -> _Mark:
        half, margin = self._half, math.ceil(self._half * (_MARGIN + abs(aside)))
        left, top = min(0, across) - margin, min(0, down) - margin
        size = (abs(across) + 2 * margin, abs(down) + 2 * margin)
        length = math.hypot(across, down)
        reach = _REACH if stroke.signed else 0.0
        parts = arrow_parts(length / half if not stroke.signed else _NEXT_BUT_ONE)
        start, tip = half * (parts.start - reach), length - half * (parts.short - reach)
        neck, moved = tip - half * parts.head, half * aside

        def place(along: float, beside: float) -> tuple[float, float]:
            """Return a point at a distance in pixels along the arrow and to its right."""
            beside += moved
            return (
                (across * along - down * beside) / length - left,
                (down * along + across * beside) / length - top,
            )

        def paint(mask: SoftMask, grow: float, share: float = 1.0) -> None:
            shaft = half * SHAFT * (_HOLLOW if stroke.hollow else 1.0) * share + grow
            mask.polygon(
                [place(start, -shaft), place(neck, -shaft), place(neck, shaft), place(start, shaft)]
            )
            # An edge of constant width around a pointed shape reaches farther at its points.
            barb = half * HEAD_BREADTH * share + grow * 1.7
            inset = (tip - neck) * (1 - share)
            base, end = neck - grow + inset * 0.35, tip + grow * 2 - inset * 0.65
            mask.polygon([place(base, -barb), place(end, 0), place(base, barb)])
            mask.disc(place(start, 0), half * parts.tail * share + grow)

        return _Mark(left, top, self._coats(size, paint, stroke))

    def _make_sign(self, text: str, stroke: Stroke) -> _Mark:
        reach = math.ceil(self._half * (SIGN + 2 * _EDGE))
        size, middle = (2 * reach, 2 * reach), (float(reach), float(reach))

        def paint(mask: SoftMask, grow: float, _share: float = 1.0) -> None:
            mask.disc(middle, self._half * (SIGN - _EDGE) + grow)

        face = font(Weight.BOLD, round(self._half * _SIGN_TEXT))
        letters = lettering(text, face)
        written = Image.new("L", size)
        written.paste(letters, centred(letters, face, middle))
        ink = Coat(written, self._theme.accent_edge, self._palette)
        return _Mark(-reach, -reach, (*self._coats(size, paint, Stroke(stroke.ink)), ink))

    def _make_line(self, at: float, breadth: float, stroke: Stroke) -> _Mark:
        def paint(mask: SoftMask, grow: float, share: float = 1.0) -> None:
            broad = _HOLLOW if stroke.hollow else 1.0
            aside = self._half * breadth * broad * share + grow
            mask.polygon(hexagon(self._middle, self._half * at + aside))
            mask.polygon(hexagon(self._middle, self._half * at - aside), value=0)

        return self._around_space(self._coats(self._size, paint, stroke))

    def _make_circle(self) -> _Mark:
        if self._theme.dashed_landing:
            return self._around_space(self._dashed())

        def paint(mask: SoftMask, grow: float, _share: float = 1.0) -> None:
            aside = self._half * _LANDING + grow
            mask.disc(self._middle, self._half * _LANDING_AT + aside)
            mask.disc(self._middle, self._half * _LANDING_AT - aside, value=0)

        return self._around_space(self._coats(self._size, paint, Stroke(self._theme.landing)))

    def _dashed(self) -> tuple[Coat, ...]:
        """Return a dashed circle on its own background."""
        ground, dashes = SoftMask(self._size), SoftMask(self._size)
        ground.disc(self._middle, self._half * 1.04)
        ground.disc(self._middle, self._half * _DASHED[0], value=0)
        breadth = self._half * (_DASHED[1] - _DASHED[0])
        dashes.dashes(self._middle, self._half * _DASHED[1], breadth, count=10)
        inks = (ground, self._theme.accent_edge), (dashes, self._theme.landing)
        return tuple(Coat(mask.image(), ink, self._palette) for mask, ink in inks)

    def _around_space(self, coats: tuple[Coat, ...]) -> _Mark:
        return _Mark(-self._size[0] // 2, -self._size[1] // 2, coats)

    def _coats(self, size: tuple[int, int], paint: "_Paint", stroke: Stroke) -> tuple[Coat, ...]:
        """Return a shape with a dark edge, and a dark inside if it is hollow."""
        edge, dark = max(1.0, self._half * _EDGE), self._theme.accent_edge
        layers = [(edge, 1.0, dark), (0.0, 1.0, stroke.ink)]
        if stroke.hollow:
            layers.append((0.0, _CORE, dark))
        coats = []
        for grow, share, colour in layers:
            mask = SoftMask(size)
            paint(mask, grow, share)
            coats.append(Coat(mask.image(), colour, self._palette))
        return tuple(coats)


class _Paint(Protocol):
    """Paints a shape, enlarged by some pixels, or with a share (0 to 1) of its width."""

    def __call__(self, mask: SoftMask, grow: float, share: float = 1.0, /) -> None: ...
