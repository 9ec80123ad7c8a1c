"""Tests for pictures against golden ones."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from renderer import (
    THEMES,
    Look,
    chart,
    collection,
    progress,
    rating_curves,
    standings,
    svg,
    theme_sheet,
)
from renderer.faces import FACES
from renderer.vector import kit
from tests.renderer.conftest import GOLDEN
from tests.renderer.gallery import (
    CHARTED,
    CHARTS,
    CURVES,
    GALLERY,
    PROGRESS,
    STANDINGS,
    WORDY,
    crosstable,
)
from tests.renderer.reviews import reviewed


def board(name: str, look: Look) -> bytes:
    return GALLERY[name].png(look)


def review(name: str, look: Look) -> bytes:
    seed, caption, marked = CHARTS[name]
    return chart(reviewed(CHARTED, seed), caption=caption, marked=marked, look=look)


@pytest.mark.parametrize("name", GALLERY)
def test_boards_have_not_changed(name: str, same_as_golden: Callable[[str, bytes], None]) -> None:
    same_as_golden(name, board(name, Look(width_px=GALLERY[name].width_px)))


@pytest.mark.parametrize("name", CHARTS)
def test_charts_have_not_changed(name: str, same_as_golden: Callable[[str, bytes], None]) -> None:
    same_as_golden(name, review(name, Look(width_px=600)))


PICTURES: dict[str, Callable[[], bytes]] = {
    "progress": lambda: progress(1_200, PROGRESS, look=Look(width_px=600)),
    "ratings": lambda: rating_curves(CURVES, look=Look(width_px=600)),
    "standings": lambda: standings(STANDINGS, look=Look(width_px=600)),
    "crosstable": lambda: standings(crosstable(11, 2), look=Look(width_px=400)),
    "themes": lambda: theme_sheet(width_px=700),
    "characters": lambda: collection(set(FACES) - {2}, look=Look(width_px=600)),
    # Parts that only some themes have.
    "choice-newsletter": lambda: board("choice", Look(theme=THEMES["newsletter"], width_px=400)),
    "arrows-slate": lambda: board("arrows-line", Look(theme=THEMES["slate"], width_px=400)),
    "heat-light": lambda: board("heat", Look(theme=THEMES["light"], width_px=400)),
    "resigned-contrast": lambda: board("resigned", Look(theme=THEMES["contrast"], width_px=400)),
    "chart-newsletter": lambda: review(
        "chart-marked", Look(theme=THEMES["newsletter"], width_px=400)
    ),
    # Texts as long as in the longest language get a smaller font, or are cut.
    "resigned-wordy": lambda: board("resigned", Look(words=WORDY, width_px=400)),
    "chart-wordy": lambda: review("chart-marked", Look(words=WORDY, width_px=400)),
    "progress-wordy": lambda: progress(
        1_200,
        PROGRESS,
        look=Look(words=replace(WORDY, solved="solved " * 9, missed="missed " * 9), width_px=400),
    ),
    "ratings-wordy": lambda: rating_curves(CURVES, look=Look(words=WORDY, width_px=400)),
    "standings-wordy": lambda: standings(STANDINGS, look=Look(words=WORDY, width_px=400)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_other_pictures_have_not_changed(
    name: str, same_as_golden: Callable[[str, bytes], None]
) -> None:
    same_as_golden(name, PICTURES[name]())


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
def test_drawings_are_unchanged(name: str, request: pytest.FixtureRequest) -> None:
    """SVG files are the same on every system, so any change is found."""
    drawn = DRAWINGS[name]().replace("><", ">\n<")
    golden = GOLDEN / name
    if request.config.getoption("--update-golden"):
        golden.write_text(drawn, encoding="utf-8")
    assert drawn.splitlines() == golden.read_text(encoding="utf-8").splitlines()


def test_no_golden_picture_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == {
        *GALLERY,
        *CHARTS,
        *PICTURES,
    }
    assert {path.name for path in GOLDEN.glob("*.[sj]*")} == {*DRAWINGS}
