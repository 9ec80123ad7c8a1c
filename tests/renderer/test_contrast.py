"""Nothing is told by colour alone, and everything can be seen with eyes other than most."""

import math

import pytest
from PIL import Image

from dvonn import Point
from renderer.geometry import Layout
from renderer.theme import Rgb
from tests.renderer.seeing import VISIONS, contrast, pixel

LAYOUT = Layout(1100)


def around(image: Image.Image, point: Point, reach: float) -> list[Rgb]:
    """The pixels on a circle of so many halves around the middle of a space, on its left."""
    x, y = LAYOUT.centre(point)
    turns = (math.pi * (0.5 + number / 64) for number in range(64))
    return [
        pixel(
            image,
            x + round(LAYOUT.half * reach * math.cos(turn)),
            y - round(LAYOUT.half * reach * math.sin(turn)),
        )
        for turn in turns
    ]


def test_simulated_eyes_are_those_of_the_papers() -> None:
    # Red is dark without its cones, bright blue and yellow are unmoved; greys stay for everyone.
    red, grey = (255, 0, 0), (119, 119, 119)
    assert contrast(red, (0, 0, 0), "protanopia") < 0.7 * contrast(red, (0, 0, 0))
    for vision in VISIONS:
        assert contrast(grey, (255, 255, 255), vision) == pytest.approx(4.48, abs=0.02)
