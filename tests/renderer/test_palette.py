"""Tests for rendering with one palette."""

import itertools
import math

import pytest
from PIL import Image

from dvonn.svg.theme import Rgb, mix
from renderer import WOOD
from renderer.palette import Palette

PALETTE = Palette(WOOD)


def color_of(index: int) -> Rgb:
    return PALETTE.colors[index]


def test_every_color_of_the_palette_finds_itself() -> None:
    row = Image.new("RGB", (len(PALETTE.colors), 1))
    row.putdata(PALETTE.colors)

    assert list(PALETTE.indices(row).tobytes()) == list(range(len(PALETTE.colors)))


def test_a_ramp_goes_from_the_ground_to_the_ink() -> None:
    ramp = PALETTE.ramp(WOOD.canvas, WOOD.text)

    assert len(ramp) == 256
    assert color_of(ramp[0]) == WOOD.canvas
    assert color_of(ramp[255]) == WOOD.text
    brightness = [sum(color_of(index)) for index in ramp]
    assert all(b > a - 25 for a, b in itertools.pairwise(brightness)), "it never turns back"


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_blending_is_close_to_exact_blending(share: float) -> None:
    table = PALETTE.blend(WOOD.accent_edge, share)

    assert len(table) == 256
    off = [
        math.dist(color_of(table[index]), mix(color, WOOD.accent_edge, share))
        for index, color in enumerate(PALETTE.colors)
    ]
    assert max(off) < 45
    assert sum(off) / len(off) < 15


def test_blending_with_all_of_an_ink_covers_everything() -> None:
    table = PALETTE.blend(WOOD.accent, 1.0)

    assert {color_of(table[index]) for index in range(len(PALETTE.colors))} == {WOOD.accent}
