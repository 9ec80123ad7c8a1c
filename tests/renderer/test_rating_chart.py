"""Tests for rating curves: their text, and how they look without color."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from renderer import (
    ENGLISH,
    THEMES,
    WOOD,
    Curve,
    Look,
    RatedPoint,
    Theme,
    Words,
    describe_curves,
    rating_curves,
)
from renderer.chart_parts import LEFT, RIGHT
from renderer.rating_chart import _DASH, _broken
from tests.renderer.gallery import CURVES, course
from tests.renderer.seeing import differing, picture, pixel

HALF = 45
"""Size of a half-cell in pixels, at a width of 1100."""
TOP, FOOT = round(1.4 * HALF), round(6.6 * HALF)


def curve(*points: RatedPoint) -> Curve:
    return Curve("Live games", points, "Nov 2, 2026", "Nov 22, 2026")


def settled(*ratings: float) -> Curve:
    return curve(*(RatedPoint(rating, 60, is_settled=True) for rating in ratings))


def unsettled(*ratings: float) -> Curve:
    return curve(*(RatedPoint(rating, 200, is_settled=False) for rating in ratings))


def gold(image: Image.Image, x: int) -> list[int]:
    """Return the heights at which a column of the first panel has the line's color."""
    return [y for y in range(TOP, FOOT) if pixel(image, x, y) == WOOD.accent]


def gaps(one: Curve) -> int:
    """Return how many columns between the ends of a line are empty."""
    image = picture(rating_curves([one]))
    columns = range(round((LEFT + 1.2) * HALF), round((RIGHT - 1.2) * HALF))
    return sum(not gold(image, x) for x in columns)


def test_the_clocks_state_is_described() -> None:
    assert describe_curves(CURVES[1:]) == (
        "Live games: 1345?: from 1500 (Nov 20, 2026) to 1345 (Nov 22, 2026), lowest 1345, highest "
        "1500. Not settled yet, give or take 230."
    )
    told = describe_curves(CURVES)
    assert told.endswith(describe_curves(CURVES[1:]))
    assert "Settled, give or take 60." in told


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("width_px", [300, 800])
def test_a_picture_has_the_requested_width_in_every_theme(theme: Theme, width_px: int) -> None:
    look = replace(Look(width_px=width_px), theme=theme)
    one, two = (Image.open(BytesIO(rating_curves(CURVES[:count], look=look))) for count in (1, 2))
    assert one.width == two.width == width_px
    assert 0.3 < one.height / width_px < 0.45
    assert 1.7 < two.height / one.height < 2


def test_the_line_goes_from_the_first_rating_to_the_last() -> None:
    image = picture(rating_curves([settled(1_400, 1_600)]))
    first, last = (gold(image, round(x * HALF)) for x in (LEFT + 1.5, RIGHT - 1.5))
    assert min(first) > max(last)
    flat = picture(rating_curves([settled(*[1_500] * 30)]))
    assert {
        round(sum(found) / len(found)) for x in (300, 600, 900) if (found := gold(flat, x))
    } == {(TOP + FOOT) // 2}


def test_unsettled_ratings_have_dashed_lines() -> None:
    assert gaps(settled(1_480, 1_520)) == 0
    assert gaps(unsettled(1_480, 1_520)) > 200


def test_a_broken_line_may_end_in_a_gap_or_in_a_dash() -> None:
    dash, gap = _DASH
    first = [(0.0, 0.0), (dash, 0.0)]
    end = (dash + gap / 2, 0.0)
    assert list(_broken([(0.0, 0.0), end])) == [first]
    end = (dash + gap + dash / 2, 0.0)
    assert list(_broken([(0.0, 0.0), end])) == [first, [(dash + gap, 0.0), end]]


def test_an_unsettled_rating_has_a_ring() -> None:
    middle = round((LEFT + RIGHT) / 2 * HALF), (TOP + FOOT) // 2
    for one, ink in ((settled(1_500), WOOD.accent), (unsettled(1_500), WOOD.accent_edge)):
        assert pixel(picture(rating_curves([one])), *middle) == ink


def test_the_band_is_as_broad_as_the_doubt() -> None:
    def height(deviation: float) -> int:
        one = curve(*[RatedPoint(1_500, deviation, is_settled=True)] * 2)
        image = picture(rating_curves([one]))
        ground = WOOD.chart_ground
        return sum(pixel(image, 600, y) != ground for y in range(TOP, FOOT))

    assert height(20) < height(50) < height(90)
    assert FOOT - TOP - 1 <= height(400) <= FOOT - TOP, "it ends at the panel's edges"


def test_of_very_many_games_the_best_and_the_worst_are_seen() -> None:
    ratings = [1_500.0] * 1_000
    ratings[333], ratings[666] = 1_700.0, 1_300.0
    image = picture(rating_curves([settled(*ratings)]))
    painted = [y for x in range(200, 1_100) for y in gold(image, x)]
    assert min(painted) < TOP + HALF // 4
    assert max(painted) > FOOT - HALF // 4


def test_long_words_stay_beside_each_other() -> None:
    words = Words(settled="s" * 40, unsettled="u" * 40, give_or_take="g" * 40)
    look = Look(words=words, width_px=400)
    image = picture(rating_curves([curve(*course(1_500, "+" * 20))], look=look))
    edge = [pixel(image, image.width - 3, y) for y in range(image.height)]
    assert set(edge) == {WOOD.canvas}
    plain = [pixel(image, 2, y) for y in range(image.height)]
    assert set(plain) == {WOOD.canvas}


def test_nothing_has_no_curve() -> None:
    for show in (rating_curves, describe_curves):
        for nothing in ((), (curve(),)):
            with pytest.raises(ValueError, match="there are no rated points"):
                show(nothing)


@pytest.mark.parametrize("width_px", [400, 800])
def test_words_are_apart_at_any_size(width_px: int) -> None:
    """In small pictures, a letter's own space is as narrow as the gap between letters."""
    apart, together = (
        legend_end(rating_curves((unsettled(1_500, 1_400),), look=look_with(words, width_px)))
        for words in ("a bc", "abc")
    )

    assert apart - together >= 2.5 * width_px / 400


def look_with(unsettled_word: str, width_px: int) -> Look:
    return Look(words=replace(ENGLISH, unsettled=unsettled_word), width_px=width_px)


def legend_end(png: bytes) -> int:
    """Return the right end of the legend's last symbol."""
    image = picture(png)
    row = image.crop((0, round(image.height * 0.9), *image.size))
    box = differing(row, Image.new("RGB", row.size, WOOD.canvas), 30).getbbox()
    assert box is not None
    return box[2]
