"""Tests for the faces of the machine's characters."""

from dataclasses import replace
from io import BytesIO

from PIL import Image, ImageChops

from dvonn import Color
from dvonn.machine import LEVELS
from dvonn.svg.geometry import Layout
from dvonn.svg.themes import THEMES
from renderer import Caption, Look, render
from renderer.faces import FACES, face
from renderer.palette import UNUSED, Palette
from tests.renderer.gallery import GALLERY

SMALL_PX = 42
"""A face on a board that is 400 pixels wide."""
MELEE = GALLERY["melee"].position


def drawn(caption: Caption, look: Look) -> Image.Image:
    return Image.open(BytesIO(render(MELEE, caption=caption, look=look))).convert("RGB")


def test_every_level_has_a_face_and_no_two_are_alike() -> None:
    assert [*FACES] == [*LEVELS]
    faces = [face(number, SMALL_PX, (255, 255, 255)) for number in FACES]
    for at, one in enumerate(faces):
        for other in faces[:at]:
            bands = [band.tobytes() for band in ImageChops.difference(one, other).split()]
            apart = sum(max(pixel) > 60 for pixel in zip(*bands, strict=True))
            assert apart > SMALL_PX**2 / 8


def test_a_board_with_a_face_is_the_same_elsewhere() -> None:
    caption = Caption(white="Ann", black="Lulu")
    for theme in THEMES.values():
        look = Look(theme=theme, width_px=400)
        plain, with_face = (
            drawn(caption, look),
            drawn(replace(caption, face=3, machine=Color.BLACK), look),
        )
        box = ImageChops.difference(plain, with_face).getbbox()
        assert box is not None
        assert box[2] > look.width_px * 0.6, "in the machine's chip"
        assert box[3] <= Layout(look.width_px).strip_height


def test_a_palette_has_room_for_the_colors_of_faces() -> None:
    for theme in THEMES.values():
        palette = Palette(theme)
        own = palette.rgb_table()[: 3 * len(palette.colors)]
        assert own == bytes(channel for color in palette.colors for channel in color)
        assert len(palette.rgb_table().rstrip(b"\0")) <= 3 * UNUSED
