"""Rendering of positions as text, SVG, or pixels that another package draws."""

from collections.abc import Callable
from importlib.metadata import entry_points
from io import BytesIO
from typing import Any, Final

import numpy as np

from dvonn._rules.errors import DvonnError
from dvonn._rules.position import Position
from dvonn.svg import svg

Picture = Callable[[Position], bytes]
"""A function that returns a picture of a position as a PNG file."""

PICTURES: Final = "dvonn.pictures"
"""Entry point group of packages that offer a `Picture`, such as dvonn-bot."""


_TEXTS: Final = ("ansi", "human", "svg")
"""Render modes without dependencies. They return text, print text, or return SVG."""
_PIXELS: Final = "rgb_array"
"""Render mode that returns a uint8 array (height, width, 3). It needs a `Picture`."""


def modes(picture: Picture | None = None) -> list[str]:
    """Return the available render modes.

    Args:
        picture: Function that draws, or None to use an installed one.
    """
    has_pictures = picture is not None or bool(entry_points(group=PICTURES))
    return [*_TEXTS, *([_PIXELS] if has_pictures else [])]


def renderer_of(mode: str | None, picture: Picture | None) -> Callable[[Position], Any]:
    """Return a function that renders a position in a mode.

    Args:
        mode: One of `modes`, or None to render nothing.
        picture: Function that draws for `rgb_array`, or None to use the first installed one.

    Raises:
        DvonnError: if the mode is unknown, or no drawing function is available.
    """
    if mode is None:
        return lambda _position: None
    if mode == "ansi":
        return str
    if mode == "svg":
        return svg
    if mode == "human":
        return lambda position: print(position, end="\n\n")  # noqa: T201 - the mode's purpose
    if mode != _PIXELS:
        raise DvonnError(f"no render mode: {mode!r}, only {', '.join(modes(picture))}")
    factory = picture or next((point.load() for point in entry_points(group=PICTURES)), None)
    if factory is None:
        raise DvonnError("rgb_array needs a picture= function, or the package dvonn-bot")
    return lambda position: _pixels(factory(position))


def _pixels(png: bytes) -> Any:
    from PIL import Image  # noqa: PLC0415 - an optional package

    with Image.open(BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))
