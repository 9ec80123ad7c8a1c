"""What does not change during a game: the empty board and the labels around it."""

from PIL import Image
from PIL.ImageFont import FreeTypeFont

from dvonn import COLUMNS, POINTS, ROWS, Coordinates
from renderer.geometry import Layout, Pixel, hexagon
from renderer.lettering import Weight, centred, font, lettering
from renderer.palette import Palette
from renderer.shapes import SoftMask, hard
from renderer.theme import Theme
from renderer.tiles import TileMaker

# Sizes of fonts in halves (see geometry.Layout).
_LABEL = 0.76
_CELL_LABEL = 0.61


class Background:
    """The empty board of one theme and width as palette indices, without any lettering."""

    def __init__(self, theme: Theme, layout: Layout, palette: Palette, tiles: TileMaker) -> None:
        self._layout = layout
        board = SoftMask((layout.width, layout.height))
        for point in POINTS:
            board.polygon(hexagon(layout.centre(point), layout.half + layout.frame))
        picture = Image.new("RGB", board.size, theme.canvas)
        picture.paste(theme.frame, mask=board.image())
        self._board = palette.indices(picture)
        empty = palette.indices(tiles.empty)
        width, height = layout.tile_size
        for point in POINTS:
            x, y = layout.centre(point)
            self._board.paste(empty, (x - width // 2, y - height // 2), tiles.outline)
        self._label_ramp = palette.ramp(theme.canvas, theme.label)
        self._name_ramp = palette.ramp(theme.cell, theme.cell_label)

    def render(self, coordinates: Coordinates, *, name_spaces: bool) -> Image.Image:
        """The board with its labels; if asked, with the name of each space written on it too."""
        frame = self._board.copy()
        face = font(Weight.MEDIUM, round(self._layout.half * _LABEL))
        for row in range(ROWS):
            text, at = coordinates.row_label(row), self._layout.row_label(row)
            _write(frame, text, at, face, self._label_ramp)
        for column in range(COLUMNS):
            text, at = coordinates.column_label(column), self._layout.column_label(column)
            _write(frame, text, at, face, self._label_ramp)
        if name_spaces:
            face = font(Weight.REGULAR, round(self._layout.half * _CELL_LABEL))
            for point in POINTS:
                text, at = coordinates.label(point), self._layout.centre(point)
                _write(frame, text, at, face, self._name_ramp)
        return frame


def _write(frame: Image.Image, text: str, at: Pixel, face: FreeTypeFont, ramp: list[int]) -> None:
    mask = lettering(text, face)
    frame.paste(mask.point(ramp), centred(mask, face, at), hard(mask, 1))
