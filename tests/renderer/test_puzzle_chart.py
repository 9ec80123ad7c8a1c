"""Tests of the chart of a puzzle rating, and of its text."""

import pytest

from renderer import Step, describe_progress, progress

STEPS = (Step(1_290.0, solved=True), Step(1_240.2, solved=False))


def test_it_is_told_in_words() -> None:
    assert describe_progress(1_200.4, STEPS) == (
        "Puzzle rating from 1200 to 1240: 1 of the last 2 puzzles solved."
    )


def test_nothing_has_no_course() -> None:
    for show in (progress, describe_progress):
        with pytest.raises(ValueError, match="nothing was tried"):
            show(1_200, ())
