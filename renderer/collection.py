"""A picture of all machine characters, with faces only for those that a player has beaten."""

from collections.abc import Collection
from typing import Final

from PIL import Image, ImageDraw

from renderer.faces import FACES, face
from renderer.lettering import Weight, centred, font, lettering
from renderer.look import DEFAULT, Look
from renderer.picture import Painter, painter_of

_ABREAST: Final = 9
_SHARE: Final = 0.86
"""Width of a face, as a fraction of its cell."""
_NUMBER: Final = 0.34
"""Font size of a number, as a fraction of its cell."""
_FINE: Final = 4


def collection(beaten: Collection[int], *, look: Look = DEFAULT) -> bytes:
    """Render all characters as a PNG, with faces for beaten ones and numbers for the others.

    Args:
        beaten: Numbers of the beaten characters, from `renderer.faces.FACES`.
        look: Colors and width (300 to 2400 pixels).

    Raises:
        ValueError: if the width is out of bounds.
    """
    painter = painter_of(look.theme, look.width_px)
    return painter.encode(rows_of_faces(painter, beaten))


def rows_of_faces(painter: Painter, beaten: Collection[int]) -> Image.Image:
    """Return the picture of `collection` as palette indices."""
    room = painter.layout.width // _ABREAST
    size, rows = round(room * _SHARE), -(-len(FACES) // _ABREAST)
    canvas = painter.palette.index(painter.theme.canvas)
    frame = Image.new("L", (painter.layout.width, room * rows), canvas)
    for number in FACES:
        row, column = divmod(number - 1, _ABREAST)
        corner = column * room + (room - size) // 2, row * room + (room - size) // 2
        if number in beaten:
            drawn = face(number, size, painter.theme.canvas)
            frame.paste(painter.palette.indices_of_face(drawn), corner)
        else:
            frame.paste(_blank(painter, number, size), corner)
    return frame


def _blank(painter: Painter, number: int, size: int) -> Image.Image:
    """Return a disc with a number in place of a face."""
    theme, palette = painter.theme, painter.palette
    disc = Image.new("RGB", (size * _FINE, size * _FINE), theme.canvas)
    ImageDraw.Draw(disc).ellipse((0, 0, size * _FINE - 1, size * _FINE - 1), fill=theme.chip)
    blank = palette.indices(disc.reduce(_FINE))
    letters = font(Weight.MEDIUM, round(size * _NUMBER))
    mask = lettering(str(number), letters)
    corner = centred(mask, letters, (size // 2, size // 2))
    label, place = palette.inked(mask, theme.chip, theme.quiet_text)
    blank.paste(label, corner, place)
    return blank
