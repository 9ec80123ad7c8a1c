"""Helpers that read messages."""

import re
from io import BytesIO

from PIL import Image


def stamps(text: str, style: str = "f") -> list[int]:
    """Return the timestamps of one style in a text, in seconds."""
    return [int(found) for found in re.findall(rf"<t:([0-9]+):{style}>", text)]


def pixels(picture: bytes) -> tuple[tuple[int, int], bytes]:
    """Return a picture's size and pixels, which don't depend on how the file is compressed."""
    with Image.open(BytesIO(picture)) as opened:
        return opened.size, opened.convert("RGB").tobytes()
