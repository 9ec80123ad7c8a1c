"""One fixed palette for all frames of a theme, and drawing in its terms.

A frame is an image of palette indices from beginning to end: nothing is converted while it is made.
Soft edges are tables instead: `ramp` for ink on a known ground, `blend` for ink on anything.
"""

from collections.abc import Iterable
from functools import cache

from PIL import Image

from renderer.theme import Piece, Rgb, Theme

SIZE = 256
# How strongly a piece that may not move fades into its space, 0 to 1.
DIMMING = 0.42


def mix(a: Rgb, b: Rgb, share: float) -> Rgb:
    """The colour that has `share` (0 to 1) of b and the rest of a."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue


class Palette:
    """The 256 colours of a theme."""

    def __init__(self, theme: Theme) -> None:
        colours = list(dict.fromkeys(_colours(theme)))[:SIZE]
        self.colours: tuple[Rgb, ...] = tuple(colours)
        self._bytes = bytes(channel for colour in colours for channel in colour)
        self._image = Image.new("P", (1, 1))
        self._image.putpalette(self._bytes)

    def indices(self, image: Image.Image) -> Image.Image:
        """An RGB image as an image of indices (mode L)."""
        quantised = image.quantize(palette=self._image, dither=Image.Dither.NONE)
        return Image.frombytes("L", quantised.size, quantised.tobytes())

    def index(self, colour: Rgb) -> int:
        """The index of the colour that is nearest to one."""
        return self._lookup([colour])[0]

    @cache  # noqa: B019  a palette lives as long as its theme's pictures, and these few with it
    def ramp(self, ground: Rgb, ink: Rgb) -> list[int]:
        """From coverage (0 to 255) to the index of ink that covers a ground so far."""
        return self._lookup(mix(ground, ink, share / 255) for share in range(256))

    @cache  # noqa: B019  the same
    def blend(self, ink: Rgb, share: float) -> list[int]:
        """From an index to the index of its colour with a share of ink on it."""
        found = self._lookup(mix(colour, ink, share) for colour in self.colours)
        return found + [0] * (SIZE - len(found))

    def finish(self, frame: Image.Image) -> None:
        """Make an image of indices (mode L) a picture in colour (mode P), in place."""
        frame.putpalette(self._bytes)

    def _lookup(self, colours: Iterable[Rgb]) -> list[int]:
        wanted = bytes(channel for colour in colours for channel in colour)
        row = Image.frombytes("RGB", (len(wanted) // 3, 1), wanted)
        return list(self.indices(row).tobytes())


def _ramp(count: int, *stops: Rgb) -> Iterable[Rgb]:
    """So many colours from the first stop to the last, evenly along the way."""
    for i in range(count):
        at = i * (len(stops) - 1) / (count - 1)
        leg = min(int(at), len(stops) - 2)
        yield mix(stops[leg], stops[leg + 1], at - leg)


def _colours(theme: Theme) -> Iterable[Rgb]:
    """The colours that pictures of a theme are made of, the most needed first."""
    yield from (theme.canvas, theme.frame, theme.cell, theme.text, theme.accent, theme.accent_edge)
    yield from (theme.mark, theme.mark_edge)
    light = (255, 255, 255)
    for piece, shades in ((theme.white, 26), (theme.black, 28), (theme.red, 22)):
        dark = mix(piece.base, (0, 0, 0), 0.8)
        yield from _ramp(shades, dark, piece.base, mix(piece.base, light, 0.75))
        yield from _ramp(8, mix(piece.base, (0, 0, 0), 0.45), theme.cell)
        yield from _ramp(8, piece.well, piece.ink)
    for piece in (theme.white, theme.black):
        dark, base, well = (
            mix(c, theme.cell, DIMMING)
            for c in (mix(piece.base, (0, 0, 0), 0.5), piece.base, piece.well)
        )
        yield from _ramp(14, dark, base, mix(base, light, 0.2))
        yield from _ramp(7, well, piece.ink)
        yield from _ramp(6, dark, theme.cell)
        yield from _ramp(6, theme.cell, piece.base)
    yield from _ramp(6, theme.mark, theme.mark_edge)
    yield from _ramp(5, theme.mark_edge, theme.black.base)
    yield from _ramp(8, theme.canvas, theme.text)
    yield from _ramp(6, theme.canvas, theme.label)
    yield from _ramp(5, theme.canvas, theme.quiet_text)
    yield from _ramp(6, theme.cell, theme.cell_label)
    yield from _ramp(6, theme.cell, theme.frame)
    yield from _ramp(5, theme.frame, theme.canvas)
    yield from _ramp(5, theme.accent_edge, theme.accent)
    for ground in (theme.cell, theme.white.base, theme.black.base):
        yield from _ramp(5, ground, theme.accent_edge)
