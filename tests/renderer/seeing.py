"""Tools for examining pictures as viewers see them: pixels, regions, contrasts, color blindness."""

import math
from collections.abc import Iterable
from io import BytesIO

from PIL import Image, ImageChops

from dvonn import Point
from dvonn.svg.geometry import Layout, Pixel, hexagon
from dvonn.svg.stack_shapes import FOOT, LAYERS, OUTER, lift, mark_places
from dvonn.svg.theme import Rgb
from renderer import WOOD
from renderer.shapes import SoftMask
from renderer.tiles import HEAD

_Lab = tuple[float, float, float]
_Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB; and luminance alone.
VISIONS: dict[str, _Matrix] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "greyscale": ((0.2126, 0.7152, 0.0722),) * 3,
}


# From linear sRGB to CIE XYZ (IEC 61966-2-1). Each row adds up to the value for white.
_TO_XYZ: _Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)


def picture(png: bytes) -> Image.Image:
    """Return a PNG as an RGB image."""
    return Image.open(BytesIO(png)).convert("RGB")


def cell_box(layout: Layout, point: Point) -> tuple[int, int, int, int]:
    """Return the rectangle around a space."""
    (x, y), (width, height) = layout.centre(point), layout.tile_size
    return x - width // 2, y - height // 2, x + width // 2, y + height // 2


def stack_box(layout: Layout, point: Point) -> tuple[int, int, int, int]:
    """Return the rectangle that contains a stack of any height."""
    left, above, right, bottom = cell_box(layout, point)
    return left, above - round(layout.half * (HEAD + 0.05)), right, bottom


def mark_box(layout: Layout, point: Point) -> tuple[int, int, int, int]:
    """Return the rectangle that contains the outline of a space and a label on it."""
    left, above, right, bottom = stack_box(layout, point)
    return left - layout.frame, above - layout.frame, right + layout.frame, bottom + layout.frame


def without(image: Image.Image, boxes: Iterable[tuple[int, int, int, int]]) -> Image.Image:
    """Return an image with some rectangles erased."""
    rest = image.copy()
    for box in boxes:
        rest.paste((0, 0, 0), box)
    return rest


def space(image: Image.Image, layout: Layout, point: Point) -> Image.Image:
    """Return the picture of a single space, with black outside its hexagon."""
    width, height = layout.tile_size
    mask = SoftMask((width, height))
    mask.polygon(hexagon((width / 2, height / 2), layout.half - 1))
    alone = Image.new("RGB", (width, height))
    alone.paste(image.crop(cell_box(layout, point)), mask=mask.stencil())
    return alone


def marks(image: Image.Image, layout: Layout, point: Point, pieces: str) -> int:
    """Return the number of visible red marks on a stack's face."""
    (x, y), half, seen = top(layout, point, pieces), layout.half, 0
    for across, down, size in mark_places(3, stacked=len(pieces) > 1):
        reach = round(half * 0.2 * size)
        left, above = x + round(half * across) - reach, y + round(half * down) - reach
        place = image.crop((left, above, left + 2 * reach + 1, above + 2 * reach + 1))
        seen += bool(spots(place, WOOD.mark, at_least=round(half**2 * 0.03)))
    return seen


def halo(image: Image.Image, layout: Layout, point: Point, pieces: str) -> float:
    """Return how much of the outline of a movable stack is visible, at the bottom or the top, 0 to
    1."""
    x, y = layout.centre(point)
    reach, shares = layout.half * (OUTER + 0.085), []
    turns = [math.pi * number / 40 for number in range(3, 38)]
    for up, side in ((-FOOT, 1), (lift(min(len(pieces), LAYERS)), -1)):
        found = (
            pixel(
                image,
                round(x + reach * math.cos(turn)),
                round(y - layout.half * up + side * reach * math.sin(turn)),
            )
            for turn in turns
        )
        shares.append(sum(item == WOOD.movable for item in found) / len(turns))
    return max(shares)


def top(layout: Layout, point: Point, pieces: str) -> Pixel:
    """Return the middle of a stack's top piece."""
    x, y = layout.centre(point)
    return Pixel(x, y - round(layout.half * lift(min(len(pieces), LAYERS))))


def pixel(image: Image.Image, x: int, y: int) -> Rgb:
    """Return the color of a pixel in an RGB image."""
    found = image.getpixel((x, y))
    assert isinstance(found, tuple)
    red, green, blue = found
    return red, green, blue


def spots(image: Image.Image, color: Rgb, at_least: int = 8) -> int:
    """Return the number of connected areas of one color in an RGB image, without tiny ones."""
    return len(sizes(image, color, at_least))


def sizes(image: Image.Image, color: Rgb, at_least: int = 8) -> list[int]:
    """Return the pixel count of each connected area of exactly one color, without tiny ones."""
    width, height = image.size
    data = image.tobytes()
    wanted = bytes(color)
    left = {
        (number % width, number // width)
        for number in range(width * height)
        if data[3 * number : 3 * number + 3] == wanted
    }
    areas = []
    while left:
        size, open_ends = 0, [left.pop()]
        while open_ends:
            x, y = open_ends.pop()
            size += 1
            for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if beside in left:
                    left.remove(beside)
                    open_ends.append(beside)
        if size >= at_least:
            areas.append(size)
    return areas


def contrast(a: Rgb, b: Rgb, vision: str = "full") -> float:
    """Return the WCAG 2 contrast ratio (1 to 21) for a kind of vision."""
    lighter, darker = sorted((_luminance(a, vision), _luminance(b, vision)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def apart(a: Rgb, b: Rgb, vision: str = "full") -> float:
    """Return the perceived difference of two colors for a kind of vision: CIEDE2000.

    1 is just noticeable side by side, 10 is obvious, and black and white differ by 100. Formula and
    names are from Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula", 2005.
    """
    return ciede2000(_lab(a, vision), _lab(b, vision))


def ciede2000(one: _Lab, other: _Lab) -> float:
    """Return the difference of two colors in CIE L*a*b*."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    c_bar = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(c_bar**7 / (c_bar**7 + 25**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    dl, dc = l2 - l1, c2 - c1
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    l_bar, c_bar = (l1 + l2) / 2, (c1 + c2) / 2
    h_bar = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    t = (
        1
        - 0.17 * math.cos(math.radians(h_bar - 30))
        + 0.24 * math.cos(math.radians(2 * h_bar))
        + 0.32 * math.cos(math.radians(3 * h_bar + 6))
        - 0.20 * math.cos(math.radians(4 * h_bar - 63))
    )
    s_l = 1 + 0.015 * (l_bar - 50) ** 2 / math.sqrt(20 + (l_bar - 50) ** 2)
    s_c, s_h = 1 + 0.045 * c_bar, 1 + 0.015 * c_bar * t
    r_c = 2 * math.sqrt(c_bar**7 / (c_bar**7 + 25**7))
    r_t = -r_c * math.sin(math.radians(60 * math.exp(-(((h_bar - 275) / 25) ** 2))))
    light, chroma, hue = dl / s_l, dc / s_c, dh / s_h
    return math.sqrt(light**2 + chroma**2 + hue**2 + r_t * chroma * hue)


def _lab(color: Rgb, vision: str) -> _Lab:
    """Return a color in CIE L*a*b* (white D65) for a kind of vision."""
    seen = _seen_as(color, vision)
    x, y, z = (
        sum(weight * channel for weight, channel in zip(row, seen, strict=True)) / sum(row)
        for row in _TO_XYZ
    )
    x, y, z = (
        v ** (1 / 3) if v > (6 / 29) ** 3 else v / (3 * (6 / 29) ** 2) + 4 / 29 for v in (x, y, z)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _luminance(color: Rgb, vision: str) -> float:
    seen = _seen_as(color, vision)
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), seen, strict=True))


def _seen_as(color: Rgb, vision: str) -> list[float]:
    """Return a color, as linear RGB (0 to 1), as a kind of vision sees it."""
    linear = [_linear(channel / 255) for channel in color]
    seen = (
        sum(weight * channel for weight, channel in zip(row, linear, strict=True))
        for row in VISIONS[vision]
    )
    return [min(max(channel, 0.0), 1.0) for channel in seen]


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def differing(a: Image.Image, b: Image.Image, tolerance: int = 0) -> Image.Image:
    """Return where two RGB images differ by more than a tolerance in any channel, as a mask (mode
    L)."""
    red, green, blue = ImageChops.difference(a, b).split()
    worst = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return worst.point([255 if value > tolerance else 0 for value in range(256)])


def side_by_side(
    expected: Image.Image, actual: Image.Image, tolerance: int
) -> tuple[Image.Image, float]:
    """Return two images and their difference, one below the other, and the share of different
    pixels."""
    mask = differing(expected, actual, tolerance)
    share = mask.histogram()[255] / (mask.width * mask.height)
    sheet = Image.new("RGB", (mask.width, 3 * mask.height))
    for number, image in enumerate((expected, actual, mask.convert("RGB"))):
        sheet.paste(image, (0, number * mask.height))
    return sheet, share
