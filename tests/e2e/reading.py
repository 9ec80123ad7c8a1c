"""Read messages as tests need them."""

import re
from io import BytesIO

from PIL import Image


def stamps(text: str, style: str = "f") -> list[int]:
    """The moments of a style in a text, in seconds."""
    return [int(found) for found in re.findall(rf"<t:([0-9]+):{style}>", text)]


def pixels(picture: bytes) -> tuple[tuple[int, int], bytes]:
    """What a picture shows, however small its file is made: its size, and its colors."""
    with Image.open(BytesIO(picture)) as opened:
        return opened.size, opened.convert("RGB").tobytes()
