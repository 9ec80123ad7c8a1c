"""The empty board, which is the same in all pictures of a game."""

from PIL import Image

from dvonn import POINTS
from dvonn.svg.geometry import Layout, hexagon
from dvonn.svg.theme import Theme
from renderer.palette import Palette
from renderer.shapes import SoftMask
from renderer.tiles import TileMaker


def empty_board(theme: Theme, layout: Layout, palette: Palette, tiles: TileMaker) -> Image.Image:
    """Return the empty board with an empty header row, as palette indices (mode L)."""
    picture = Image.new("RGB", (layout.width, layout.height), theme.canvas)
    reach = layout.tile_size[1] // 2 + 2 * layout.frame
    border = SoftMask((2 * reach, 2 * reach))
    border.polygon(hexagon((reach, reach), layout.half + layout.frame))
    for point in POINTS:
        x, y = layout.centre(point)
        picture.paste(theme.frame, (x - reach, y - reach), border.image())
    frame = palette.indices(picture)
    empty, outline = palette.indices(tiles.space(theme.cell)), tiles.outline()
    for point in POINTS:
        x, y = layout.centre(point)
        frame.paste(empty, (x - empty.width // 2, y - empty.height // 2), outline)
    return frame
