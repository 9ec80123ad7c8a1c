"""The tiles that a board is laid with: a space, and what stands or stood on it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from PIL import Image, ImageChops

from dvonn import Piece
from renderer.geometry import diamond, hexagon, tile_size
from renderer.lettering import Weight, centred, font, lettering
from renderer.shading import Ring
from renderer.shapes import SoftMask, hard
from renderer.theme import PieceColours, Rgb, Theme

# Measures in halves (see geometry.Layout).
OUTER: Final = 0.83  # radius of a ring
HOLE: Final = 0.53  # wide enough for the name of the space
_DIMMED_OUTER: Final = 0.74  # a stack that may not move is thinner, and flat
_NAME: Final = (0.5, 0.4)  # half the breadth and height in which a single piece shows its space
_WINDOW: Final = 0.53  # radius in which an arrow goes below what it crosses
_LINE: Final = 0.021  # half the line around a stack that may move
_LINE_AT: Final = 0.925  # from that line to the middle of the space
DASH: Final = 0.1  # the breadth of the dashed line of a stack that has just left
INLAY: Final = 0.15  # the breadth of the light circle in a red ring, and of the red one in that
INLAY_RED: Final = 0.075
HATCH: Final = 0.08  # the breadth of a line of a hatched ring
HATCH_STEP: Final = 0.21  # from one to the next
SEAM: Final = 0.035  # half the line between two spaces
STEP: Final = 0.06  # from one ring of a pile to the next
_RIM: Final = 0.022  # half the line between two rings of a pile
_THIN_RIM: Final = 0.01  # where it may be white on black: most of a side shows whose ring it is
ONE_DIGIT: Final = 1.03  # size of a number's font
TWO_DIGITS: Final = 0.88
MARK: Final = 0.25  # from a mark's middle to its upper corner
MARK_EDGE: Final = 0.055
MARK_AT: Final = 0.77  # from the middle of the uppermost ring
MARK_TURN: Final = math.radians(44)  # between two marks on one ring

LAYERS: Final = 6
"""A pile shows so many rings at most, so that any height stays inside its own space."""


@dataclass(frozen=True, slots=True)
class Face:
    """All that can be seen of a stack.

    Attributes:
        top: the uppermost piece; red only for a single red piece.
        height: in pieces.
        reds: how many red pieces are in it.
        dimmed: whether it is of the player to move, and may not move.
        movable: whether it may.
    """

    top: Piece
    height: int
    reds: int = 0
    dimmed: bool = False
    movable: bool = False

    @property
    def shows_name(self) -> bool:
        """True if the name of the space is read in its hole."""
        return self.height == 1


class TileMaker:
    """Renders tiles of one theme and size: RGB images, all with one outline."""

    def __init__(self, theme: Theme, half: int) -> None:
        self._theme = theme
        self.half = self._half = half
        self._size = tile_size(half)
        self._middle = (self._size[0] / 2, self._size[1] / 2)
        self._pieces = {"W": theme.white, "B": theme.black, "R": theme.red}
        self._pile = lru_cache(maxsize=4 * LAYERS + 1)(self._make_pile)
        self._ring = lru_cache(maxsize=5)(self._make_ring)

    @cached_property
    def outline(self) -> Image.Image:
        """The hexagon that a tile fills, as a mask of mode 1. Neighbours overlap by a seam."""
        mask = SoftMask(self._size)
        mask.polygon(hexagon(self._middle, self._half + 0.5))
        return mask.stencil()

    @cached_property
    def around_name(self) -> Image.Image:
        """The tile with a hole for the name of the space, which is read through a single piece."""
        mask = SoftMask(self._size)
        mask.polygon(hexagon(self._middle, self._half + 0.5))
        (x, y), (across, down) = self._middle, (self._half * length for length in _NAME)
        mask.disc(self._middle, across, value=0)
        for top, bottom in ((y - across, y - down), (y + down, y + across)):
            left, right = x - across, x + across
            mask.polygon([(left, top), (right, top), (right, bottom), (left, bottom)])
        return mask.stencil()

    @cached_property
    def _space(self) -> Image.Image:
        """The hexagon between the lines, as a soft mask."""
        mask = SoftMask(self._size)
        mask.polygon(hexagon(self._middle, self._half * (1 - SEAM)))
        return mask.image()

    @cached_property
    def empty(self) -> Image.Image:
        """An empty space, up to the middle of the lines around it."""
        return self.space(self._theme.cell)

    def space(self, ground: Rgb) -> Image.Image:
        """Return the empty space of any colour."""
        tile = Image.new("RGB", self._size, self._theme.frame)
        tile.paste(ground, mask=self._space)
        return tile

    def stack(self, face: Face) -> Image.Image:
        """Return a space with a stack on it."""
        layers = min(face.height, LAYERS)
        tile = self._pile(face.top, layers, face.dimmed).copy()
        if face.height > 1:
            y = self._top(layers)[1]
            self._number(tile, face.height, self._pieces[face.top].ink, y)
        for mark_x, mark_y in self._mark_places(face):
            _put(tile, self._mark, mark_x, mark_y)
        if face.movable:
            tile.paste(self._theme.movable, mask=self._line)
        return tile

    def red_marks(self, face: Face) -> Image.Image:
        """Return the places of the marks of red pieces inside a stack, as a mask of mode 1."""
        mask = Image.new("RGBA", self._size)
        for x, y in self._mark_places(face):
            _put(mask, self._mark, x, y)
        return hard(mask.getchannel("A"))

    def ghost(self, top: Piece, height: int) -> Image.Image:
        """Return a space that a stack has just left: its dashed outline, and its number."""
        tile = self.empty.copy()
        colours, line = self._pieces[top], self._half * self._theme.outline
        layers = [(0.0, colours.top)]
        if colours.rim is not None:
            layers = [(0.0, colours.rim), (line / 2, colours.top)]
        for inset, colour in layers:
            dashes = SoftMask(self._size)
            breadth = self._half * DASH + line
            dashes.dashes(self._middle, self._half * OUTER, breadth, count=14, inset=inset)
            tile.paste(colour, mask=dashes.image())
        if height > 1:
            self._number(tile, height, self._theme.cell_label, self._middle[1])
        return tile

    @cached_property
    def _line(self) -> Image.Image:
        """The thin line around a stack that may move, inside the lines between spaces."""
        mask, breadth = SoftMask(self._size), self._half * (_LINE + self._theme.outline / 4)
        mask.polygon(hexagon(self._middle, self._half * _LINE_AT + breadth))
        mask.polygon(hexagon(self._middle, self._half * _LINE_AT - breadth), value=0)
        return mask.image()

    @cached_property
    def window(self) -> Image.Image:
        """The place of a stack's number and of a space's name, as a mask of mode 1."""
        mask = SoftMask(self._size)
        mask.disc(self._middle, self._half * _WINDOW)
        return mask.stencil()

    def _top(self, layers: int) -> tuple[float, float]:
        """Return the middle of the uppermost ring of a pile; the pile's middle is the space's."""
        x, y = self._middle
        return x, y - self._half * STEP * (layers - 1) / 2

    def _mark_places(self, face: Face) -> Iterator[tuple[float, float]]:
        """Yield the middles of the marks on the uppermost ring of a stack."""
        x, y = self._top(min(face.height, LAYERS))
        reach = self._half * MARK_AT
        for number in range(face.reds):
            angle = (number - (face.reds - 1) / 2) * MARK_TURN
            yield x + reach * math.sin(angle), y + reach * math.cos(angle)

    def _make_pile(self, top: Piece, layers: int, dimmed: bool) -> Image.Image:
        """A space with rings on it: a single one has a hole, a pile a well for its number."""
        colours = self._colours(top, dimmed)
        tile = self.empty.copy()
        x, y = self._top(layers)
        step, outer = self._half * STEP, self._half * (_DIMMED_OUTER if dimmed else OUTER)
        rim = self._half * (_THIN_RIM if self._theme.outline else _RIM)
        if not dimmed:
            tile.paste(self._theme.shadow, mask=self._shadow(layers))
        for layer in range(layers - 1, 0, -1):
            for inset, colour in ((0.0, colours.seam), (rim, colours.side)):
                mask = SoftMask(self._size)
                mask.disc((x, y + step * layer - inset), outer - inset)
                tile.paste(colour, mask=mask.image())
        if layers > 1:
            self._well(tile, colours, y)
        _put(tile, self._ring(top, dimmed), x, y)
        return tile

    def _make_ring(self, top: Piece, dimmed: bool) -> Image.Image:
        """Draw a ring alone (RGBA): most of the work for a tile, alike on piles of any height."""
        colours, outer = self._colours(top, dimmed), _DIMMED_OUTER if dimmed else OUTER
        ring = Ring(
            outer=self._half * outer,
            hole=self._half * HOLE,
            colour=colours.top,
            gloss=colours.gloss,
            relief=0.0 if dimmed else self._theme.relief,
        ).image()
        if colours.hatch is not None:
            ring = _hatched(ring, colours.hatch, self._half)
        elif top == "R":
            ring = self._inlaid(ring)
        if colours.rim is not None:
            line = self._theme.outline
            for radius in (outer - line / 2, HOLE + line / 2):
                ring = self._banded(ring, radius, line, colours.rim)
        return ring

    def _inlaid(self, ring: Image.Image) -> Image.Image:
        """Return a red ring with a bright inlay, by which it is known without its colour."""
        for breadth, colour in ((INLAY, self._theme.mark_edge), (INLAY_RED, self._theme.mark)):
            ring = self._banded(ring, (OUTER + HOLE) / 2, breadth, colour)
        return ring

    def _banded(self, ring: Image.Image, radius: float, breadth: float, colour: Rgb) -> Image.Image:
        """Return a ring with a circle on it; its radius and breadth are in halves."""
        middle = ring.width / 2
        mask = SoftMask(ring.size)
        mask.disc((middle, middle), self._half * (radius + breadth / 2))
        mask.disc((middle, middle), self._half * (radius - breadth / 2), value=0)
        band = Image.new("RGBA", ring.size, colour)
        band.putalpha(mask.image())
        return Image.alpha_composite(ring, band)

    def _colours(self, top: Piece, dimmed: bool) -> PieceColours:
        colours = self._pieces[top]
        return self._theme.dimmed(colours) if dimmed else colours

    def _shadow(self, layers: int) -> Image.Image:
        """Return the shade of a pile on its space: hard, since soft shades make files large."""
        x, y = self._middle
        x, foot = x + self._half * 0.03, 2 * y - self._top(layers)[1] + self._half * 0.05
        mask = SoftMask(self._size)
        mask.disc((x, foot), self._half * OUTER)
        mask.disc((x, foot), self._half * HOLE, value=0)
        return ImageChops.multiply(mask.image(), self._space)

    def _well(self, tile: Image.Image, colours: PieceColours, y: float) -> None:
        """The hole of a pile, with the shade that its rim throws."""
        x = self._middle[0]
        shade = self._theme.shaded_well(colours)
        for colour, shift in ((shade, 0.0), (colours.well, self._half * 0.06)):
            mask = SoftMask(self._size)
            mask.disc((x + shift * 0.8, y + shift), self._half * (HOLE + 0.02))
            tile.paste(colour, mask=mask.image())

    @cached_property
    def _mark(self) -> Image.Image:
        """The diamond that means a DVONN piece, as an RGBA image of even size."""
        edge, tall = self._half * MARK_EDGE, self._half * MARK
        middle = math.ceil(tall + edge)
        image = Image.new("RGBA", (2 * middle, 2 * middle), (*self._theme.mark_edge, 0))
        for grow, colour in ((edge, self._theme.mark_edge), (-edge * 0.4, self._theme.mark)):
            mask = SoftMask(image.size)
            mask.polygon(diamond((middle, middle), tall + grow))
            layer = Image.new("RGBA", image.size, colour)
            layer.putalpha(mask.image())
            image.alpha_composite(layer)
        return image

    def _number(self, tile: Image.Image, number: int, ink: Rgb, y: float) -> None:
        text = str(number)
        size = self._half * (ONE_DIGIT if len(text) == 1 else TWO_DIGITS)
        face = font(Weight.BOLD, round(size))
        mask = lettering(text, face)
        tile.paste(ink, centred(mask, face, (self._middle[0], y)), mask)


def _hatched(ring: Image.Image, ink: Rgb, half: float) -> Image.Image:
    """Return a ring with slanting lines all over it."""
    lines = SoftMask(ring.size)
    lines.hatching(half * HATCH, half * HATCH_STEP)
    layer = Image.new("RGBA", ring.size, ink)
    layer.putalpha(ImageChops.multiply(lines.image(), ring.getchannel("A")))
    return Image.alpha_composite(ring, layer)


def _put(tile: Image.Image, image: Image.Image, x: float, y: float) -> None:
    """Lay an RGBA image over a tile, its middle on the nearest whole pixel."""
    tile.paste(image, (round(x) - image.width // 2, round(y) - image.height // 2), image)
