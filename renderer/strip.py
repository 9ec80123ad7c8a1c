"""Drawing of the header row on frames of palette indices. `renderer.head` has its layout."""

import math
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from dvonn import Color
from dvonn.svg.geometry import Layout
from dvonn.svg.theme import Rgb, Theme
from renderer.faces import face
from renderer.head import CHIP, ICON, MIDDLE, Chip, HeadText, head_of
from renderer.lettering import Weight, fitting, lettering
from renderer.palette import Palette
from renderer.scene import Scene
from renderer.shapes import SoftMask, lay
from renderer.words import Words

_FINE: Final = 4
BASELINE: Final = 0.335
"""Distance of the baseline below the center of the row, as a fraction of the font size."""
RIM: Final = 0.075  # width of the rim of a piece's icon, in half-cells
STAR: Final = 0.34  # radius of the winner's star, in half-cells
_FACE: Final = 1.34  # width of the machine's face in half-cells, which may extend beyond its chip


class Strip:
    """Draws the header row above the board, for one theme and width."""

    def __init__(self, theme: Theme, layout: Layout, palette: Palette) -> None:
        self._theme = theme
        self._layout = layout
        self._half = layout.half
        self._palette = palette
        self._chip = lru_cache(maxsize=128)(self._make_chip)
        self._icon = lru_cache(maxsize=8)(self._make_icon)
        self._star = lru_cache(maxsize=1)(self._make_star)
        self._face = lru_cache(maxsize=8)(self._make_face)
        self._line = lru_cache(maxsize=256)(self._make_line)

    def warm_up(self) -> None:
        """Fill the cache with the icons of the pieces."""
        for color in Color:
            for ground in (self._theme.chip, self._theme.accent):
                self._icon(color.value, ground)
        self._icon("R", self._theme.canvas)

    def render(self, frame: Image.Image, scene: Scene, words: Words) -> None:
        """Draw the header row above a board."""
        head = head_of(scene, words, self._layout.width / self._half)
        for chip in head.chips:
            lay(frame, self._chip(chip), (self._pixels(chip.left), 0))
        if head.red is not None:
            self._put(frame, self._icon("R", self._theme.canvas), head.red)
        if head.phrases is not None:
            self._write(frame, head.phrases, self._theme.canvas, self._theme.text)

    def _make_chip(self, chip: Chip) -> Image.Image:
        """Render a player's chip in the header row."""
        theme, size = self._theme, (self._layout.width, self._layout.strip_height)
        row = Image.new("L", size, self._palette.index(theme.canvas))
        ground, ink, quiet = theme.chip, theme.text, theme.quiet_text
        if chip.marked:
            ground, ink, quiet = theme.accent, theme.accent_edge, theme.accent_edge
        left, right = self._pixels(chip.left), self._pixels(chip.right)
        drawn = self._make_ground(right - left, ground)
        lay(row, drawn, (left, self._pixels(MIDDLE) - drawn.height // 2))
        self._put(row, self._icon(chip.color.value, ground), chip.icon)
        if chip.star is not None:
            self._put(row, self._star(ground), chip.star)
        if chip.face is not None:
            number, at = chip.face
            drawn = self._face(number, ground)
            self._put(row, drawn, at, self._round(drawn.width))
        for line, color in ((chip.name, ink), (chip.score, ink), (chip.lost, quiet)):
            if line is not None:
                self._write(row, line, ground, color)
        return row.crop((left, 0, right, row.height))

    def _put(
        self, frame: Image.Image, image: Image.Image, at: float, mask: Image.Image | None = None
    ) -> None:
        """Paste an image, vertically centered in the row."""
        x, y = self._pixels(at), self._pixels(MIDDLE)
        lay(frame, image, (x - image.width // 2, y - image.height // 2), mask)

    def _write(self, frame: Image.Image, line: HeadText, ground: Rgb, ink: Rgb) -> None:
        drawn = self._line(line.text, line.weight, line.size, line.room, ground, ink)
        baseline = self._pixels(MIDDLE) + round(drawn.size * BASELINE)
        lay(frame, drawn.image, (self._pixels(line.left), baseline - drawn.ascent), drawn.mask)

    def _make_ground(self, width: int, ground: Rgb) -> Image.Image:
        """Render the rounded background of a player's chip."""
        height = 2 * self._pixels(CHIP)
        size = (width * _FINE, height * _FINE)
        chip = Image.new("RGB", size, self._theme.canvas)
        ImageDraw.Draw(chip).rounded_rectangle(
            (0, 0, size[0] - 1, size[1] - 1), size[1] / 2, fill=ground
        )
        return self._palette.indices(chip.reduce(_FINE))

    def _make_icon(self, piece: str, ground: Rgb) -> Image.Image:
        """Return a piece as a disc, with an outline that is visible on any background."""
        theme, colors = self._theme, self._theme.piece(piece)
        line = colors.rim or colors.seam
        coats = (0.0, theme.cell), (RIM, line), (RIM + 0.035, colors.top)
        image, brush, middle = self._canvas(ICON, ground)
        for inset, color in coats:
            reach = (ICON - inset) * self._half * _FINE
            brush.ellipse((middle - reach, middle - reach, middle + reach, middle + reach), color)
        return self._palette.indices(image.reduce(_FINE))

    def _make_star(self, ground: Rgb) -> Image.Image:
        image, brush, middle = self._canvas(STAR, ground)
        reach = STAR * self._half * _FINE
        brush.polygon(star(middle, middle, reach), fill=self._theme.accent_edge)
        return self._palette.indices(image.reduce(_FINE))

    def _canvas(self, reach: float, ground: Rgb) -> tuple[Image.Image, ImageDraw.ImageDraw, int]:
        """Return an image for a round shape, a brush for it, and its center's coordinate."""
        middle = math.ceil(reach * self._half)
        image = Image.new("RGB", (2 * middle * _FINE, 2 * middle * _FINE), ground)
        return image, ImageDraw.Draw(image), middle * _FINE

    def _make_face(self, number: int, ground: Rgb) -> Image.Image:
        drawn = face(number, self._pixels(_FACE), ground)
        return self._palette.indices_of_face(drawn)

    def _round(self, size: int) -> Image.Image:
        """Return a disc as a mask."""
        disc = SoftMask((size, size))
        disc.disc((size / 2, size / 2), size / 2)
        return disc.stencil().convert("L")

    def _make_line(
        self, text: str, weight: Weight, size: float, room: float, ground: Rgb, ink: Rgb
    ) -> "_Line":
        """Return a line of text, in a smaller font if rounding to pixels makes it too wide."""
        drawn = fitting(weight, self._pixels(size), text, math.ceil(room * self._half))
        label, mask = self._palette.inked(lettering(text, drawn), ground, ink)
        return _Line(label, mask, drawn.getmetrics()[0], drawn.size)

    def _pixels(self, halves: float) -> int:
        return round(self._half * halves)


class _Line(NamedTuple):
    image: Image.Image  # palette indices
    mask: Image.Image
    ascent: int  # from the top to the baseline, in pixels
    size: float  # font size in pixels


def star(x: float, y: float, reach: float) -> list[tuple[float, float]]:
    """Return the corners of a five-pointed star.

    `reach` is the distance from the center to the points.
    """
    turns = (
        (math.pi * number / 5, reach if number % 2 == 0 else reach * 0.45) for number in range(10)
    )
    return [(x + away * math.sin(turn), y - away * math.cos(turn)) for turn, away in turns]
