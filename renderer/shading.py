"""Light and shade on a ring: a small shader that runs once for each kind of piece."""

import math
from dataclasses import dataclass

from PIL import Image

from dvonn.svg.theme import Rgb

_Vector = tuple[float, float, float]

# A ring is flat on top and curves down to its two edges. These constants are where the curve
# starts, between the middle of the ring's width (0) and an edge (1), and how steep it becomes. Flat
# areas also keep files small.
_BEND_FROM = 0.35
_BEND_POWER = 1.5
_STEEPNESS = 1.2
_AMBIENT = 0.53
_DIFFUSE = 0.77
_SHININESS = 40
# Width of the dark line at both edges of a ring, as a fraction of the ring's radius.
_EDGE_LINE = 0.04


def _normalized(vector: _Vector) -> _Vector:
    length = math.hypot(*vector)
    return vector[0] / length, vector[1] / length, vector[2] / length


# Direction to the light: upper left, well above the table. The highlight is where the surface faces
# halfway between the light and the viewer above.
_LIGHT = _normalized((-0.46, -0.62, 0.64))
_SHINE = _normalized((_LIGHT[0], _LIGHT[1], _LIGHT[2] + 1))


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring seen from above.

    Attributes:
        outer: Radius of its outer edge in pixels.
        hole: Radius of its hole in pixels.
        color: The ring's color without light and shade.
        gloss: Brightness of the highlight, 0 to 1.
        relief: Curvature of the edges, from 0 (a flat disc with a hole) to 1.
    """

    outer: float
    hole: float
    color: Rgb
    gloss: float
    relief: float = 1.0

    def image(self) -> Image.Image:
        """Return an RGBA image of even size with the ring at its center and soft edges."""
        size = 2 * math.ceil(self.outer + 0.5)
        places = [place + 0.5 - size / 2 for place in range(size)]
        nearest, farthest = self.hole - 0.5, self.outer + 0.5
        pixels = bytearray(4 * size * size)
        for row, y in enumerate(places):
            for column, x in enumerate(places, row * size):
                if nearest < (distance := math.hypot(x, y)) < farthest:
                    pixels[4 * column : 4 * column + 4] = self._pixel(x, y, distance)
        return Image.frombytes("RGBA", (size, size), bytes(pixels))

    def _pixel(self, x: float, y: float, distance: float) -> bytes:
        """Return the color and coverage of a pixel at (x, y), relative to the ring's center."""
        inward, outward = self.outer - distance, distance - self.hole
        coverage = _unit(inward + 0.5) * _unit(outward + 0.5)
        across = 2 * _unit(outward / (self.outer - self.hole)) - 1
        lit, shining = _LIGHT[2], _SHINE[2]  # on the flat top
        if self.relief and abs(across) > _BEND_FROM:
            bend = ((abs(across) - _BEND_FROM) / (1 - _BEND_FROM)) ** _BEND_POWER
            slope = math.copysign(self.relief * _STEEPNESS * bend, across)
            normal = _normalized((slope * x / distance, slope * y / distance, 1.0))
            lit, shining = _dot(normal, _LIGHT), _dot(normal, _SHINE)
        light = _AMBIENT + _DIFFUSE * max(0.0, lit)
        shine = 255 * self.gloss * self.relief * max(0.0, shining) ** _SHININESS
        line = self.outer * _EDGE_LINE
        edge = (0.55 + 0.45 * _unit(inward / line)) * (0.65 + 0.35 * _unit(outward / line))
        colors = [min(255, int((color * light + shine) * edge)) for color in self.color]
        return bytes((*colors, int(coverage * 255)))


def _unit(value: float) -> float:
    """Return the value, clamped to the range from 0 to 1."""
    return 0.0 if value < 0.0 else min(value, 1.0)


def _dot(a: _Vector, b: _Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
