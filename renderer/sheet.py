"""Several boards in one picture, to choose from: two abreast, each with its number, and words."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from dvonn import Position
from renderer.geometry import Layout
from renderer.lettering import Weight, fitting, lettering
from renderer.look import DEFAULT, Look
from renderer.picture import Painter, painter_of
from renderer.theme import Rgb, Theme

_ABREAST: Final = 2
# In halves (see geometry.Layout) of one of the boards.
_MARGIN: Final = 1.1  # to the left of words
_TITLE: Final = 1.5  # size of a title's font
_TITLE_AT: Final = 1.7  # from the upper edge of a board's part to the baseline of its title
_HEADER: Final = 2.2  # from that edge to the room of the board
_ABOVE: Final = 0.0  # how much of the room above the board is left out, and below
_BELOW: Final = 0.2
_HEADING: Final = 1.6
_WORDS: Final = 1.35
_HEADING_AT: Final = 4.4
_LINES_AT: Final = (6.5, 8.2)


def render_boards(positions: Sequence[Position], *, look: Look = DEFAULT) -> bytes:
    """Render boards to choose from as one PNG that is wider than high, and what is to be done.

    Spaces have no names here: nobody plays on these boards yet.

    Args:
        positions: one board or more; the first is number 1, and number 2 is beside it.
        look: the colours, the width (at least 300 pixels), and the words.

    Raises:
        ValueError: if the width is out of bounds, or there is no board.
    """
    if not positions:
        raise ValueError("there is no board to choose")
    words, width = look.words, Layout(look.width_px).width // _ABREAST
    painter = painter_of(look.theme, width)
    parts = [
        _board(painter, position, words.board.format(number=number), look.theme)
        for number, position in enumerate(positions, start=1)
    ]
    parts.append(_advice(painter, parts[0].size, look))
    lines = -(-len(parts) // _ABREAST)
    foot = round(painter.layout.half * _MARGIN / 2)
    canvas = painter.palette.index(look.theme.canvas)
    sheet = Image.new("L", (look.width_px, lines * parts[0].height + foot), canvas)
    for number, part in enumerate(parts):
        line, column = divmod(number, _ABREAST)
        sheet.paste(part, (column * width, line * part.height))
    return painter.encode(sheet)


def _board(painter: Painter, position: Position, title: str, theme: Theme) -> Image.Image:
    """Return a board below its title, as palette indices (mode L)."""
    layout, half = painter.layout, painter.layout.half
    header = round(half * _HEADER)
    top = layout.strip_height + round(half * _ABOVE)
    board = painter.board(position, None, None)
    board = board.crop((0, top, board.width, board.height - round(half * _BELOW)))
    canvas = painter.palette.index(theme.canvas)
    part = Image.new("L", (board.width, board.height + header), canvas)
    part.paste(board, (0, header))
    write(part, painter, title, (Weight.MEDIUM, _TITLE, _TITLE_AT), (theme.canvas, theme.text))
    return part


def _advice(painter: Painter, size: tuple[int, int], look: Look) -> Image.Image:
    """Draw the advice, in the place of one more board."""
    theme, words = look.theme, look.words
    part = Image.new("L", size, painter.palette.index(theme.canvas))
    heading = (Weight.MEDIUM, _HEADING, _HEADING_AT)
    write(part, painter, words.choose_board, heading, (theme.canvas, theme.text))
    for text, at in zip((words.then_colour, words.white_first), _LINES_AT, strict=True):
        style = (Weight.REGULAR, _WORDS, at)
        write(part, painter, text, style, (theme.canvas, theme.quiet_text))
    return part


def write(
    part: Image.Image,
    painter: Painter,
    text: str,
    style: tuple[Weight, float, float],
    inks: tuple[Rgb, Rgb],
) -> None:
    """Write a line: style is its weight, and its size and baseline in halves."""
    weight, size, at = style
    half, palette = painter.layout.half, painter.palette
    left = round(half * _MARGIN)
    face = fitting(weight, round(half * size), text, part.width - 2 * left)
    line = lettering(text, face).point(palette.ramp(*inks))
    part.paste(line, (left, round(half * at) - face.getmetrics()[0]))
