"""The last move, drawn over what stands on the board: an arrow, or a line around a placement."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image

from renderer.geometry import Layout, Pixel, hexagon
from renderer.palette import Palette
from renderer.shapes import SoftMask, hard
from renderer.theme import Rgb, Theme

_LEVELS: Final = 4
"""How many steps a soft edge has; more cannot be seen."""

# Measures in halves (see geometry.Layout).
_SHAFT: Final = 0.09  # half the breadth of an arrow's shaft
_HEAD_LENGTH: Final = 0.46
_HEAD_BREADTH: Final = 0.27  # half of it
_TAIL: Final = 0.20  # radius of the dot from which an arrow starts
_SHORT: Final = 0.74  # from the arrow's tip to the middle of its target: it ends on the ring
_MARGIN: Final = 0.4  # around an arrow's two ends
_EDGE: Final = 0.05  # the dark line around all marks
_OUTLINE: Final = 0.04  # half the breadth of the line around a placement
_OUTLINE_AT: Final = 0.93  # from that line to the middle of the space


class _Coat:
    """A soft shape in one ink that can be laid on any ground."""

    def __init__(self, mask: Image.Image, ink: Rgb, palette: Palette) -> None:
        self._steps = []
        for level in range(1, _LEVELS + 1):
            low, high = ((level + shift) * 255 / _LEVELS for shift in (-0.5, 0.5))
            step = hard(mask, math.ceil(low), math.ceil(high))
            self._steps.append((step, palette.blend(ink, level / _LEVELS)))

    def lay(self, frame: Image.Image, left: int, top: int) -> None:
        """Lay the shape on a frame of palette indices."""
        width, height = self._steps[0][0].size
        ground = frame.crop((left, top, left + width, top + height))
        for mask, table in self._steps:
            frame.paste(ground.point(table), (left, top), mask)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A shape with a dark line around it, and where its corner is from the space it belongs to."""

    left: int
    top: int
    coats: tuple[_Coat, ...]

    def lay(self, frame: Image.Image, centre: Pixel) -> None:
        for coat in self.coats:
            coat.lay(frame, centre.x + self.left, centre.y + self.top)


class Marks:
    """Draws the marks of one theme and size on frames of palette indices."""

    def __init__(self, theme: Theme, layout: Layout, palette: Palette) -> None:
        self._theme = theme
        self._half = layout.half
        self._tile_size = layout.tile_size
        self._palette = palette
        self._arrow = lru_cache(maxsize=128)(self._make_arrow)
        self._outline = lru_cache(maxsize=1)(self._make_outline)

    def arrow(self, frame: Image.Image, source: Pixel, target: Pixel) -> None:
        """An arrow from the middle of a space to the rim of what stands on another."""
        self._arrow(target.x - source.x, target.y - source.y).lay(frame, source)

    def outline(self, frame: Image.Image, centre: Pixel) -> None:
        """A line around a space."""
        self._outline().lay(frame, centre)

    def _make_arrow(self, across: int, down: int) -> _Mark:
        half, margin = self._half, math.ceil(self._half * _MARGIN)
        left, top = min(0, across) - margin, min(0, down) - margin
        size = (abs(across) + 2 * margin, abs(down) + 2 * margin)
        length = math.hypot(across, down)
        neck, tip = length - half * (_SHORT + _HEAD_LENGTH), length - half * _SHORT

        def place(along: float, aside: float) -> tuple[float, float]:
            """A point so many pixels along the arrow and to its right."""
            return (
                (across * along - down * aside) / length - left,
                (down * along + across * aside) / length - top,
            )

        def paint(mask: SoftMask, grow: float) -> None:
            shaft = half * _SHAFT + grow
            mask.polygon(
                [place(0, -shaft), place(neck, -shaft), place(neck, shaft), place(0, shaft)]
            )
            # A line of even breadth around a pointed shape reaches farther at its points.
            barb = half * _HEAD_BREADTH + grow * 1.7
            mask.polygon(
                [place(neck - grow, -barb), place(tip + grow * 2, 0), place(neck - grow, barb)]
            )
            mask.disc(place(0, 0), half * _TAIL + grow)

        return _Mark(left, top, self._coats(size, paint))

    def _make_outline(self) -> _Mark:
        width, height = self._tile_size
        middle = (width / 2, height / 2)

        def paint(mask: SoftMask, grow: float) -> None:
            at, breadth = self._half * _OUTLINE_AT, self._half * _OUTLINE + grow
            mask.polygon(hexagon(middle, at + breadth))
            mask.polygon(hexagon(middle, at - breadth), value=0)

        return _Mark(-width // 2, -height // 2, self._coats(self._tile_size, paint))

    def _coats(
        self, size: tuple[int, int], paint: Callable[[SoftMask, float], None]
    ) -> tuple[_Coat, ...]:
        edge = max(1.0, self._half * _EDGE)
        coats = []
        for grow, ink in ((edge, self._theme.accent_edge), (0.0, self._theme.accent)):
            mask = SoftMask(size)
            paint(mask, grow)
            coats.append(_Coat(mask.image(), ink, self._palette))
        return tuple(coats)
