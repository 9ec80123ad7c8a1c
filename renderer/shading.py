"""How a ring catches the light: one small shader, run once for each kind of piece."""

import math
from dataclasses import dataclass

from PIL import Image

from renderer.theme import Rgb

# From where the light comes: the upper left, well above the table.
_LIGHT = (-0.458, -0.617, 0.640)
_AMBIENT = 0.53
_DIFFUSE = 0.55
_SHININESS = 40
# A ring is flat on top and round at its edges: the slope of its surface at t, -1 (hole) to 1 (rim).
_ROUNDNESS = 1.5
_TILT = 0.25
# The thin dark line at both edges of a ring, in pixels of a ring with a radius of 40.
_EDGE_LINE = 1.6 / 40


def _half_vector() -> tuple[float, float, float]:
    """Halfway between the light and the eye, which looks straight down."""
    x, y, z = _LIGHT[0], _LIGHT[1], _LIGHT[2] + 1
    length = math.hypot(x, y, z)
    return x / length, y / length, z / length


_HALF = _half_vector()


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring seen from above: two radii in pixels, its colour, and how glossy it is (0 to 1)."""

    outer: float
    hole: float
    base: Rgb
    gloss: float
    flat: float = 0.0  # 0: round edges, 1: no relief at all

    def image(self) -> Image.Image:
        """An RGBA image of even size with the ring in its middle and soft edges."""
        size = 2 * (math.ceil(self.outer) + 2)
        middle = size / 2 - 0.5
        pixels = bytearray()
        for y in range(size):
            for x in range(size):
                pixels += self._pixel(x - middle, y - middle)
        return Image.frombytes("RGBA", (size, size), bytes(pixels))

    def _pixel(self, dx: float, dy: float) -> bytes:
        distance = math.hypot(dx, dy)
        coverage = _unit(self.outer - distance + 0.5) * _unit(distance - self.hole + 0.5)
        if coverage <= 0:
            return b"\0\0\0\0"
        across = 2 * _unit((distance - self.hole) / (self.outer - self.hole)) - 1
        slope = _ROUNDNESS * across**3 * (1 - self.flat) + _TILT * across
        nx, ny, nz = slope * dx / distance, slope * dy / distance, 1.0
        length = math.hypot(nx, ny, nz)
        lit = max(0.0, (nx * _LIGHT[0] + ny * _LIGHT[1] + nz * _LIGHT[2]) / length)
        shine = max(0.0, (nx * _HALF[0] + ny * _HALF[1] + nz * _HALF[2]) / length) ** _SHININESS
        line = self.outer * _EDGE_LINE
        edge = 0.55 + 0.45 * _unit((self.outer - distance) / line)
        edge *= 0.65 + 0.35 * _unit((distance - self.hole) / line)
        light = _AMBIENT + _DIFFUSE * 1.4 * lit
        highlight = 255 * self.gloss * (1 - self.flat) * shine
        channels = (min(255, int((base * light + highlight) * edge)) for base in self.base)
        return bytes((*channels, int(coverage * 255)))


def _unit(value: float) -> float:
    """The value, cut to 0 to 1."""
    return 0.0 if value < 0 else min(value, 1.0)
