"""The faces of the machine's characters, one per level, drawn from circles, ovals and triangles.

A face is drawn around (0, 0) with a radius of 1. It has a disc of its own color behind it, so it
looks the same in every theme. Only the parts of one side are listed, and they are mirrored to the
other.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from dvonn.svg.theme import Rgb

_FINE: Final = 4
"""Supersampling factor of faces."""

_INK: Final = (46, 40, 46)
_WHITE: Final = (252, 250, 245)
_CREAM: Final = (244, 224, 192)
_YELLOW: Final = (250, 208, 74)
_ORANGE: Final = (238, 136, 48)
_BROWN: Final = (142, 94, 60)
_TAN: Final = (214, 164, 108)
_GRAY: Final = (156, 160, 172)
_STEEL: Final = (98, 110, 132)
_GREEN: Final = (112, 182, 84)
_PINK: Final = (244, 164, 176)
_RED: Final = (200, 36, 48)
_PURPLE: Final = (136, 96, 178)

_SKY: Final = (176, 216, 240)
_MINT: Final = (190, 232, 204)
_SAND: Final = (248, 232, 178)
_LILAC: Final = (216, 204, 242)
_ROSE: Final = (250, 212, 210)
"""Colors of the discs."""


class _Oval(NamedTuple):
    x: float
    y: float
    rx: float
    ry: float
    ink: Rgb


class _Shape(NamedTuple):
    """A filled polygon of a face."""

    corners: tuple[tuple[float, float], ...]
    ink: Rgb


class _Arc(NamedTuple):
    """An arc of a circle. Angles are in degrees, clockwise from the right."""

    x: float
    y: float
    radius: float
    begin: int
    end: int
    ink: Rgb = _INK


_Part = _Oval | _Shape | _Arc


class _Face(NamedTuple):
    ground: Rgb
    parts: tuple[_Part, ...]


def _disc(x: float, y: float, radius: float, ink: Rgb) -> _Oval:
    return _Oval(x, y, radius, radius, ink)


def _eyes(x: float, y: float, radius: float = 0.09) -> tuple[_Part, ...]:
    """Return eyes with a highlight."""
    return _disc(x, y, radius, _INK), _disc(x + radius / 3, y - radius / 3, radius / 3, _WHITE)


def _smile(y: float, radius: float = 0.16, ink: Rgb = _INK) -> _Arc:
    return _Arc(0, y, radius, 20, 160, ink)


def _nose(y: float, ink: Rgb = _INK, size: float = 0.1) -> _Oval:
    return _Oval(0, y, size, size * 0.75, ink)


def _pointed(ink: Rgb, inner: Rgb) -> tuple[_Part, ...]:
    """Return pointed ears."""
    return (
        _Shape(((0.62, -0.84), (0.1, -0.46), (0.62, -0.02)), ink),
        _Shape(((0.56, -0.68), (0.26, -0.44), (0.56, -0.2)), inner),
    )


def _whiskers(y: float, ink: Rgb = _INK) -> tuple[_Part, ...]:
    return tuple(
        _Shape(((0.28, y), (0.72, y + slope), (0.72, y + slope + 0.03)), ink)
        for slope in (-0.08, 0.06)
    )


def _spikes(ink: Rgb) -> tuple[_Part, ...]:
    """Return a hedgehog's spikes."""
    tips = ((0.0, -0.8), (0.3, -0.76), (0.56, -0.6), (0.74, -0.36), (0.82, -0.06), (0.78, 0.24))
    return tuple(
        _Shape(((x, y), (x / 2 - y / 5, y / 2 + x / 5), (x / 2 + y / 5, y / 2 - x / 5)), ink)
        for x, y in tips
    )


_CHICK = _Face(
    _SKY,
    (
        _Shape(((0, -0.86), (0.2, -0.74), (0, -0.5)), _ORANGE),
        _disc(0, 0.04, 0.62, _YELLOW),
        *_eyes(0.24, -0.08),
        _Shape(((0, 0.34), (-0.17, 0.1), (0, 0.04), (0.17, 0.1)), _ORANGE),
        _Oval(0.4, 0.16, 0.1, 0.07, _PINK),
    ),
)
_MOUSE = _Face(
    _ROSE,
    (
        _disc(0.5, -0.42, 0.34, _GRAY),
        _disc(0.5, -0.42, 0.21, _PINK),
        _Oval(0, 0.14, 0.54, 0.5, _GRAY),
        *_eyes(0.2, 0.04),
        _nose(0.3, _PINK, 0.12),
        *_whiskers(0.3),
        _smile(0.36, 0.12),
    ),
)
_RABBIT = _Face(
    _MINT,
    (
        _Oval(0.24, -0.5, 0.15, 0.42, _WHITE),
        _Oval(0.24, -0.48, 0.07, 0.3, _PINK),
        _Oval(0, 0.24, 0.52, 0.48, _WHITE),
        *_eyes(0.2, 0.14),
        _nose(0.3, _PINK, 0.1),
        _Shape(((-0.09, 0.42), (0.09, 0.42), (0.08, 0.6), (-0.08, 0.6)), _GRAY),
        _smile(0.34, 0.12),
    ),
)
_FROG = _Face(
    _SAND,
    (
        _disc(0.34, -0.36, 0.27, _GREEN),
        _Oval(0, 0.14, 0.68, 0.5, _GREEN),
        _disc(0.34, -0.38, 0.19, _WHITE),
        *_eyes(0.34, -0.36, 0.11),
        _Arc(0, 0.02, 0.4, 20, 160),
        _Oval(0.46, 0.2, 0.09, 0.06, _PINK),
    ),
)
_HEDGEHOG = _Face(
    _MINT,
    (
        *_spikes(_BROWN),
        _disc(0, 0, 0.6, _BROWN),
        _Oval(0, 0.18, 0.46, 0.42, _CREAM),
        *_eyes(0.2, 0.08),
        _nose(0.28, _INK, 0.12),
        _smile(0.36, 0.12),
    ),
)
_PIG = _Face(
    _SKY,
    (
        _Shape(((0.62, -0.66), (0.14, -0.5), (0.56, -0.1)), (226, 128, 146)),
        _disc(0, 0.06, 0.6, _PINK),
        *_eyes(0.27, -0.1),
        _Oval(0, 0.2, 0.26, 0.19, (226, 128, 146)),
        _Oval(0.1, 0.2, 0.05, 0.08, _INK),
        _smile(0.34, 0.16),
    ),
)
_DOG = _Face(
    _SAND,
    (
        _Oval(0, 0.04, 0.52, 0.6, _TAN),
        _Oval(0.54, -0.08, 0.2, 0.46, _BROWN),
        _Oval(0, 0.3, 0.3, 0.26, _CREAM),
        *_eyes(0.22, -0.1),
        _nose(0.18, _INK, 0.14),
        _Oval(0, 0.5, 0.09, 0.12, _RED),
        _Arc(0.11, 0.28, 0.11, 10, 170),
    ),
)
_CAT = _Face(
    _LILAC,
    (
        *_pointed(_INK, _PINK),
        _Oval(0, 0.08, 0.62, 0.54, _INK),
        _disc(0.26, 0.0, 0.15, _GREEN),
        _Oval(0.26, 0.0, 0.05, 0.13, _INK),
        _nose(0.24, _PINK, 0.08),
        *_whiskers(0.3, _WHITE),
        _Arc(0.09, 0.28, 0.09, 10, 170, _WHITE),
    ),
)
_PANDA = _Face(
    _MINT,
    (
        _disc(0.46, -0.44, 0.22, _INK),
        _disc(0, 0.06, 0.62, _WHITE),
        _Oval(0.25, 0.02, 0.15, 0.19, _INK),
        _disc(0.24, 0.0, 0.07, _WHITE),
        _nose(0.28, _INK, 0.11),
        _smile(0.34, 0.13),
    ),
)
_PENGUIN = _Face(
    _SKY,
    (
        _Oval(0, 0.02, 0.62, 0.68, _STEEL),
        _Oval(0.2, 0.08, 0.26, 0.34, _WHITE),
        _Oval(0, 0.34, 0.36, 0.28, _WHITE),
        *_eyes(0.22, -0.04),
        _Shape(((0, 0.38), (-0.15, 0.14), (0, 0.08), (0.15, 0.14)), _ORANGE),
    ),
)
_RACCOON = _Face(
    _SAND,
    (
        _disc(0.46, -0.44, 0.22, _STEEL),
        _disc(0.46, -0.44, 0.11, _WHITE),
        _Oval(0, 0.06, 0.64, 0.54, _GRAY),
        _Oval(0.3, 0.04, 0.28, 0.17, _INK),
        _Oval(0, 0.36, 0.26, 0.22, _WHITE),
        _disc(0.26, 0.02, 0.09, _WHITE),
        _disc(0.26, 0.02, 0.05, _INK),
        _nose(0.26, _INK, 0.11),
        _smile(0.34, 0.12),
    ),
)
_FOX = _Face(
    _SKY,
    (
        *_pointed(_ORANGE, _INK),
        _Shape(((0.66, -0.1), (0, 0.72), (0, -0.44), (0.3, -0.44)), _ORANGE),
        _Shape(((0.66, -0.1), (0, 0.72), (0.1, 0.22)), _WHITE),
        *_eyes(0.24, -0.06),
        _nose(0.58, _INK, 0.12),
    ),
)
_TIGER = _Face(
    _MINT,
    (
        _disc(0.46, -0.44, 0.22, _ORANGE),
        _disc(0.46, -0.44, 0.11, _CREAM),
        _disc(0, 0.06, 0.62, _ORANGE),
        _Shape(((0, -0.28), (0.07, -0.56), (-0.07, -0.56)), _INK),
        _Shape(((0.22, -0.3), (0.28, -0.52), (0.17, -0.55)), _INK),
        _Shape(((0.36, 0.1), (0.62, 0.0), (0.62, 0.14)), _INK),
        _Shape(((0.36, 0.28), (0.58, 0.24), (0.56, 0.36)), _INK),
        _Oval(0.12, 0.34, 0.18, 0.16, _CREAM),
        *_eyes(0.24, -0.06),
        _nose(0.22, _PINK, 0.12),
        _smile(0.32, 0.13),
    ),
)
_OWL = _Face(
    _LILAC,
    (
        _Shape(((0.58, -0.78), (0.08, -0.5), (0.58, -0.2)), _BROWN),
        _Oval(0, 0.06, 0.6, 0.62, _BROWN),
        _disc(0.26, -0.04, 0.28, _CREAM),
        _disc(0.26, -0.04, 0.19, _YELLOW),
        *_eyes(0.26, -0.04, 0.12),
        _Shape(((0, 0.36), (-0.11, 0.12), (0.11, 0.12)), _ORANGE),
        _Arc(0.14, 0.42, 0.1, 10, 170, _CREAM),
    ),
)
_WOLF = _Face(
    _ROSE,
    (
        *_pointed(_STEEL, _INK),
        _Shape(((0.7, 0.12), (0.5, -0.3), (0, -0.5), (0, 0.4)), _STEEL),
        _Shape(((0.7, 0.12), (0.4, 0.06), (0, 0.7), (0, 0.72), (0.3, 0.56), (0.6, 0.4)), _WHITE),
        _Oval(0, 0.36, 0.26, 0.34, _WHITE),
        _Shape(((0.12, -0.02), (0.38, -0.12), (0.34, 0.06)), _YELLOW),
        _disc(0.26, -0.01, 0.05, _INK),
        _nose(0.3, _INK, 0.13),
        _smile(0.4, 0.13),
    ),
)
_DRAGON = _Face(
    _SAND,
    (
        _Shape(((0.46, -0.84), (0.14, -0.46), (0.44, -0.36)), _BROWN),
        _Shape(((0.86, -0.24), (0.4, -0.16), (0.5, 0.16)), _RED),
        _Oval(0, -0.1, 0.54, 0.48, _PURPLE),
        _Oval(0, 0.34, 0.44, 0.32, _PURPLE),
        _Shape(((0, -0.76), (0.12, -0.48), (-0.12, -0.48)), _RED),
        _disc(0.24, -0.12, 0.15, _YELLOW),
        _Oval(0.24, -0.12, 0.05, 0.13, _INK),
        _disc(0.15, 0.26, 0.05, _INK),
        _Arc(0, 0.2, 0.3, 30, 150),
    ),
)
_RING = _Face(
    _SKY,
    (
        _Oval(0, 0.3, 0.7, 0.46, (120, 16, 26)),
        _Oval(0, 0.12, 0.7, 0.5, _RED),
        _Oval(0, 0.1, 0.58, 0.39, _WHITE),
        _Oval(0, 0.1, 0.54, 0.36, _RED),
        _Shape(((0, -0.36), (0, -0.84), (0.14, -0.58), (0.44, -0.76), (0.36, -0.34)), _YELLOW),
        _disc(0.22, 0.06, 0.13, _WHITE),
        *_eyes(0.22, 0.07, 0.08),
        _smile(0.16, 0.15, _WHITE),
    ),
)

_FACES: Final = (
    *(_CHICK, _MOUSE, _RABBIT, _FROG, _HEDGEHOG, _PIG, _DOG, _CAT, _PANDA, _PENGUIN, _RACCOON),
    *(_FOX, _TIGER, _OWL, _WOLF, _DRAGON, _RING),
)
FACES: Final = range(1, len(_FACES) + 1)
"""The numbers of the faces, which are the machine's levels."""
COLORS: Final = tuple(
    dict.fromkeys(
        ink for face in _FACES for ink in (face.ground, *(part.ink for part in face.parts))
    )
)
"""The colors of all areas of the faces."""
_SAMPLE_PX: Final = 40
_SIZE: Final = 256


def face(number: int, size: int, ground: Rgb) -> Image.Image:
    """Return a face as a square RGB image.

    Args:
        number: One of `FACES`.
        size: Width and height in pixels.
        ground: Color outside the face's disc.
    """
    drawn, radius = _FACES[number - 1], size * _FINE / 2
    image = Image.new("RGB", (size * _FINE, size * _FINE), ground)
    draw = ImageDraw.Draw(image)
    draw.ellipse((0, 0, 2 * radius - 1, 2 * radius - 1), fill=drawn.ground)
    for part in drawn.parts:
        for side in (1, -1):
            _put(draw, part, side, radius)
    return image.reduce(_FINE)


def shades(ground: Rgb) -> tuple[Rgb, ...]:
    """Return the colors at the soft edges of faces on a background, most common first."""
    sheet = Image.new("RGB", (_SAMPLE_PX * len(FACES), _SAMPLE_PX))
    for number in FACES:
        sheet.paste(face(number, _SAMPLE_PX, ground), ((number - 1) * _SAMPLE_PX, 0))
    flat = sheet.quantize(_SIZE).convert("RGB").tobytes()
    counts = Counter(zip(flat[::3], flat[1::3], flat[2::3], strict=True))
    return tuple(color for color, _ in counts.most_common())


def _put(draw: ImageDraw.ImageDraw, part: _Part, side: int, radius: float) -> None:
    def to_pixels(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(radius * (1 + side * x), radius * (1 + y)) for x, y in points]

    if isinstance(part, _Shape):
        draw.polygon(to_pixels(part.corners), fill=part.ink)
        return
    rx, ry = (part.radius,) * 2 if isinstance(part, _Arc) else (part.rx, part.ry)
    ((x, y),) = to_pixels([(part.x, part.y)])
    box = (x - rx * radius, y - ry * radius, x + rx * radius, y + ry * radius)
    if isinstance(part, _Arc):
        draw.arc(box, part.begin, part.end, fill=part.ink, width=round(radius * 0.07))
    else:
        draw.ellipse(box, fill=part.ink)
