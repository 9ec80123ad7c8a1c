"""Tests that long names are cut, and stay large enough to read."""

from dataclasses import replace

import pytest
from PIL import Image

from renderer import WOOD, Caption, Look, render
from renderer.finish import BOARD_SHARE
from renderer.geometry import Layout
from renderer.theme import Rgb
from tests.renderer.gallery import GALLERY, Shown
from tests.renderer.seeing import differing, picture

SHORT, WIDE = "HH", "W" * 40
FAINT = 60
"""By so much a channel of a pixel differs where there is ink, and not just its edge."""
LEAST = 0.6
"""So much of its usual height lettering has at least."""


def draw(shown: Shown, name: str, width_px: int) -> Image.Image:
    caption: Caption = replace(shown.caption, white=name, black=name)
    look = Look(width_px=width_px)
    return picture(render(shown.position, last=shown.last, caption=caption, look=look))


def height(image: Image.Image, box: tuple[float, ...], ground: Rgb) -> int:
    """How many rows of a part of a picture have lettering on a ground. The part is in halves."""
    half = Layout(image.width).half
    left, top, right, foot = (round(one * half) for one in box)
    part = image.crop((left, top, right, foot))
    inked = differing(part, Image.new("RGB", part.size, ground), FAINT).getbbox()
    return 0 if inked is None else inked[3] - inked[1]


@pytest.mark.parametrize("width_px", [400, 1100])
@pytest.mark.parametrize("name", ["names", "end"])
def test_who_is_to_move_or_has_won_is_written_large_enough(name: str, width_px: int) -> None:
    headline = (0.8, 0.2, 9.0, 1.7)

    usual, cut = (
        height(draw(GALLERY[name], one, width_px), headline, WOOD.canvas) for one in (SHORT, WIDE)
    )

    assert usual > 0
    assert cut >= LEAST * usual


@pytest.mark.parametrize("width_px", [600, 1100])
def test_names_below_towers_are_large_enough(width_px: int) -> None:
    width = width_px / Layout(width_px).half
    foot = width * 350 / 550
    for left, right in ((0.05, 0.12), (0.16, 0.24)):
        below = (
            *(width * (BOARD_SHARE + left), foot - 1.75),
            *(width * (BOARD_SHARE + right), foot - 0.82),
        )

        usual, cut = (
            height(draw(GALLERY["end"], one, width_px), below, WOOD.cell) for one in (SHORT, WIDE)
        )

        assert usual > 0
        assert cut >= LEAST * usual


def test_a_name_that_fits_is_not_cut() -> None:
    shown, name = GALLERY["names"], "Bartholomew Feath"

    whole, less = (draw(shown, one, 1100) for one in (name, name[:-1]))

    assert whole.tobytes() != less.tobytes()
