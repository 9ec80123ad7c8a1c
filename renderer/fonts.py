"""The font of the pictures: Roboto, out of the package font-roboto and never from the host."""

from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from io import BytesIO

from PIL import ImageFont


class Weight(StrEnum):
    """The cuts that pictures use."""

    REGULAR = "Roboto-Regular.ttf"
    MEDIUM = "Roboto-Medium.ttf"
    BOLD = "Roboto-Bold.ttf"


@lru_cache(maxsize=64)
def font(weight: Weight, size_px: int) -> ImageFont.FreeTypeFont:
    """A font at a size. Basic layout, so that pictures do not depend on a shaping library."""
    data = (files("font_roboto") / "files" / weight.value).read_bytes()
    return ImageFont.truetype(BytesIO(data), size_px, layout_engine=ImageFont.Layout.BASIC)
