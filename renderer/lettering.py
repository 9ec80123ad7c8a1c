"""Lettering: Source Sans Pro, out of a package and never from the host."""

from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont


class Weight(StrEnum):
    """The cuts that pictures use."""

    REGULAR = "SourceSansPro-Regular.ttf"
    MEDIUM = "SourceSansPro-Semibold.ttf"
    BOLD = "SourceSansPro-Bold.ttf"


@lru_cache(maxsize=64)
def font(weight: Weight, size_px: int) -> ImageFont.FreeTypeFont:
    """A font at a size. Basic layout: pictures shall not depend on a shaping library."""
    data = (files("font_source_sans_pro") / "files" / weight.value).read_bytes()
    return ImageFont.truetype(BytesIO(data), size_px, layout_engine=ImageFont.Layout.BASIC)


def lettering(text: str, face: ImageFont.FreeTypeFont) -> Image.Image:
    """A line of text as a mask (mode L), as high as the font: its baseline is at the ascent."""
    ascent, descent = face.getmetrics()
    mask = Image.new("L", (max(1, round(face.getlength(text))), ascent + descent))
    ImageDraw.Draw(mask).text((0, ascent), text, font=face, fill=255, anchor="ls")
    return mask


def centred(
    mask: Image.Image, face: ImageFont.FreeTypeFont, middle: tuple[float, float]
) -> tuple[int, int]:
    """Where the upper left corner of some lettering goes so that its digits are centred."""
    x, y = middle
    _, top, _, bottom = face.getbbox("0", anchor="ls")
    baseline = y - (top + bottom) / 2
    return round(x - mask.width / 2), round(baseline) - face.getmetrics()[0]
