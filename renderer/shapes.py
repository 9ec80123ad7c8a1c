"""Antialiased masks of shapes, and a fast way to paste them."""

import math
from collections.abc import Sequence
from functools import lru_cache

from PIL import Image, ImageDraw

# Supersampling factor: shapes are painted larger by this factor and scaled down.
_FINE = 4


class SoftMask:
    """A mask with soft edges, painted in (fractional) pixels of its final size."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self._fine = Image.new("L", (size[0] * _FINE, size[1] * _FINE))
        self._brush = ImageDraw.Draw(self._fine)

    def disc(self, centre: tuple[float, float], radius: float, value: int = 255) -> None:
        """Fill a disc. With a value of 0, cut it out."""
        self._brush.ellipse(_box(centre, radius), fill=value)

    def polygon(self, corners: Sequence[tuple[float, float]], value: int = 255) -> None:
        """Fill a polygon. With a value of 0, cut it out."""
        self._brush.polygon([(x * _FINE, y * _FINE) for x, y in corners], fill=value)

    def dashes(
        self,
        centre: tuple[float, float],
        radius: float,
        breadth: float,
        count: int,
        inset: float = 0.0,
    ) -> None:
        """Paint a circle of `count` dashes that extend inward from the radius.

        `inset` shrinks each dash.
        """
        turn, less = 360 / count, math.degrees(inset / radius)
        width = max(1, round((breadth - 2 * inset) * _FINE))
        box = _box(centre, radius - inset)
        for dash in range(count):
            start, end = turn * dash + less, turn * (dash + 0.6) - less
            self._brush.arc(box, start, end, fill=255, width=width)

    def hatching(self, breadth: float, step: float) -> None:
        """Fill the mask with slanted lines whose centers are `step` apart."""
        width, height = self.size
        across, wide = step * math.sqrt(2), breadth / math.sqrt(2)
        for number in range(-int(height / across) - 1, int(width / across) + 2):
            x = number * across
            ends = (x - wide, x + wide), (x + height + wide, x + height - wide)
            (low, high), (end, start) = ends
            self.polygon([(low, 0), (high, 0), (end, height), (start, height)])

    def image(self) -> Image.Image:
        """Return the mask (mode L) at its final size."""
        return self._fine.reduce(_FINE)

    def stencil(self) -> Image.Image:
        """Return the mask with hard edges (mode 1)."""
        return hard(self.image())


def hard(mask: Image.Image, low: int = 128, high: int = 256) -> Image.Image:
    """Threshold a mask: return a mask (mode 1) of values from `low` to below `high`."""
    return mask.point(_steps(low, high)).convert("1", dither=Image.Dither.NONE)


@lru_cache(maxsize=16)
def _steps(low: int, high: int) -> list[int]:
    return [255 if low <= value < high else 0 for value in range(256)]


def lay(
    frame: Image.Image,
    image: Image.Image,
    corner: tuple[int, int],
    mask: Image.Image | None = None,
) -> None:
    """Paste an image of the frame's mode, like `Image.paste` but without its checks.

    The checks take longer than pasting a small image.
    """
    (x, y), (width, height) = corner, image.size
    masks = () if mask is None else (mask.im,)
    frame.im.paste(image.im, (x, y, x + width, y + height), *masks)


def _box(centre: tuple[float, float], radius: float) -> tuple[float, float, float, float]:
    x, y = centre
    # Pillow's boxes include the last pixel.
    return (
        (x - radius) * _FINE,
        (y - radius) * _FINE,
        (x + radius) * _FINE - 1,
        (y + radius) * _FINE - 1,
    )
