"""Tests for looks: a theme is one constant, and looks are cached separately."""

import pytest

from dvonn import Position
from renderer import THEMES, WOOD, Look, render
from renderer.picture import painter_of
from tests.renderer.gallery import GALLERY
from tests.renderer.seeing import picture

OWN = THEMES["slate"]


@pytest.mark.parametrize("name", GALLERY)
def test_another_theme_leaves_none_of_the_usual_grounds(name: str) -> None:
    image = picture(GALLERY[name].png(Look(theme=OWN, width_px=400)))

    assert image.getpixel((0, 0)) == OWN.canvas
    colors = {color for _, color in image.getcolors(1 << 16) or ()}
    assert {OWN.canvas, OWN.frame} <= colors
    assert not {WOOD.canvas, WOOD.frame, WOOD.cell} & colors


def test_looks_do_not_mix_and_few_of_them_are_kept() -> None:
    shown = GALLERY["melee"]
    looks = [Look(theme=theme, width_px=width) for theme in (WOOD, OWN) for width in (400, 500)]
    alone = []
    for look in looks:
        painter_of.cache_clear()
        alone.append(render(shown.position, last=shown.last, look=look))

    assert [render(shown.position, last=shown.last, look=look) for look in looks] == alone
    assert len(set(alone)) == len(looks)
    for width in range(300, 310):
        render(Position.initial(), look=Look(width_px=width))
    assert painter_of.cache_info().currsize == 12
