"""The tiles that a board is laid with: a space, and what stands or stood on it."""

import math
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache

from PIL import Image, ImageDraw, ImageFilter

from renderer.fonts import Weight, font
from renderer.palette import DIMMING, mix
from renderer.shading import Ring
from renderer.theme import Piece, Rgb, Theme

# Shapes are drawn this many times larger and scaled down; it happens once for each kind of tile.
_FINE = 4

# Measures of a piece in halves (see geometry.Layout).
_OUTER = 0.806
_HOLE = 0.465
_GAP = 0.035  # half the line between two spaces
# A stack grows by ever smaller steps, so that any height stays inside its own space.
_LIFT = 0.35
_LIFT_PACE = 4.2
_MAX_LAYERS = 9
_MARK = 0.40  # height of a mark on a rim
_LONE_MARK = 0.62
_MARK_EDGE = 0.055
_MARK_STEP = math.radians(40)  # between two marks on a rim
_TWO_DIGITS = 10


class Kind(Enum):
    """Who owns a stack, or a lone red piece, which nobody owns."""

    WHITE = "W"
    BLACK = "B"
    RED = "R"


@dataclass(frozen=True, slots=True)
class Face:
    """All that can be seen of a stack."""

    kind: Kind
    height: int = 1
    reds: int = 0  # inside it; a lone red piece has none inside
    dimmed: bool = False


class TileMaker:
    """Draws tiles (RGB images) of one theme at one size; all have the same size and outline."""

    def __init__(self, theme: Theme, half: int) -> None:
        self.theme = theme
        self.half = half
        corner = math.ceil(half / math.cos(math.pi / 6))
        self.size = (2 * half, 2 * corner)

    @cached_property
    def outline(self) -> Image.Image:
        """The hexagon that a tile fills, as a mask of mode 1."""
        fine = self._hexagon_mask(self.half + 0.5)
        return fine.point(lambda v: 255 if v >= 128 else 0).convert("1")

    @cached_property
    def empty(self) -> Image.Image:
        """An empty space, up to the middle of the lines around it."""
        tile = Image.new("RGB", self.size, self.theme.frame)
        tile.paste(self.theme.cell, mask=self._hexagon_mask(self.half * (1 - _GAP)))
        return tile

    def stack(self, face: Face) -> Image.Image:
        """A space with a stack on it."""
        tile = self.empty.convert("RGBA")
        x, y = self.size[0] / 2, self.size[1] / 2
        lift = self._lift(face.height)
        layers = min(face.height, _MAX_LAYERS)
        tile.alpha_composite(self._shadow(lift, face.dimmed))
        ring = self._ring(face.kind, face.dimmed)
        for layer in range(layers):
            if layer == layers - 1 and face.height > 1:
                _put(tile, self._well(face.kind, face.dimmed), x, y - lift / 2)
            rise = lift * layer / max(1, layers - 1)
            _put(tile, ring, x, y + lift / 2 - rise)
        top = y - lift / 2
        if face.kind is Kind.RED:
            _put(tile, self._mark(self.half * _LONE_MARK), x, top)
        if face.height > 1:
            self._number(tile, face.height, self._piece(face.kind).ink, x, top)
        for number in range(face.reds):
            angle = (number - (face.reds - 1) / 2) * _MARK_STEP
            reach = self.half * (_OUTER + _HOLE) / 2
            mark = self._mark(self.half * _MARK)
            _put(tile, mark, x + reach * math.sin(angle), top - reach * math.cos(angle))
        return tile.convert("RGB")

    def ghost(self, kind: Kind, height: int) -> Image.Image:
        """A space from which a stack has just left."""
        width, tall = (n * _FINE for n in self.size)
        ring = Image.new("L", (width, tall))
        draw = ImageDraw.Draw(ring)
        dashes = 14
        for radius in (self.half * _OUTER * 0.96 * _FINE,):
            box = (width / 2 - radius, tall / 2 - radius, width / 2 + radius, tall / 2 + radius)
            for dash in range(dashes):
                start = 360 / dashes * dash
                line = max(1, round(self.half * 0.075 * _FINE))
                draw.arc(box, start, start + 360 / dashes * 0.6, fill=255, width=line)
        tile = self.empty.copy()
        well = Image.new("L", (width, tall))
        radius = self.half * _OUTER * 0.96 * _FINE
        box = (width / 2 - radius, tall / 2 - radius, width / 2 + radius, tall / 2 + radius)
        ImageDraw.Draw(well).ellipse(box, fill=255)
        ground = mix(self.theme.cell, self.theme.frame, 0.3)
        tile.paste(ground, mask=well.resize(self.size, Image.Resampling.LANCZOS))
        piece = self._piece(kind)
        tile.paste(piece.base, mask=ring.resize(self.size, Image.Resampling.LANCZOS))
        if height > 1:
            self._number(tile, height, piece.base, self.size[0] / 2, self.size[1] / 2)
        return tile

    def well_outline(self, height: int) -> tuple[Image.Image, int]:
        """The mask (mode 1) of a stack's number, to keep it in sight under an arrow."""
        raise NotImplementedError

    def _lift(self, height: int) -> float:
        """How far the top of a stack is above its foot, in pixels."""
        return self.half * _LIFT * (1 - math.exp(-(height - 1) / _LIFT_PACE))

    def _piece(self, kind: Kind) -> Piece:
        return {
            Kind.WHITE: self.theme.white,
            Kind.BLACK: self.theme.black,
            Kind.RED: self.theme.red,
        }[kind]

    def _shade(self, colour: Rgb, dimmed: bool) -> Rgb:
        return mix(colour, self.theme.cell, DIMMING) if dimmed else colour

    @lru_cache(maxsize=8)  # noqa: B019  as many as there are kinds; a maker lives with its theme
    def _ring(self, kind: Kind, dimmed: bool) -> Image.Image:
        piece = self._piece(kind)
        ring = Ring(
            outer=self.half * _OUTER,
            hole=self.half * _HOLE,
            base=piece.base,
            gloss=piece.gloss,
            flat=0.75 if dimmed else 0.0,
        ).image()
        if not dimmed:
            return ring
        haze = Image.new("RGBA", ring.size, (*self.theme.cell, 255))
        haze = Image.blend(ring, haze, DIMMING)
        haze.putalpha(ring.getchannel("A"))
        return haze

    @lru_cache(maxsize=8)  # noqa: B019  the same
    def _well(self, kind: Kind, dimmed: bool) -> Image.Image:
        """What is seen through the hole of a stack, with the shade that the rim throws on it."""
        radius = self.half * (_HOLE + 0.03) * _FINE
        size = 2 * (math.ceil(self.half * _HOLE) + 3)
        middle = size * _FINE / 2
        floor = self._shade(self._piece(kind).well, dimmed)
        image = Image.new("RGB", (size * _FINE, size * _FINE), mix(floor, (0, 0, 0), 0.22))
        draw = ImageDraw.Draw(image)
        shift = self.half * 0.05 * _FINE
        draw.ellipse(
            (
                middle - radius + shift * 0.8,
                middle - radius + shift * 1.4,
                middle + radius + shift,
                middle + radius + shift,
            ),
            fill=floor,
        )
        mask = Image.new("L", image.size)
        ImageDraw.Draw(mask).ellipse(
            (middle - radius, middle - radius, middle + radius, middle + radius), fill=255
        )
        image.putalpha(mask)
        return image.resize((size, size), Image.Resampling.LANCZOS)

    def _shadow(self, lift: float, dimmed: bool) -> Image.Image:
        """The soft shade of a stack on its space."""
        mask = Image.new("L", self.size)
        x, y = self.size[0] / 2 + self.half * 0.03, self.size[1] / 2 + self.half * 0.06
        radius = self.half * _OUTER
        hole = self.half * _HOLE
        draw = ImageDraw.Draw(mask)
        strength = 60 if dimmed else 120
        y += lift / 2
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=strength)
        draw.ellipse((x - hole, y - hole, x + hole, y + hole), fill=0)
        mask = mask.filter(ImageFilter.GaussianBlur(self.half * 0.05))
        shadow = Image.new("RGBA", self.size, (0, 0, 0, 0))
        shadow.putalpha(mask)
        return shadow

    @lru_cache(maxsize=8)  # noqa: B019  the same
    def _mark(self, height: float) -> Image.Image:
        """The diamond that means a DVONN piece."""
        edge = self.half * _MARK_EDGE
        size = math.ceil(height + 2 * edge) // 2 * 2 + 2
        middle = size * _FINE / 2
        image = Image.new("RGBA", (size * _FINE, size * _FINE), (*self.theme.mark_edge, 0))
        draw = ImageDraw.Draw(image)
        for reach, colour in (
            (height / 2 + edge, self.theme.mark_edge),
            (height / 2 - edge * 0.4, self.theme.mark),
        ):
            tall, wide = reach * _FINE, reach * 0.86 * _FINE
            draw.polygon(
                [
                    (middle, middle - tall),
                    (middle + wide, middle),
                    (middle, middle + tall),
                    (middle - wide, middle),
                ],
                fill=colour,
            )
        return image.resize((size, size), Image.Resampling.LANCZOS)

    def _number(self, tile: Image.Image, number: int, ink: Rgb, x: float, y: float) -> None:
        size = self.half * (0.94 if number < _TWO_DIGITS else 0.8)
        face = font(Weight.BOLD, round(size))
        text = str(number)
        cap = -face.getbbox("0", anchor="ls")[1]
        ImageDraw.Draw(tile).text(
            (round(x - face.getlength(text) / 2), round(y + cap / 2)),
            text,
            font=face,
            fill=ink,
            anchor="ls",
        )

    def _hexagon_mask(self, apothem: float) -> Image.Image:
        """A hexagon in the middle of a tile, as a soft mask (mode L)."""
        width, height = (n * _FINE for n in self.size)
        reach = apothem / math.cos(math.pi / 6) * _FINE
        image = Image.new("L", (width, height))
        corners = [
            (
                width / 2 + reach * math.sin(i * math.pi / 3),
                height / 2 - reach * math.cos(i * math.pi / 3),
            )
            for i in range(6)
        ]
        ImageDraw.Draw(image).polygon(corners, fill=255)
        return image.resize(self.size, Image.Resampling.LANCZOS)


def _put(tile: Image.Image, image: Image.Image, x: float, y: float) -> None:
    """Lay an RGBA image over a tile, its middle on the nearest whole pixel."""
    tile.alpha_composite(image, (round(x) - image.width // 2, round(y) - image.height // 2))
