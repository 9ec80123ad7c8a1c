"""The path of the last move: a band below the stacks, from its source to its target."""

import math
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image

from dvonn import Point
from renderer.geometry import Layout
from renderer.overlay import Coat
from renderer.palette import Palette
from renderer.shapes import SoftMask
from renderer.theme import Theme

# Measures in halves (see geometry.Layout).
_BREADTH: Final = 0.19  # half the width of the band
_HEAD: Final = 0.5  # half the width of its head
_LENGTH: Final = 0.62  # length of the head
_SHORT: Final = 0.98  # from both ends to the centers of the two spaces
NEXT: Final = 3.0  # more than the distance to an adjacent space

Spot = tuple[float, float]


class Corner(NamedTuple):
    """A corner of the band, by its distance along the band and to the side.

    The distance along it is measured from the source, or from the target if `far`.
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
    """Return the corners of the band with its head, or none if the two spaces are adjacent."""
    across, down = target[0] - source[0], target[1] - source[1]
    length = math.hypot(across, down)
    if length < half * NEXT:
        return []
    across, down, places = across / length, down / length, []
    for corner in CORNERS:
        along, beside = half * corner.along + corner.far * length, half * corner.beside
        x, y = across * along - down * beside, down * along + across * beside
        places.append((source[0] + x, source[1] + y))
    return places


class MoveBand:
    """Draws the paths of moves on boards of one theme and size, as frames of palette indices."""

    def __init__(self, theme: Theme, layout: Layout, palette: Palette) -> None:
        self._theme = theme
        self._layout = layout
        self._palette = palette
        self._coat = lru_cache(maxsize=128)(self._make_coat)

    def lay(self, frame: Image.Image, source: Point | None, target: Point | None) -> None:
        """Draw the path between two spaces, if there is one."""
        if source is None or target is None:
            return
        start, end = self._layout.centre(source), self._layout.centre(target)
        coat = self._coat(end.x - start.x, end.y - start.y)
        if coat is not None:
            left, top = min(start.x, end.x), min(start.y, end.y)
            coat.lay(frame, left - self._layout.half, top - self._layout.half)

    def _make_coat(self, across: int, down: int) -> Coat | None:
        half = self._layout.half
        start = half + max(0, -across), half + max(0, -down)
        corners = way_corners(start, (start[0] + across, start[1] + down), half)
        if not corners:
            return None
        mask = SoftMask((abs(across) + 2 * half, abs(down) + 2 * half))
        mask.polygon(corners)
        return Coat(mask.image(), self._theme.moved, self._palette)
