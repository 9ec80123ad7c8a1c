"""The course of a rating: what the picture says in words, and what it cannot show."""

from io import BytesIO

import pytest
from PIL import Image

from renderer import Look, Step, describe_progress, progress

STEPS = (Step(1_290.0, solved=True), Step(1_240.2, solved=False))


def test_it_is_told_in_words() -> None:
    assert describe_progress(1_200.4, STEPS) == (
        "Puzzle rating from 1200 to 1240: 1 of the last 2 puzzles solved."
    )


@pytest.mark.parametrize("width_px", [300, 1_200])
@pytest.mark.parametrize("steps", [STEPS[:1], STEPS, STEPS * 25])
def test_it_is_as_wide_as_asked_for(steps: tuple[Step, ...], width_px: int) -> None:
    image = Image.open(BytesIO(progress(1_200, steps, look=Look(width_px=width_px))))
    assert image.width == width_px
    assert 0.3 < image.height / image.width < 0.45


def test_a_solved_puzzle_looks_unlike_a_missed_one() -> None:
    pictures = {progress(1_200, [Step(1_250.0, solved=solved)]) for solved in (False, True)}
    assert len(pictures) == 2


def test_nothing_has_no_course() -> None:
    for show in (progress, describe_progress):
        with pytest.raises(ValueError, match="nothing was tried"):
            show(1_200, ())
