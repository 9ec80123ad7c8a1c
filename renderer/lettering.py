"""Text rendering in Source Sans Pro. The font comes from a Python package, never from the host."""

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from dvonn.svg.stack_shapes import name_size

NAME_LIMIT: Final = 18
"""Maximum number of characters of a name in a picture."""
_MEASURE_PX: Final = 100
_PROBE_PX: Final = 24
_IN_NO_FONT: Final = "\uffff"
_CUT: Final = "…"
_TEXT_LIMIT: Final = 40
"""Maximum number of characters of a name in running text."""
_ISOLATED: Final = "\u2068"
_END_OF_ISOLATED: Final = "\u2069"


class Weight(StrEnum):
    """Font weights used in pictures."""

    REGULAR = "SourceSansPro-Regular.ttf"
    MEDIUM = "SourceSansPro-Semibold.ttf"
    BOLD = "SourceSansPro-Bold.ttf"


@lru_cache(maxsize=64)
def font(weight: Weight, size_px: int) -> ImageFont.FreeTypeFont:
    """Return a font in a given size.

    It uses Pillow's basic layout, so pictures do not depend on a text shaping library.
    """
    # Loaded by path, because each size would keep its own copy of a font loaded from bytes.
    file = str(files("font_source_sans_pro") / "files" / weight.value)
    return ImageFont.truetype(file, size_px, layout_engine=ImageFont.Layout.BASIC)


def fitting(weight: Weight, size_px: int, text: str, room_px: float) -> ImageFont.FreeTypeFont:
    """Return a font in a given size, or in a smaller one if the text would be too wide."""
    face = font(weight, size_px)
    if (length := face.getlength(text)) <= room_px:
        return face
    return font(weight, max(1, int(size_px * room_px / length)))


@lru_cache(maxsize=1024)
def measured(weight: Weight, text: str) -> float:
    """Return a text's width as a multiple of the font size."""
    return font(weight, _MEASURE_PX).getlength(text) / _MEASURE_PX


def lettering(text: str, face: ImageFont.FreeTypeFont) -> Image.Image:
    """Render a line of text as a mask (mode L) of the font's height.

    The baseline is as far below the top as the font's ascent.
    """
    ascent, descent = face.getmetrics()
    mask = Image.new("L", (max(1, round(face.getlength(text))), ascent + descent))
    ImageDraw.Draw(mask).text((0, ascent), text, font=face, fill=255, anchor="ls")
    return mask


@lru_cache(maxsize=1024)
def renderable_name(name: str, *, limit: int = NAME_LIMIT) -> str:
    """Return the part of a name that the font can render, shortened to `limit` characters.

    The result is "" if the font can render nothing. Fancy and wide letters become plain ones. Emoji
    and other symbols that the font lacks are dropped. Letters that it lacks become an ellipsis, so
    "Ann 王" becomes "Ann…".

    >>> renderable_name("Ann 王"), renderable_name("🙂 Bob")
    ('Ann…', 'Bob')
    """
    letters: list[str] = []
    for sign in unicodedata.normalize("NFKC", name).replace("...", _CUT):
        kind = unicodedata.category(sign)[0]
        if kind in "MC":
            continue
        if kind == "Z" or _has(sign):
            letters.append(" " if kind == "Z" else sign)
        elif kind in "LN":
            letters.append(_CUT)
    text = re.sub(rf" ?(?:{_CUT} ?)+", _CUT, " ".join("".join(letters).split()))
    return shortened(text, limit) if any(sign.isalnum() for sign in text) else ""


def shortened(text: str, limit: int) -> str:
    """Return a text cut to at most `limit` characters, with an ellipsis if it was longer.

    >>> shortened("Annabelle", 5)
    'Anna…'
    """
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip(f' {_CUT}')}{_CUT}"


def is_whole(name: str) -> bool:
    """Return True if the font can render a name completely."""
    return _CUT not in renderable_name(name, limit=len(name) + 1)


def inline_name(name: str, *, limit: int = _TEXT_LIMIT) -> str:
    """Return a name for running text: in any script, on one line, without invisible characters.

    A right-to-left name is isolated, so that it does not affect the text around it.
    """
    signs = (sign for sign in name if sign.isspace() or unicodedata.category(sign)[0] != "C")
    text = " ".join("".join(signs).split())[:limit].rstrip()
    if any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in text):
        return f"{_ISOLATED}{text}{_END_OF_ISOLATED}"
    return text


def unmarked(name: str) -> str:
    """Return a name from `inline_name` without its direction marks."""
    return name.strip(_ISOLATED + _END_OF_ISOLATED)


def _has(sign: str) -> bool:
    """Return True if the font has a character.

    A missing character is recognized because it looks like one that no font has.
    """
    face = font(Weight.MEDIUM, _PROBE_PX)
    return _glyph(face, sign) != _glyph(face, _IN_NO_FONT)


def _glyph(face: ImageFont.FreeTypeFont, sign: str) -> tuple[object, bytes]:
    mask = lettering(sign, face)
    return mask.size, mask.tobytes()


class TextMask(NamedTuple):
    """A mask of rendered text, with its font."""

    mask: Image.Image
    face: ImageFont.FreeTypeFont


def name_of_space(name: str, half: int, *, stacked: bool) -> TextMask:
    """Return a space's name rendered for a board of a given size."""
    weight = Weight.MEDIUM if stacked else Weight.REGULAR
    face = font(weight, round(half * name_size(name, stacked=stacked)))
    return TextMask(lettering(name, face), face)


def centred(
    mask: Image.Image, face: ImageFont.FreeTypeFont, middle: tuple[float, float]
) -> tuple[int, int]:
    """Return the upper left corner of rendered text that centers its digits at a place."""
    x, y = middle
    _, top, _, bottom = face.getbbox("0", anchor="ls")
    baseline = y - (top + bottom) / 2
    return round(x - mask.width / 2), round(baseline) - face.getmetrics()[0]
