"""Tests of rendering with one palette."""

import itertools
import math

import pytest
from PIL import Image

from dvonn.svg.theme import Rgb, mix
from renderer import WOOD
from renderer.palette import Palette

PALETTE = Palette(WOOD)


def colour_of(index: int) -> Rgb:
    return PALETTE.colours[index]


def test_every_color_of_the_palette_finds_itself() -> None:
    row = Image.new("RGB", (len(PALETTE.colours), 1))
    row.putdata(PALETTE.colours)

    assert list(PALETTE.indices(row).tobytes()) == list(range(len(PALETTE.colours)))


def test_a_ramp_goes_from_the_ground_to_the_ink() -> None:
    ramp = PALETTE.ramp(WOOD.canvas, WOOD.text)

    assert len(ramp) == 256
    assert colour_of(ramp[0]) == WOOD.canvas
    assert colour_of(ramp[255]) == WOOD.text
    brightness = [sum(colour_of(index)) for index in ramp]
    assert all(b > a - 25 for a, b in itertools.pairwise(brightness)), "it never turns back"


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_blending_is_close_to_exact_blending(share: float) -> None:
    table = PALETTE.blend(WOOD.accent_edge, share)

    assert len(table) == 256
    off = [
        math.dist(colour_of(table[index]), mix(colour, WOOD.accent_edge, share))
        for index, colour in enumerate(PALETTE.colours)
    ]
    assert max(off) < 45
    assert sum(off) / len(off) < 15


def test_blending_with_all_of_an_ink_covers_everything() -> None:
    table = PALETTE.blend(WOOD.accent, 1.0)

    assert {colour_of(table[index]) for index in range(len(PALETTE.colours))} == {WOOD.accent}
