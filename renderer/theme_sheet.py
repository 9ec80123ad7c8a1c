"""One picture of all themes, to choose from: a corner of a board below each theme's name."""

from functools import lru_cache
from io import BytesIO
from typing import Final

from PIL import Image

from dvonn import Color, Point, Position, parse_move
from dvonn.svg.geometry import Layout
from dvonn.svg.themes import THEMES
from renderer.lettering import Weight, fitting, lettering, measured
from renderer.look import DEFAULT
from renderer.picture import Painter
from renderer.png import COMPRESSION
from renderer.scene import Scene
from renderer.words import ENGLISH, Words

_ABREAST: Final = 3
_BOARD_SHARE: Final = 0.9
"""Width of a whole board as a fraction of the sheet's width. Names are readable on a phone at that
size.
"""
_UPPERMOST: Final = Point("a3")
"""The leftmost space of the top row that is completely visible in the cutout."""
# Lengths in half-cells of the board on the sheet (see `dvonn.svg.geometry`).
_MARGIN: Final = 1.1  # space to the left of a title
_BESIDE: Final = 1.5  # from the left edge of the cutout to the center of `_UPPERMOST`
_ABOVE: Final = 1.42  # from the upper edge of the cutout to the center of its row
_BELOW: Final = 1.4  # from the center of the bottom row to the lower edge of the cutout
_TITLE: Final = 1.2  # font size of a title
_TITLE_AT: Final = 1.45  # from the upper edge of a theme's part to the baseline of its title
_HEADER: Final = 1.85  # from the upper edge of a theme's part to the board

_MOVE: Final = parse_move("a2-c2")
# Pieces of all kinds. The move cuts off a stack.
_SHOWN: Final = Position.from_stacks(
    {
        "a1": "WB",
        "a2": "BW",
        "a3": "B",
        "b3": "WBWB",
        "c1": "W",
        "c2": "B",
        "c3": "R",
        "d1": "B",
        "d2": "W",
        "d3": "WBRW",
        "e3": "B",
        "f3": "BW",
    },
    turn=Color.WHITE,
).play(_MOVE)


@lru_cache(maxsize=8)  # for several languages that are used at the same time
def theme_sheet(*, words: Words = ENGLISH, width_px: int = 800) -> bytes:
    """Render a corner of a board in each of THEMES, in order, as one PNG.

    The first call takes about half a second. The result is cached.

    Args:
        words: Texts with the names of the themes.
        width_px: Width, from 300 to 2400.

    Raises:
        ValueError: if the width is out of bounds.
    """
    width, board_px = -(-Layout(width_px).width // _ABREAST), round(width_px * _BOARD_SHARE)
    parts = [_part(Painter(theme, board_px), words, key, width) for key, theme in THEMES.items()]
    lines = -(-len(parts) // _ABREAST)
    sheet = Image.new("RGB", (width_px, lines * parts[0].height), DEFAULT.theme.canvas)
    for number, part in enumerate(parts):
        line, column = divmod(number, _ABREAST)
        sheet.paste(part, (column * width_px // _ABREAST, line * part.height))
    file = BytesIO()
    sheet.save(file, "PNG", compress_level=COMPRESSION)
    return file.getvalue()


def _part(painter: Painter, words: Words, key: str, width: int) -> Image.Image:
    """Return a theme's name in its own colors above a corner of a board."""
    theme, layout = painter.theme, painter.layout
    board = painter.board(Scene(_SHOWN, last=_MOVE))
    x, y = layout.centre(_UPPERMOST)
    left, top = x - round(layout.half * _BESIDE), y - round(layout.half * _ABOVE)
    bottom = layout.centre(Point("a1")).y + round(layout.half * _BELOW)
    header = round(layout.half * _HEADER)
    part = Image.new("L", (width, header + bottom - top), painter.palette.index(theme.canvas))
    part.paste(board.crop((left, top, left + width, bottom)), (0, header))
    _write(part, painter, words, key)
    painter.palette.finish(part)
    return part.convert("RGB")


def describe_themes(*, words: Words = ENGLISH) -> str:
    """Describe the picture as text: the names of the themes, in order."""
    return words.themes.format(names=", ".join(map(words.theme, THEMES)))


def _write(part: Image.Image, painter: Painter, words: Words, key: str) -> None:
    """Write a theme's name, in a font size at which all themes' names fit."""
    theme, half = painter.theme, painter.layout.half
    left = round(half * _MARGIN)
    longest = max(map(words.theme, THEMES), key=lambda name: measured(Weight.MEDIUM, name))
    face = fitting(Weight.MEDIUM, round(half * _TITLE), longest, part.width - 2 * left)
    ramp = painter.palette.ramp(theme.canvas, theme.text)
    line = lettering(words.theme(key), face).point(ramp)
    part.paste(line, (left, round(half * _TITLE_AT) - face.getmetrics()[0]))
