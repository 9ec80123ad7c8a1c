"""Tests of people's names above a board: rendered as they are, or left out."""

import pytest

from dvonn import Color
from renderer import Caption
from renderer.lettering import Weight, font, lettering, renderable_name


@pytest.mark.parametrize(
    ("name", "lettered"),
    [
        ("Ann", "Ann"),
        ("Zoë Ångström", "Zoë Ångström"),
        ("Жанна", "Жанна"),
        ("Ωmega", "Ωmega"),
        ("🎉 Ann 🎲🏳️\u200d🌈", "Ann"),
        (
            "\U0001d4d5\U0001d4ea\U0001d4f7\U0001d4ec\U0001d502 \uff37\uff49\uff44\uff45",
            "Fancy Wide",
        ),
        ("T\u0337\u034eh\u0338e", "The"),
        ("A\u202egnirts", "Agnirts"),
        ("two\n lines", "two lines"),
        ("Maximilian the Great of Spain", "Maximilian the Gr…"),
        # Left-out letters leave a sign.
        ("李小龙", ""),
        ("محمد", ""),
        ("日本Ann", "…Ann"),
        ("Ann 王", "Ann…"),
        ("Ann 王 Bob", "Ann…Bob"),
        ("♥ ★", ""),
        ("   ", ""),
        ("", ""),
    ],
)
def test_names_are_reduced_to_renderable_letters(name: str, lettered: str) -> None:
    assert renderable_name(name) == lettered


def test_a_sign_that_the_font_lacks_would_be_a_box() -> None:
    face = font(Weight.MEDIUM, 24)

    assert lettering("李", face).tobytes() == lettering("\uffff", face).tobytes()
    assert lettering("Ж", face).tobytes() != lettering("\uffff", face).tobytes()


def test_a_name_that_is_cut_twice_is_cut_once() -> None:
    caption = Caption(white="W" * 24).lettered(14)

    assert caption.name(Color.WHITE) == "W" * 13 + "…"
    assert caption.lettered().name(Color.WHITE) == "W" * 13 + "…"
    assert caption.lettered(8).name(Color.WHITE) == "W" * 7 + "…"
