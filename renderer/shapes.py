"""Shapes with soft edges."""

from collections.abc import Sequence

from PIL import Image, ImageDraw

# Shapes are painted this many times larger and scaled down. It happens once for each kind of shape.
_FINE = 4


class SoftMask:
    """A mask with soft edges, painted in pixels of its final size (fractions allowed)."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self._fine = Image.new("L", (size[0] * _FINE, size[1] * _FINE))
        self._brush = ImageDraw.Draw(self._fine)

    def disc(self, centre: tuple[float, float], radius: float, value: int = 255) -> None:
        """Fill a disc; a value of 0 cuts it out."""
        self._brush.ellipse(_box(centre, radius), fill=value)

    def polygon(self, corners: Sequence[tuple[float, float]], value: int = 255) -> None:
        """Fill a polygon; a value of 0 cuts it out."""
        self._brush.polygon([(x * _FINE, y * _FINE) for x, y in corners], fill=value)

    def dashes(
        self, centre: tuple[float, float], radius: float, breadth: float, count: int
    ) -> None:
        """Paint a circle of so many dashes, inwards from the radius."""
        turn = 360 / count
        width = max(1, round(breadth * _FINE))
        for dash in range(count):
            start = turn * dash
            self._brush.arc(_box(centre, radius), start, start + turn * 0.6, fill=255, width=width)

    def image(self) -> Image.Image:
        """The mask (mode L) at its final size."""
        return self._fine.resize(self.size, Image.Resampling.BOX)

    def stencil(self) -> Image.Image:
        """The mask with hard edges (mode 1)."""
        return hard(self.image())


def hard(mask: Image.Image, low: int = 128, high: int = 256) -> Image.Image:
    """Where a mask is at least `low` and less than `high`, as a mask of mode 1."""
    table = [255 if low <= value < high else 0 for value in range(256)]
    return mask.point(table).convert("1", dither=Image.Dither.NONE)


def _box(centre: tuple[float, float], radius: float) -> tuple[float, float, float, float]:
    x, y = centre
    # Pillow's boxes include their last pixel.
    return (
        (x - radius) * _FINE,
        (y - radius) * _FINE,
        (x + radius) * _FINE - 1,
        (y + radius) * _FINE - 1,
    )
