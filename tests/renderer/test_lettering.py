"""Tests for text: names are rendered correctly or left out, and all text is readable."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest
from PIL import ImageFont

from bot.base.languages import reader_for
from bot.play.words.pictures import look_of
from dvonn import Color
from renderer import (
    Caption,
    Look,
    chart,
    collection,
    progress,
    rating_curves,
    standings,
    theme_sheet,
)
from renderer.lettering import Weight, font, lettering, renderable_name
from renderer.picture import painter_of
from tests.renderer.gallery import (
    CHARTED,
    CHARTS,
    CURVES,
    GALLERY,
    PROGRESS,
    STANDINGS,
    crosstable,
)
from tests.renderer.reviews import reviewed
from tests.renderer.test_head import LANGUAGES

WIDE: Final = "W" * 18


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
        # Letters that are left out become an ellipsis.
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


KINDS: dict[str, Callable[[Look], object]] = {
    "boards": lambda look: [
        replace(GALLERY[name], caption=replace(GALLERY[name].caption, white=WIDE, black=WIDE)).png(
            look
        )
        for name in ("end", "resigned", "great-cut", "white-passes", "arrows-line", "heat")
    ],
    "charts": lambda look: [
        chart(reviewed(CHARTED, seed), caption=replace(caption, white=WIDE), marked=at, look=look)
        for seed, caption, at in CHARTS.values()
    ],
    "ratings": lambda look: rating_curves(CURVES, beaten={1, 2}, look=look),
    "puzzles": lambda look: progress(1_200, PROGRESS, look=look),
    "standings": lambda look: standings(STANDINGS, look=look),
    "crosstable": lambda look: standings(crosstable(11, 2), look=look),
    "characters": lambda look: collection({1, 2}, look=look),
    "themes": lambda look: theme_sheet(words=look.words, width_px=look.width_px),
}


OTHERS: Final = [
    pytest.param(language, marks=pytest.mark.later("the same sizes in another language"))
    for language in LANGUAGES
    if language != "de"
]


@pytest.mark.parametrize("language", ["de", *OTHERS])
@pytest.mark.parametrize("kind", KINDS)
def test_no_text_on_a_phone_is_smaller_than_nine_pixels(
    kind: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes, load = set[float](), ImageFont.truetype

    def loaded(file: str, size: float, **options: Any) -> ImageFont.FreeTypeFont:
        sizes.add(size)
        return load(file, size, **options)

    monkeypatch.setattr(ImageFont, "truetype", loaded)
    for cache in (font, painter_of, theme_sheet):
        cache.cache_clear()

    assert KINDS[kind](replace(look_of(reader_for(language)), width_px=400))

    assert min(sizes) >= 9
