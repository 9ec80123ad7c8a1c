"""Tests of pictures against golden ones."""

import json
from collections.abc import Callable

import pytest

from renderer import (
    THEMES,
    Look,
    chart,
    collection,
    progress,
    rating_curves,
    render,
    standings,
    svg,
    theme_sheet,
)
from renderer.faces import FACES
from renderer.vector import kit
from tests.renderer.conftest import GOLDEN
from tests.renderer.gallery import CHARTED, CHARTS, CURVES, GALLERY, PROGRESS, STANDINGS
from tests.renderer.reviews import reviewed


@pytest.mark.parametrize("name", GALLERY)
def test_pictures_look_as_they_did(name: str, same_as_golden: Callable[[str, bytes], None]) -> None:
    shown = GALLERY[name]

    same_as_golden(
        name,
        render(
            shown.position,
            coordinates=shown.coordinates,
            last=shown.last,
            marks=shown.marks,
            caption=shown.caption,
            look=Look(width_px=shown.width_px),
        ),
    )


@pytest.mark.parametrize("name", CHARTS)
def test_charts_look_as_they_did(name: str, same_as_golden: Callable[[str, bytes], None]) -> None:
    seed, caption, marked = CHARTS[name]
    review = reviewed(CHARTED, seed)

    same_as_golden(name, chart(review, caption=caption, marked=marked, look=Look(width_px=600)))


def test_the_course_of_a_rating_looks_as_it_did(
    same_as_golden: Callable[[str, bytes], None],
) -> None:
    same_as_golden("progress", progress(1_200, PROGRESS, look=Look(width_px=600)))


def test_the_curves_of_ratings_look_as_they_did(
    same_as_golden: Callable[[str, bytes], None],
) -> None:
    same_as_golden("ratings", rating_curves(CURVES, look=Look(width_px=600)))


def test_standings_look_as_they_did(same_as_golden: Callable[[str, bytes], None]) -> None:
    same_as_golden("standings", standings(STANDINGS, look=Look(width_px=600)))


def test_the_sheet_of_themes_looks_as_it_did(same_as_golden: Callable[[str, bytes], None]) -> None:
    same_as_golden("themes", theme_sheet(width_px=700))


def test_the_characters_look_as_they_did(same_as_golden: Callable[[str, bytes], None]) -> None:
    beaten = set(FACES) - {2}
    same_as_golden("characters", collection(beaten, look=Look(width_px=600)))


def drawing(name: str, theme: str) -> str:
    shown = GALLERY[name]
    look = Look(theme=THEMES[theme])
    return svg(shown.position, last=shown.last, caption=shown.caption, look=look)


DRAWINGS = {
    "drawing.svg": lambda: drawing("great-cut", "wood"),
    "drawing-printed.svg": lambda: drawing("end", "newsletter"),
    "kit.json": lambda: json.dumps(kit(Look()), indent=1),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawings_are_what_they_were(name: str, request: pytest.FixtureRequest) -> None:
    """Their numbers are those of every system: each change of one is seen."""
    drawn = DRAWINGS[name]().replace("><", ">\n<")
    golden = GOLDEN / name
    if request.config.getoption("--update-golden"):
        golden.write_text(drawn, encoding="utf-8")
    assert drawn.splitlines() == golden.read_text(encoding="utf-8").splitlines()


def test_no_golden_picture_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == {
        *GALLERY,
        *CHARTS,
        "progress",
        "ratings",
        "standings",
        "themes",
        "characters",
    }
    assert {path.name for path in GOLDEN.glob("*.[sj]*")} == {*DRAWINGS}
