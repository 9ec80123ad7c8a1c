"""A position as a PNG: a background drawn once, and on it the tiles of what stands there now."""

from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw

from dvonn import COLUMNS, POINTS, ROWS, Coordinates, Move, Phase, Position
from renderer.fonts import Weight, font
from renderer.geometry import Layout, Pixel
from renderer.palette import Palette
from renderer.strip import Strip
from renderer.theme import DEFAULT, Rgb, Theme
from renderer.tiles import Face, Kind, TileMaker
from renderer.words import ENGLISH, Words

_FINE = 4
_TILES_KEPT = 512


def render(
    position: Position,
    *,
    coordinates: Coordinates = Coordinates.STANDARD,
    last: Move | None = None,
    words: Words = ENGLISH,
    theme: Theme = DEFAULT,
    width_px: int = 1200,
) -> bytes:
    """Draw a position as a PNG.

    Args:
        position: what to draw, together with what has just left the board.
        coordinates: the system of the labels around the board.
        last: the move that led to the position, marked in the picture.
        words: what is written above the board.
        theme: the colours.
        width_px: from 300 to 2400; the height follows from it.

    Raises:
        ValueError: if the width is out of bounds.
    """
    painter = _painter(theme, width_px)
    return painter.encode(painter.frame(position, coordinates, last, words))


@lru_cache(maxsize=4)
def _painter(theme: Theme, width_px: int) -> "Painter":
    return Painter(theme, width_px)


class Painter:
    """All that pictures of one theme and width share."""

    def __init__(self, theme: Theme, width_px: int) -> None:
        self.theme = theme
        self.layout = Layout(width_px)
        self.palette = Palette(theme)
        self._tiles = TileMaker(theme, self.layout.half)
        self._strip = Strip(theme, self.layout, self.palette)
        self._stack_tile = lru_cache(maxsize=_TILES_KEPT)(self._make_stack_tile)
        self._ghost_tile = lru_cache(maxsize=_TILES_KEPT)(self._make_ghost_tile)
        self._background = lru_cache(maxsize=4)(self._make_background)

    def frame(
        self, position: Position, coordinates: Coordinates, last: Move | None, words: Words
    ) -> Image.Image:
        """The picture as palette indices."""
        placing = position.phase is Phase.PLACEMENT
        frame = self._background(coordinates, placing).copy()
        moving = position.phase is Phase.MOVEMENT
        for point, pieces in position.stacks.items():
            kind = Kind(pieces[-1])
            reds = pieces.count("R") if kind is not Kind.RED else 0
            dimmed = moving and kind is not Kind.RED and position.is_surrounded(point)
            tile = self._stack_tile(Face(kind, len(pieces), reds, dimmed))
            self._lay(frame, tile, self.layout.centre(point))
        for point, pieces in position.removed.items():
            tile = self._ghost_tile(Kind(pieces[-1]), len(pieces))
            self._lay(frame, tile, self.layout.centre(point))
        self._strip.draw(frame, position, words)
        return frame

    def encode(self, frame: Image.Image) -> bytes:
        """A frame as a PNG file."""
        self.palette.finish(frame)
        out = BytesIO()
        frame.save(out, "PNG", compress_level=6)
        return out.getvalue()

    def _lay(self, frame: Image.Image, tile: Image.Image, centre: Pixel) -> None:
        corner = (centre.x - tile.width // 2, centre.y - tile.height // 2)
        frame.paste(tile, corner, self._tiles.outline)

    def _make_stack_tile(self, face: Face) -> Image.Image:
        return self.palette.indices(self._tiles.stack(face))

    def _make_ghost_tile(self, kind: Kind, height: int) -> Image.Image:
        return self.palette.indices(self._tiles.ghost(kind, height))

    def _make_background(self, coordinates: Coordinates, placing: bool) -> Image.Image:
        layout = self.layout
        big = Image.new("RGB", (layout.width * _FINE, layout.height * _FINE), self.theme.canvas)
        draw = ImageDraw.Draw(big)
        for point in POINTS:
            centre = layout.centre(point)
            corners = _hexagon(centre, layout.half + layout.frame, _FINE)
            draw.polygon(corners, fill=self.theme.frame)
        image = big.resize((layout.width, layout.height), Image.Resampling.BOX)
        background = self.palette.indices(image)
        empty = self.palette.indices(self._tiles.empty)
        for point in POINTS:
            self._lay(background, empty, layout.centre(point))
            if placing:
                self._text(
                    background,
                    coordinates.label(point),
                    layout.centre(point),
                    Weight.REGULAR,
                    0.56,
                    self.theme.cell,
                    self.theme.cell_label,
                )
        for row in range(ROWS):
            self._label(background, coordinates.row_label(row), layout.row_label(row))
        for column in range(COLUMNS):
            self._label(background, coordinates.column_label(column), layout.column_label(column))
        return background

    def _label(self, frame: Image.Image, text: str, at: Pixel) -> None:
        self._text(
            frame, text, at, Weight.MEDIUM, 0.68, self.theme.canvas, self.theme.label
        )

    def _text(
        self, frame: Image.Image, text: str, at: Pixel, weight: Weight, size: float,
        ground: Rgb, ink: Rgb,
    ) -> None:
        face = font(weight, round(self.layout.half * size))
        left, top, right, bottom = face.getbbox(text, anchor="ls")
        mask = Image.new("L", (round(face.getlength(text)) + 4, face.size * 2))
        ImageDraw.Draw(mask).text((2, round(face.size * 1.4)), text, font=face, fill=255, anchor="ls")
        x_height = -face.getbbox("x", anchor="ls")[1] if text.islower() else -face.getbbox("0", anchor="ls")[1]
        x_height = -face.getbbox("0", anchor="ls")[1]
        frame.paste(
            mask.point(self.palette.ramp(ground, ink)),
            (at.x - mask.width // 2, at.y + round(x_height / 2) - round(face.size * 1.4)),
            mask.point(lambda v: 255 if v else 0),
        )


def _hexagon(centre: Pixel, apothem: float, scale: int) -> list[tuple[float, float]]:
    import math

    reach = apothem / math.cos(math.pi / 6)
    return [
        (
            (centre.x + reach * math.sin(i * math.pi / 3)) * scale,
            (centre.y - reach * math.cos(i * math.pi / 3)) * scale,
        )
        for i in range(6)
    ]
