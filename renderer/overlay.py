"""Marks above the stacks: choices, landings, arrows and labels.

A chosen stack has a thick outline around its space, and circles mark its landings. A movement is an
arrow, and a placement is an outline. If there are several moves, each has a label (a number or
punctuation), and a move that was not played is hollow.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from PIL import Image

from dvonn.svg.arrows import CIRCLE, CIRCLE_AT, EDGE, OUTLINE, OUTLINE_AT, Spot, arrow_shape
from dvonn.svg.geometry import Layout, Pixel, hexagon
from dvonn.svg.theme import Rgb, Theme
from renderer.arrow_places import LABEL_RADIUS
from renderer.lettering import Weight, centred, font, lettering
from renderer.palette import Palette
from renderer.shapes import SoftMask, hard

_LEVELS: Final = 4
"""Number of shades in a soft edge. More would not be visible."""

# Lengths in half-cells (see `dvonn.svg.geometry`).
_MARGIN: Final = 0.4  # margin around both ends of an arrow
_CHOSEN: Final = 0.06  # half the width of the outline around a chosen stack
_CHOSEN_AT: Final = 0.965
_DASHED: Final = (0.86, 1.0)  # inner and outer radius of a dashed circle
_HOLLOW: Final = 1.5  # factor for the width of a hollow line
_CORE: Final = 0.45  # dark share of a hollow line's width
_LABEL_TEXT: Final = 0.72  # font size of a label


@dataclass(frozen=True, slots=True)
class Stroke:
    """The style of a mark: its color, whether it is hollow, and whether it has a label."""

    ink: Rgb
    hollow: bool = False
    labeled: bool = False


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
    """A shape with a dark edge, and the offset of its upper left corner from a space's center."""

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
        # The area around a space: a little more than a tile.
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
            aside: Shift to the arrow's right, in half-cells.
        """
        across, down = target.x - source.x, target.y - source.y
        self._arrow(across, down, stroke or self._plain, aside).lay(frame, source)

    def label(self, frame: Image.Image, text: str, space: Pixel, at: Spot, stroke: Stroke) -> None:
        """Draw a label: a disc with a number or punctuation.

        `at` is relative to the space's center, in half-cells.
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

        def paint(mask: SoftMask, grow: float, share: float = 1.0) -> None:
            shape = arrow_shape(
                (across, down),
                half,
                aside=aside,
                labeled=stroke.labeled,
                hollow=stroke.hollow,
                grow=grow,
                share=share,
            )
            for corners in (shape.shaft, shape.head):
                mask.polygon([(x - left, y - top) for x, y in corners])
            mask.disc((shape.dot[0] - left, shape.dot[1] - top), shape.radius)

        return _Mark(left, top, self._coats(size, paint, stroke))

    def _make_sign(self, text: str, stroke: Stroke) -> _Mark:
        reach = math.ceil(self._half * (LABEL_RADIUS + 2 * EDGE))
        size, middle = (2 * reach, 2 * reach), (float(reach), float(reach))

        def paint(mask: SoftMask, grow: float, _share: float = 1.0) -> None:
            mask.disc(middle, self._half * (LABEL_RADIUS - EDGE) + grow)

        face = font(Weight.BOLD, round(self._half * _LABEL_TEXT))
        letters = lettering(text, face)
        label = Image.new("L", size)
        label.paste(letters, centred(letters, face, middle))
        ink = Coat(label, self._theme.accent_edge, self._palette)
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
            aside = self._half * CIRCLE + grow
            mask.disc(self._middle, self._half * CIRCLE_AT + aside)
            mask.disc(self._middle, self._half * CIRCLE_AT - aside, value=0)

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
        """Return the layers of a shape with a dark edge, and with a dark inside if it is hollow."""
        edge, dark = max(1.0, self._half * EDGE), self._theme.accent_edge
        layers = [(edge, 1.0, dark), (0.0, 1.0, stroke.ink)]
        if stroke.hollow:
            layers.append((0.0, _CORE, dark))
        coats = []
        for grow, share, color in layers:
            mask = SoftMask(size)
            paint(mask, grow, share)
            coats.append(Coat(mask.image(), color, self._palette))
        return tuple(coats)


class _Paint(Protocol):
    """A function that paints a shape, grown by some pixels, with a share (0 to 1) of its width."""

    def __call__(self, mask: SoftMask, grow: float, share: float = 1.0, /) -> None: ...
