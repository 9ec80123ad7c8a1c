"""Several boards in one picture, to choose from: one below the other, each with its number."""

from collections.abc import Sequence

from PIL import Image

from dvonn import Coordinates, Position
from renderer.picture import painter_of
from renderer.theme import DEFAULT, Theme
from renderer.words import ENGLISH, Words


def render_boards(
    positions: Sequence[Position],
    *,
    coordinates: Coordinates = Coordinates.STANDARD,
    words: Words = ENGLISH,
    theme: Theme = DEFAULT,
    width_px: int = 1200,
) -> bytes:
    """Draw boards to choose from as one PNG.

    Args:
        positions: one board or more, from top to bottom; the first is number 1.
        coordinates: the system of the labels.
        words: the titles.
        theme: the colours.
        width_px: from 300 to 2400; the height follows from it.

    Raises:
        ValueError: if the width is out of bounds, or there is no board.
    """
    painter = painter_of(theme, width_px)
    parts = [
        painter.titled(position, coordinates, words.board.format(number=number))
        for number, position in enumerate(positions, start=1)
    ]
    if not parts:
        raise ValueError("there is no board to choose")
    sheet = Image.new("L", (width_px, sum(part.height for part in parts)))
    top = 0
    for part in parts:
        sheet.paste(part, (0, top))
        top += part.height
    return painter.encode(sheet)
