"""Rendering of a board's tiles: empty spaces, stacks, and traces of removed stacks."""

import math
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageChops, ImageFilter

from dvonn.svg.geometry import diamond, hexagon, tile_size
from dvonn.svg.stack_shapes import (
    DASH,
    DASHED_AT,
    FACE,
    FOOT,
    HATCH,
    HATCH_STEP,
    HOLE,
    LAYERS,
    LEFT_NUMBER_AT,
    LONE_FACE,
    MARK,
    MARK_EDGE,
    NUMBER_AT,
    OUTER,
    RED_RIM,
    SEAM,
    STEP,
    StackFace,
    lift,
    mark_places,
    number_size,
)
from dvonn.svg.theme import PiecePalette, Rgb, Theme
from renderer.lettering import Weight, centred, font, lettering
from renderer.shading import Ring
from renderer.shapes import SoftMask, hard

# Lengths in half-cells (see `dvonn.svg.geometry`).
_DIMMED_OUTER: Final = 0.77  # radius of a stack that can't move, which is smaller and flat
_NAME: Final = (
    DASHED_AT - DASH
)  # radius of the area for a space's name and a removed stack's number
_AROUND: Final = 0.05  # width of the edge around a number or name on top of an arrow
_HALO: Final = 0.15  # width of the outlines of a stack that can move
_MOVED: Final = 0.022  # half the width of the line around a space of the last move
_MOVED_AT: Final = 0.93
_BEVEL: Final = 0.05  # width of the light and dark edges of a space
HEAD: Final = 0.53  # height of the tallest stack above its space
_RIM: Final = 0.025  # width of the line between two pieces of a stack


class Ghost(NamedTuple):
    """A stack that was just removed. `moved` is True if the last move ended there."""

    top: str
    height: int
    moved: bool = False
    layers: int = 0

    @property
    def shows_ground(self) -> bool:
        return False

    @property
    def stacked(self) -> bool:
        return True


class Space(NamedTuple):
    """An empty space. `moved` is True if the last move started there."""

    moved: bool = False
    height: int = 0
    layers: int = 0

    @property
    def shows_ground(self) -> bool:
        return not self.moved

    @property
    def stacked(self) -> bool:
        return False


Kind = StackFace | Ghost | Space


class TileMaker:
    """Renders the tiles of one theme and size as RGB images.

    Tiles of stacks are taller than other tiles.

    The center of the space is always at the center of the tile.
    """

    def __init__(self, theme: Theme, half: int) -> None:
        self._theme = theme
        self.half = self._half = half
        self._size = tile_size(half)
        self._high = (self._size[0], self._size[1] + 2 * math.ceil(half * HEAD))
        self._middle = (self._high[0] / 2, self._high[1] / 2)
        self._space = lru_cache(maxsize=8)(self._make_space)
        self._outline = lru_cache(maxsize=64)(self._make_outline)
        self._halo = lru_cache(maxsize=4 * LAYERS)(self._make_halo)
        self.top_of = lru_cache(maxsize=2 * LAYERS)(self._make_top_of)
        self.digits = lru_cache(maxsize=64)(self._make_digits)
        self._marks = lru_cache(maxsize=32)(self._make_marks)
        self._layer = lru_cache(maxsize=6)(self._make_layer)
        self._ring = lru_cache(maxsize=9)(Ring.image)
        self._top = lru_cache(maxsize=18)(self._make_top)
        self._mark = lru_cache(maxsize=2)(self._make_mark)

    def outline(self, face: StackFace | None = None) -> Image.Image:
        """Return the visible area of a tile as a mask of mode 1. Adjacent tiles share a seam."""
        return self._outline(face and _contour(face))

    def marks(self, face: StackFace) -> Image.Image:
        """Return the marks of a stack's red pieces as a mask of mode 1."""
        return self._marks(_contour(face)._replace(movable=False))

    def tower(self, face: StackFace) -> Image.Image:
        """Return the area of a tower's pieces as a mask of mode 1."""
        radius = _DIMMED_OUTER if face.dimmed else OUTER
        return hard(self._halo(len(face.pieces), radius))

    def space(self, ground: Rgb) -> Image.Image:
        """Return an empty space of a given color, to draw on."""
        return self._space(ground).copy()

    def _make_outline(self, face: StackFace | None) -> Image.Image:
        mask = SoftMask(self._high)
        mask.polygon(hexagon(self._middle, self._half + 0.5))
        if face is not None:
            grow = _HALO if face.movable else 0.0
            self._pile(mask, len(face.pieces), OUTER + grow, 0.5)
            for x, y, size in self._mark_places(face):
                mask.polygon(diamond((x, y), self._half * (MARK * size + 2 * MARK_EDGE)))
        return mask.stencil()

    def _pile(self, mask: SoftMask, layers: int, radius: float, extra: float = 0.0) -> None:
        """Fill the outline of a stack.

        `radius` is the radius of its pieces in half-cells, and `extra` is added to it in pixels.
        """
        x, y = self._middle
        for layer in range(layers + 1):
            mask.disc((x, y - self._half * lift(layer)), self._half * radius + extra)

    def _mark_places(self, face: StackFace) -> Iterator[tuple[float, float, float]]:
        """Yield the centers of a stack's marks in its tile, and their sizes."""
        (x, y), up = self._middle, self._half * lift(len(face.pieces))
        for across, down, size in mark_places(face.reds, stacked=face.height > 1):
            yield x + self._half * across, y - up + self._half * down, size

    @cached_property
    def name_place(self) -> Image.Image:
        """The area of the name on a space without a stack, as a mask of mode 1."""
        mask = SoftMask(self._high)
        mask.disc(self._middle, self._half * _NAME)
        return mask.stencil()

    def _make_digits(self, number: str, up: float) -> Image.Image:
        """Return the area of a number with a narrow edge, as a mask of mode 1."""
        mask = Image.new("L", self._high)
        self._number(mask, number, 255, up)
        return edged(mask, self._half)

    def _make_space(self, ground: Rgb) -> Image.Image:
        tile = Image.new("RGB", self._high, self._theme.frame)
        moved = ground == self._theme.moved
        inner = 1.0 if moved else 1 - SEAM - (_BEVEL if self._theme.relief else 0.0)
        if self._theme.relief and not moved:
            corners = hexagon(self._middle, self._half * (1 - SEAM))
            shaded = (self._middle, *corners[1:5])
            lit, dark = self._theme.lit(ground), self._theme.shaded(ground)
            for color, edge in ((lit, corners), (dark, shaded)):
                mask = SoftMask(self._high)
                mask.polygon(edge)
                tile.paste(color, mask=mask.image())
        mask = SoftMask(self._high)
        mask.polygon(hexagon(self._middle, self._half * inner))
        tile.paste(ground, mask=mask.image())
        if moved:  # tinted up to its edge, and also marked by a line
            tile.paste(self._theme.cell_label, mask=self._hexagon(_MOVED_AT, _MOVED))
        return tile

    def stack(self, face: StackFace) -> Image.Image:
        """Return a space with a stack on it that leaves room for the space's name."""
        theme, (x, y) = self._theme, self._middle
        ground = self._space(theme.moved if face.moved else theme.cell)
        tile = ground.copy()
        foot, up = FOOT, lift(len(face.pieces))
        if not face.dimmed:
            tile.paste(theme.shadow, mask=self._shadow)
        if face.movable:
            self._put_halo(tile, len(face.pieces))
        for number, piece in enumerate(face.pieces):
            _put(tile, self._layer(piece, face.dimmed), x, y + self._half * (foot - STEP * number))
        if face.height == 1:
            tile.paste(ground, mask=self._hole)
        top = self._top(face.top, face.height > 1, face.dimmed, bool(face.reds))
        _put(tile, top, x, y - self._half * up)
        if face.height > 1:
            self._number(tile, str(face.height), self._theme.piece(face.top).ink, up)
        for mark_x, mark_y, size in self._mark_places(face):
            _put(tile, self._mark(size), mark_x, mark_y)
        return tile

    def _make_marks(self, face: StackFace) -> Image.Image:
        mask = Image.new("RGBA", self._high)
        for x, y, size in self._mark_places(face):
            _put(mask, self._mark(size), x, y)
        return hard(mask.getchannel("A"))

    def _put_halo(self, tile: Image.Image, layers: int) -> None:
        """Draw the bright outline of a stack that can move, and a dark one around it.

        On the inside, the dark edge of the pieces separates it well enough.
        """
        for grow, color in (
            (_HALO, self._theme.movable_edge),
            (_HALO - self._theme.movable_line, self._theme.movable),
        ):
            tile.paste(color, mask=self._halo(layers, OUTER + grow))

    def _make_halo(self, layers: int, radius: float) -> Image.Image:
        mask = SoftMask(self._high)
        self._pile(mask, layers, radius)
        return mask.image()

    def ghost(self, ghost: Ghost) -> Image.Image:
        """Return a space that has just lost its stack, with a dashed outline and its height."""
        tile = self.space(self._theme.moved if ghost.moved else self._theme.cell)
        colors, line = self._theme.piece(ghost.top), max(1.0, self._half * self._theme.outline / 2)
        layers, breadth = [(0.0, colors.top)], max(2.0, self._half * (DASH + self._theme.outline))
        if colors.rim is not None:
            layers, breadth = [(0.0, colors.rim), (line, colors.top)], breadth + 2 * line
        for inset, color in layers:
            dashes = SoftMask(self._high)
            dashes.dashes(self._middle, self._half * DASHED_AT, breadth, count=14, inset=inset)
            tile.paste(color, mask=dashes.image())
        self._number(tile, f"−{ghost.height}", self._theme.cell_label, NUMBER_AT - LEFT_NUMBER_AT)
        return tile

    def _hexagon(self, at: float, breadth: float) -> Image.Image:
        """Return a line around a space as a mask. `at` is its distance from the center.

        `breadth` is half the width of the line.
        """
        mask = SoftMask(self._high)
        mask.polygon(hexagon(self._middle, self._half * (at + breadth)))
        mask.polygon(hexagon(self._middle, self._half * (at - breadth)), value=0)
        return mask.image()

    def _make_top_of(self, layers: int, radius: float) -> Image.Image:
        """Return the area of a stack's top piece, within a radius, that lines must not cover."""
        mask, (x, y) = SoftMask(self._high), self._middle
        mask.disc((x, y - self._half * lift(layers)), self._half * radius)
        return mask.image()

    def _make_layer(self, piece: str, dimmed: bool) -> Image.Image:
        """Return a piece below others (RGBA), of which only the side is visible."""
        colors = self._dimmable(piece, dimmed)
        outer = self._half * (_DIMMED_OUTER if dimmed else OUTER)
        size = 2 * math.ceil(outer + 1)
        image = Image.new("RGBA", (size, size))
        for inset, color in ((0.0, colors.seam), (max(1.0, self._half * _RIM), colors.side)):
            mask = SoftMask(image.size)
            mask.disc((size / 2, size / 2 - inset), outer - inset)
            layer = Image.new("RGBA", image.size, color)
            layer.putalpha(mask.image())
            image.alpha_composite(layer)
        return image

    def _make_top(self, piece: str, stacked: bool, dimmed: bool, holds_red: bool) -> Image.Image:
        """Return a top piece (RGBA): a ring if it is a single piece, otherwise a flat top."""
        colors, outer = self._dimmable(piece, dimmed), _DIMMED_OUTER if dimmed else OUTER
        closed = stacked or piece == "R"
        hole = LONE_FACE if piece == "R" else min(FACE, outer - 0.1) if closed else HOLE
        ring = self._ring(
            Ring(
                outer=self._half * outer,
                hole=self._half * hole,
                color=colors.top,
                gloss=colors.gloss,
                relief=0.0 if dimmed else self._theme.relief,
            )
        )
        if closed:
            image = self._disc(ring.size, hole + 0.02, colors.well)
            image.alpha_composite(ring)
            ring = image
        if colors.hatch is not None:
            ring = _hatched(ring, colors.hatch, self._half)
            ring.alpha_composite(self._disc(ring.size, hole, colors.well))
        if colors.rim is not None:
            line = self._theme.outline
            for radius in (outer - line / 2, *(() if closed else (HOLE + line / 2,))):
                ring = self._banded(ring, radius, line, colors.rim)
        if stacked and holds_red:
            red = self._theme.red
            bands = (RED_RIM, red.rim or red.seam), (RED_RIM - 0.03, red.top)
            for breadth, color in bands:
                ring = self._banded(ring, outer - 0.02 - breadth / 2, breadth, color)
        return ring

    def _disc(self, size: tuple[int, int], radius: float, color: Rgb) -> Image.Image:
        mask = SoftMask(size)
        mask.disc((size[0] / 2, size[1] / 2), self._half * radius)
        disc = Image.new("RGBA", size, color)
        disc.putalpha(mask.image())
        return disc

    def _banded(self, ring: Image.Image, radius: float, breadth: float, color: Rgb) -> Image.Image:
        """Return a piece with a circle on it. The circle's radius and width are in half-cells."""
        middle = ring.width / 2
        mask = SoftMask(ring.size)
        mask.disc((middle, middle), self._half * (radius + breadth / 2))
        mask.disc((middle, middle), self._half * (radius - breadth / 2), value=0)
        band = Image.new("RGBA", ring.size, color)
        band.putalpha(mask.image())
        return Image.alpha_composite(ring, band)

    def _dimmable(self, piece: str, dimmed: bool) -> PiecePalette:
        colors = self._theme.piece(piece)
        return self._theme.dimmed(colors) if dimmed else colors

    @cached_property
    def _hole(self) -> Image.Image:
        """Return the area where a space is visible through a ring, as a mask."""
        mask = SoftMask(self._high)
        mask.disc(self._middle, self._half * HOLE)
        return mask.image()

    @cached_property
    def _shadow(self) -> Image.Image:
        """The shadow of a stack on its space, as a mask.

        It has hard edges, because soft edges make files large.
        """
        (x, y), mask = self._middle, SoftMask(self._high)
        mask.disc((x + self._half * 0.06, y + self._half * (FOOT + 0.05)), self._half * OUTER)
        inside = SoftMask(self._high)
        inside.polygon(hexagon(self._middle, self._half * (1 - SEAM)))
        return ImageChops.multiply(mask.image(), inside.image())

    def _make_mark(self, size: float) -> Image.Image:
        """Return the diamond that marks a DVONN piece, as an RGBA image of even size."""
        theme, edge, tall = self._theme, self._half * MARK_EDGE, self._half * MARK * size
        middle = math.ceil(tall + 2 * edge)
        image = Image.new("RGBA", (2 * middle, 2 * middle), (*theme.red.seam, 0))
        coats = (1.6, theme.red.seam), (1.0, theme.mark_edge), (-0.4, theme.mark)
        for grow, color in ((edge * share, color) for share, color in coats):
            mask = SoftMask(image.size)
            mask.polygon(diamond((middle, middle), tall + grow))
            layer = Image.new("RGBA", image.size, color)
            layer.putalpha(mask.image())
            image.alpha_composite(layer)
        return image

    def _number(self, tile: Image.Image, text: str, ink: Rgb | int, up: float) -> None:
        x, y = self._middle
        face = font(Weight.BOLD, round(self._half * number_size(text)))
        mask = lettering(text, face)
        y += self._half * (NUMBER_AT - up)
        tile.paste(ink, centred(mask, face, (x, y)), mask)


def _contour(face: StackFace) -> StackFace:
    """Return a representative of all stacks of the same shape, so that they share masks."""
    height = min(face.height, 2)
    return StackFace("W" * len(face.pieces), height, face.reds, movable=face.movable)


def edged(mask: Image.Image, half: int) -> Image.Image:
    """Return the area of text with a narrow edge, as a mask of mode 1."""
    reach = 2 * max(1, round(half * _AROUND)) + 1
    return hard(mask.filter(ImageFilter.MaxFilter(reach)), 64)


def _hatched(ring: Image.Image, ink: Rgb, half: float) -> Image.Image:
    """Return a piece covered with slanted lines."""
    lines = SoftMask(ring.size)
    step = max(3.0, half * HATCH_STEP)
    lines.hatching(step * HATCH / HATCH_STEP, step)
    layer = Image.new("RGBA", ring.size, ink)
    layer.putalpha(ImageChops.multiply(lines.image(), ring.getchannel("A")))
    return Image.alpha_composite(ring, layer)


def _put(tile: Image.Image, image: Image.Image, x: float, y: float) -> None:
    """Paste an RGBA image onto a tile, with its center on the nearest whole pixel."""
    tile.paste(image, (round(x) - image.width // 2, round(y) - image.height // 2), image)
