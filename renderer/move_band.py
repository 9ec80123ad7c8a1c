"""The path of the last move: a band below the stacks, from the source to the target."""

from functools import lru_cache

from PIL import Image

from dvonn import Point
from dvonn.svg.arrows import way_corners
from dvonn.svg.geometry import Layout
from dvonn.svg.theme import Theme
from renderer.overlay import Coat
from renderer.palette import Palette
from renderer.shapes import SoftMask


class MoveBand:
    """Draws the paths of moves onto frames of palette indices, for one theme and board size."""

    def __init__(self, theme: Theme, layout: Layout, palette: Palette) -> None:
        self._theme = theme
        self._layout = layout
        self._palette = palette
        self._coat = lru_cache(maxsize=128)(self._make_coat)

    def lay(self, frame: Image.Image, source: Point | None, target: Point | None) -> None:
        """Draw the path between two spaces, unless there is no source or they are adjacent."""
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
