"""A picture looks as it is told to: a theme is one constant, and what is kept is kept apart."""

import pytest

from dvonn import Position
from renderer import WOOD, Look, PieceColours, Theme, render
from renderer.picture import painter_of
from tests.renderer.gallery import GALLERY
from tests.renderer.seeing import picture

OWN = Theme(
    canvas=(58, 38, 24),
    frame=(92, 60, 36),
    cell=(196, 158, 112),
    cell_label=(74, 48, 28),
    moved=(240, 214, 120),
    label=(236, 220, 196),
    text=(250, 244, 234),
    quiet_text=(214, 196, 170),
    accent=(0, 92, 160),
    accent_edge=(236, 246, 255),
    landing=(20, 120, 60),
    movable=(70, 20, 10),
    white=PieceColours(
        top=(250, 248, 240),
        side=(214, 210, 198),
        seam=(128, 122, 110),
        well=(232, 228, 216),
        ink=(30, 24, 20),
        gloss=0.2,
    ),
    black=PieceColours(
        top=(40, 34, 30),
        side=(52, 46, 40),
        seam=(8, 6, 4),
        well=(20, 16, 12),
        ink=(252, 246, 236),
        gloss=0.5,
    ),
    red=PieceColours(
        top=(170, 40, 30),
        side=(138, 30, 24),
        seam=(60, 8, 6),
        well=(96, 16, 12),
        ink=(252, 240, 230),
        gloss=0.3,
    ),
    mark=(200, 40, 30),
    mark_edge=(255, 246, 230),
    dimming=0.4,
)
"""A theme is this one constant."""


@pytest.mark.parametrize("name", GALLERY)
def test_a_new_theme_is_one_constant(name: str) -> None:
    shown, look = GALLERY[name], Look(theme=OWN, width_px=400)

    image = picture(
        render(
            shown.position,
            coordinates=shown.coordinates,
            last=shown.last,
            marks=shown.marks,
            caption=shown.caption,
            look=look,
        )
    )

    assert image.getpixel((0, 0)) == OWN.canvas
    colours = {colour for _, colour in image.getcolors(1 << 16) or ()}
    assert {OWN.canvas, OWN.frame} <= colours
    assert not {WOOD.canvas, WOOD.frame, WOOD.cell} & colours


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
