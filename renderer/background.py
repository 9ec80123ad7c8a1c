"""The unchanging parts of a game's pictures: the empty board and the labels around it."""

from PIL import Image
from PIL.ImageFont import FreeTypeFont

from dvonn import COLUMNS, POINTS, ROWS, Coordinates
from renderer.geometry import Layout, Pixel, hexagon
from renderer.lettering import Weight, centred, font, lettering, name_of_space
from renderer.palette import Palette
from renderer.shapes import SoftMask, hard
from renderer.theme import Theme
from renderer.tiles import TileMaker

# Sizes of fonts in halves (see geometry.Layout).
LABEL = 0.8


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

    def render(self, coordinates: Coordinates | None) -> Image.Image:
        """The board with its labels and the name of each space, which single pieces leave free.

        Without coordinates it has neither.
        """
        frame = self._board.copy()
        if coordinates is None:
            return frame
        face = font(Weight.MEDIUM, round(self._layout.half * LABEL))
        for row in range(ROWS):
            for at in self._layout.row_labels(row):
                _write(frame, coordinates.row_label(row), at, face, self._label_ramp)
        for column in range(COLUMNS):
            for at in self._layout.column_labels(column):
                _write(frame, coordinates.column_label(column), at, face, self._label_ramp)
        for point in POINTS:
            mask, face = name_of_space(coordinates.label(point), self._layout.half)
            corner = centred(mask, face, self._layout.centre(point))
            frame.paste(mask.point(self._name_ramp), corner, hard(mask, 1))
        return frame


def _write(frame: Image.Image, text: str, at: Pixel, face: FreeTypeFont, ramp: list[int]) -> None:
    mask = lettering(text, face)
    frame.paste(mask.point(ramp), centred(mask, face, at), hard(mask, 1))
