"""Tests for the chart of a puzzle rating, and of its text."""

import pytest

from renderer import Step, describe_progress, progress
from tests.renderer.seeing import differing, picture

STEPS = (Step(1_290.0, solved=True), Step(1_240.2, solved=False))


def test_the_clocks_state_is_described() -> None:
    assert describe_progress(1_200.4, STEPS) == (
        "Puzzle rating from 1200 to 1240: 1 of the last 2 puzzles solved."
    )


def test_a_rating_chart_needs_a_value() -> None:
    for show in (progress, describe_progress):
        with pytest.raises(ValueError, match="there are no steps"):
            show(1_200, ())


def test_dots_of_very_many_steps_are_left_out() -> None:
    """The dots would overlap, so only the last step has one."""
    few, many = (
        [
            picture(progress(1_200, [Step(1_200.0, solved=solved)] * count))
            for solved in (True, False)
        ]
        for count in (20, 3_000)
    )

    legend = round(many[0].height * 0.8)
    boxes = []
    for pair in (few, many):
        solved, missed = (item.crop((0, 0, item.width, legend)) for item in pair)
        boxes.append(differing(solved, missed).getbbox())

    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0][2] - boxes[0][0] > 0.7 * many[0].width
    assert boxes[1][2] - boxes[1][0] < 0.03 * many[0].width
