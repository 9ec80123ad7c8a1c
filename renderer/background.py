"""The unchanging part of a game's pictures: the empty board."""

from PIL import Image

from dvonn import POINTS
from renderer.geometry import Layout, hexagon
from renderer.palette import Palette
from renderer.shapes import SoftMask
from renderer.theme import Theme
from renderer.tiles import TileMaker


def empty_board(theme: Theme, layout: Layout, palette: Palette, tiles: TileMaker) -> Image.Image:
    """Return the empty board below an empty strip, as palette indices (mode L)."""
    board = SoftMask((layout.width, layout.height))
    for point in POINTS:
        board.polygon(hexagon(layout.centre(point), layout.half + layout.frame))
    picture = Image.new("RGB", board.size, theme.canvas)
    picture.paste(theme.frame, mask=board.image())
    frame = palette.indices(picture)
    empty, outline = palette.indices(tiles.space(theme.cell)), tiles.outline()
    for point in POINTS:
        x, y = layout.centre(point)
        frame.paste(empty, (x - empty.width // 2, y - empty.height // 2), outline)
    return frame
