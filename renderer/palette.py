"""A fixed palette for all pictures of a theme, with lookup tables for blending.

While a picture is rendered, it is always an image of palette indices (mode L), called a frame,
without conversions. Lookup tables replace blending: `ramp` for a color on a known background, and
`blend` for a color on any background.
"""

import math
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import islice
from typing import Final

from PIL import Image

from dvonn.svg.theme import BLACK, WHITE, Rgb, Theme, mix
from renderer.faces import COLORS, shades
from renderer.shapes import hard

_SIZE: Final = 256
UNUSED: Final = 255
"""Index without a color, used for transparent pixels of an animation."""
_APART: Final = (6, 24)
"""Minimum distance between two palette colors, in levels of red, green and blue. The first number
is for areas, and the second for soft edges.

Soft edges look good with fewer shades, which make files smaller.
"""


class Palette:
    """At most 255 colors for a theme.

    Attributes:
        colors: The colors by index.
        index: Maps a color to the index of the nearest palette color.
        ramp: Maps (ground, ink) to a table from coverage (0 to 255) to an index.
        blend: Maps (ink, share) to a table from an index to the index of its color blended with the
            ink.
    """

    def __init__(self, theme: Theme) -> None:
        self._image = Image.new("P", (1, 1))
        self._take(tuple(islice(_distinct(_areas(theme), _edges(theme)), UNUSED)))
        # Pillow's search for the nearest color is approximate, so drop colors that it never finds.
        while len(nearest := set(self._nearest(self.colors))) < len(self.colors):
            self._take(tuple(self.colors[index] for index in sorted(nearest)))
        self._canvas = theme.canvas
        self.index = lru_cache(maxsize=64)(self._make_index)
        self.ramp = lru_cache(maxsize=32)(self._make_ramp)
        self.blend = lru_cache(maxsize=32)(self._make_blend)

    def indices(self, image: Image.Image) -> Image.Image:
        """Convert an RGB image to indices (mode L) of the nearest colors."""
        return _indices(image, self._image)

    def indices_of_face(self, image: Image.Image) -> Image.Image:
        """Convert an RGB image of a face to palette indices.

        Only this method uses the faces' colors, so the rest of a picture looks the same with and
        without a face.
        """
        return _indices(image, self._with_faces)

    def finish(self, frame: Image.Image) -> None:
        """Convert an image of indices (mode L) to a palette image (mode P), in place."""
        frame.putpalette(self.rgb)

    @cached_property
    def rgb(self) -> bytes:
        """The theme's own colors and then the faces' colors, three bytes each.

        All pictures have the same palette, with or without a face, so their bytes don't depend on
        which pictures were drawn before. The faces' colors take 0.2 KiB of a picture.
        """
        room = UNUSED - len(self.colors)
        return _bytes((*self.colors, *islice(_distinct(COLORS, shades(self._canvas)), room)))

    def rgb_table(self) -> bytes:
        """Return `rgb`, padded with black to 256 entries."""
        return self.rgb.ljust(3 * _SIZE, b"\0")

    @cached_property
    def _with_faces(self) -> Image.Image:
        image = Image.new("P", (1, 1))
        image.putpalette(self.rgb)
        return image

    def _take(self, colors: tuple[Rgb, ...]) -> None:
        self.colors = colors
        self._image.putpalette(_bytes(colors))

    def inked(self, letters: Image.Image, ground: Rgb, ink: Rgb) -> tuple[Image.Image, Image.Image]:
        """Return text in a color on a background, and a mask (mode L) of where it is."""
        return letters.point(self.ramp(ground, ink)), hard(letters, 1).convert("L")

    def _make_index(self, color: Rgb) -> int:
        return self._nearest((color,))[0]

    def _make_ramp(self, ground: Rgb, ink: Rgb) -> list[int]:
        """Return a table from ink coverage (0 to 255) to the index of the mixed color."""
        return self._nearest(mix(ground, ink, coverage / 255) for coverage in range(256))

    def _make_blend(self, ink: Rgb, share: float) -> list[int]:
        """Return a table from an index to the index of its color blended with a share of ink."""
        nearest = self._nearest(mix(color, ink, share) for color in self.colors)
        return nearest + [0] * (_SIZE - len(nearest))

    def _nearest(self, colors: Iterable[Rgb]) -> list[int]:
        values = _bytes(colors)
        return list(self.indices(Image.frombytes("RGB", (len(values) // 3, 1), values)).tobytes())


def _bytes(colors: Iterable[Rgb]) -> bytes:
    return bytes(channel for color in colors for channel in color)


def _indices(image: Image.Image, palette: Image.Image) -> Image.Image:
    quantised = image.quantize(palette=palette, dither=Image.Dither.NONE)
    return Image.frombytes("L", quantised.size, quantised.tobytes())


def _distinct(*groups: Iterable[Rgb]) -> Iterator[Rgb]:
    """Yield the colors, except those that are too similar to an earlier one."""
    distinct: list[Rgb] = []
    for colors, apart in zip(groups, _APART, strict=True):
        for color in colors:
            if all(math.dist(color, other) >= apart for other in distinct):
                distinct.append(color)
                yield color


def _gradient(count: int, *stops: Rgb) -> Iterator[Rgb]:
    """Yield `count` colors of the gradient through the stops, evenly spaced."""
    for number in range(count):
        at = number * (len(stops) - 1) / (count - 1)
        leg = min(int(at), len(stops) - 2)
        yield mix(stops[leg], stops[leg + 1], at - leg)


def _areas(theme: Theme) -> Iterator[Rgb]:
    """Yield the theme's colors of plain areas."""
    shadow = theme.shadow
    players = [theme.white, theme.black]
    dimmed = [theme.dimmed(piece) for piece in players]
    yield from (theme.canvas, theme.frame, theme.cell, theme.text, theme.accent, theme.accent_edge)
    yield theme.chip
    yield from (theme.mark, theme.mark_edge, shadow, theme.landing, theme.movable, theme.label)
    yield theme.movable_edge
    for ground in (theme.cell, theme.moved):
        yield from (ground, theme.lit(ground), theme.shaded(ground))
    yield from (theme.quiet_text, theme.cell_label, theme.quiet_label, *theme.heat)
    for piece in (*players, theme.red, *dimmed):
        yield from (piece.top, piece.well, piece.side, piece.seam, piece.ink)
        if piece.rim is not None:
            yield piece.rim
    yield from (theme.chart_ground, theme.band)


def _edges(theme: Theme) -> Iterator[Rgb]:
    """Yield the colors of light and shade, and of the edges between areas."""
    shadow = theme.shadow
    players = [theme.white, theme.black]
    yield from _gradient(5, theme.chip, theme.text)
    yield from _gradient(3, theme.accent, theme.chip)
    yield from _lines(theme)
    for piece in (*players, theme.red):
        yield from _gradient(14, mix(piece.top, BLACK, 0.75), piece.top, mix(piece.top, WHITE, 0.6))
    yield from _piece_edges(theme)
    for ground in (theme.mark, theme.cell, theme.black.side, theme.red.top, theme.red.well):
        yield from _gradient(5, theme.mark_edge, ground)
    for ink in (theme.text, theme.label, theme.quiet_text):
        yield from _gradient(8, theme.canvas, ink)
    for ink in (theme.cell_label, theme.quiet_label, theme.frame, shadow, theme.moved):
        yield from _gradient(5, theme.cell, ink)
    yield from _gradient(4, theme.movable, theme.movable_edge)
    yield from _gradient(4, theme.moved, theme.cell_label)
    yield from _gradient(4, theme.frame, theme.canvas)
    for ground in (theme.accent, theme.cell, theme.white.top, theme.black.top, theme.mark):
        yield from _gradient(5, ground, theme.accent_edge)
    for ground in (theme.accent_edge, theme.cell):
        yield from _gradient(5, theme.landing, ground)
    yield from _heat(theme)


def _piece_edges(theme: Theme) -> Iterator[Rgb]:
    """Yield the colors of the soft edges of pieces, and of numbers and marks on them."""
    players = [theme.white, theme.black]
    for piece in (*players, theme.red, *map(theme.dimmed, players)):
        yield from _gradient(7, piece.well, piece.ink)
        edge = mix(piece.top, BLACK, 0.45)
        yield from _gradient(5, edge, theme.cell)
        yield from _gradient(4, edge, theme.shadow)
        yield from _gradient(4, edge, piece.top)
        yield from _gradient(4, piece.seam, piece.side)
    for piece in players:
        yield from _gradient(
            5, theme.cell, piece.top
        )  # dashed outlines of stacks that were just removed


def _lines(theme: Theme) -> Iterator[Rgb]:
    """Yield the colors for lines on pieces, in themes that have such lines."""
    for piece in (theme.white, theme.black, theme.red):
        if piece.rim is not None:
            for ground in (piece.top, piece.well, theme.cell):
                yield from _gradient(5, piece.rim, ground)
        if piece.hatch is not None:
            yield from _gradient(5, piece.hatch, piece.top)


def _heat(theme: Theme) -> Iterator[Rgb]:
    for shade, ground in enumerate(theme.heat):
        yield from _gradient(5, ground, theme.heat_ink(shade))
