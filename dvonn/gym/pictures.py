"""Pictures of the board for `render`: text, SVG, or pixels from another package."""

from collections.abc import Callable
from importlib.metadata import entry_points
from io import BytesIO
from typing import Any, Final

import numpy as np

from dvonn._rules.errors import DvonnError
from dvonn._rules.position import Position
from dvonn.svg import svg

Picture = Callable[[Position], bytes]
"""Returns a position as a PNG."""

PICTURES: Final = "dvonn.pictures"
"""Entry point group in which a package offers its `Picture`, as dvonn-bot does."""


_TEXTS: Final = ("ansi", "human", "svg")
"""Render modes without dependencies. They return or print a text, or return a picture as SVG."""
_PIXELS: Final = "rgb_array"
"""Render mode that returns an array [height, width, 3] of bytes, if a `Picture` is available."""


def modes(picture: Picture | None = None) -> list[str]:
    """Return the render modes that work here.

    Args:
        picture: Function that draws, or None for the one that is installed.
    """
    has_pictures = picture is not None or bool(entry_points(group=PICTURES))
    return [*_TEXTS, *([_PIXELS] if has_pictures else [])]


def renderer_of(mode: str | None, picture: Picture | None) -> Callable[[Position], Any]:
    """Return a function that renders a position in a mode.

    Args:
        mode: One of `modes`, or None to render nothing.
        picture: Function that draws for `rgb_array`, or None for the first one that is installed.

    Raises:
        DvonnError: if there is no such mode, or nothing that can draw.
    """
    if mode is None:
        return lambda _position: None
    if mode == "ansi":
        return str
    if mode == "svg":
        return svg
    if mode == "human":
        return lambda position: print(position, end="\n\n")  # noqa: T201 - it is asked for
    if mode != _PIXELS:
        raise DvonnError(f"no render mode: {mode!r}, only {', '.join(modes(picture))}")
    factory = picture or next((point.load() for point in entry_points(group=PICTURES)), None)
    if factory is None:
        raise DvonnError("rgb_array needs a picture=, such as that of dvonn-bot, or its package")
    return lambda position: _pixels(factory(position))


def _pixels(png: bytes) -> Any:
    from PIL import Image  # noqa: PLC0415 - whoever draws has it

    with Image.open(BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))
