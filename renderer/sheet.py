"""Several boards in one picture, to choose from: one below the other, each with its number."""

from collections.abc import Sequence

from PIL import Image

from dvonn import Coordinates, Position
from renderer.look import DEFAULT, Look
from renderer.picture import painter_of


def render_boards(
    positions: Sequence[Position],
    *,
    coordinates: Coordinates = Coordinates.STANDARD,
    look: Look = DEFAULT,
) -> bytes:
    """Render boards to choose from as one PNG.

    Args:
        positions: one board or more, from top to bottom; the first is number 1.
        coordinates: the system of the labels.
        look: the colours, the width, and the words of the titles.

    Raises:
        ValueError: if the width is out of bounds, or there is no board.
    """
    painter = painter_of(look.theme, look.width_px)
    parts = [
        painter.titled(position, coordinates, look.words.board.format(number=number))
        for number, position in enumerate(positions, start=1)
    ]
    if not parts:
        raise ValueError("there is no board to choose")
    sheet = Image.new("L", (look.width_px, sum(part.height for part in parts)))
    top = 0
    for part in parts:
        sheet.paste(part, (0, top))
        top += part.height
    return painter.encode(sheet)
