"""Tests that the lessons' pictures show the rules, with positions from a game."""

import pytest

from dvonn import Color, Coordinates, column_row, distance, point_at
from renderer import LESSONS, Lesson, describe, render
from tests.renderer.test_twin import ALT_TEXT_LIMIT

SIZE_LIMIT = 74 * 1024


def test_there_are_six_lessons_and_each_has_a_name() -> None:
    assert list(LESSONS) == ["aim", "placement", "movement", "surrounded", "cut", "end"]
    assert all(lesson.name == name for name, lesson in LESSONS.items())


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_each_was_played_from_the_empty_board(lesson: Lesson) -> None:
    # A position that was set up counts its plies from there.
    plies = {"aim": 70, "placement": 20, "movement": 68, "surrounded": 49, "cut": 75, "end": 86}

    assert lesson.position.plies == plies[lesson.name]
    pieces = [*lesson.position.stacks.values()]
    assert sum(map(len, pieces)) <= min(lesson.position.plies, 49)


@pytest.mark.parametrize("coordinates", Coordinates)
@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_each_is_rendered_and_described(lesson: Lesson, coordinates: Coordinates) -> None:
    position, last, marks = lesson.position, lesson.last, lesson.marks

    png = render(position, coordinates=coordinates, last=last, marks=marks)
    text = describe(position, coordinates=coordinates, last=last, marks=marks)

    assert len(png) <= SIZE_LIMIT
    assert len(text) <= ALT_TEXT_LIMIT


def test_movement_shows_landings_of_every_kind_and_a_way_that_ends_on_nothing() -> None:
    lesson = LESSONS["movement"]
    position, marks = lesson.position, lesson.marks
    assert marks is not None
    assert marks.source is not None

    assert position.height(marks.source) == 2
    assert set(marks.landings) == set(position.destinations(marks.source))
    assert all(distance(marks.source, landing) == 2 for landing in marks.landings)
    owners = {position.owner(landing) for landing in marks.landings}
    assert owners == {Color.WHITE, Color.BLACK, None}
    column, row = column_row(marks.source)
    beyond = point_at(column + 2, row)
    assert beyond is not None
    assert not position.height(beyond)


def test_a_last_move_is_the_one_that_led_to_the_position() -> None:
    moved = {lesson.name: lesson for lesson in LESSONS.values() if lesson.last is not None}

    assert list(moved) == ["placement", "cut", "end"]
    for lesson in moved.values():
        assert lesson.last is not None
        assert lesson.position.height(lesson.last.target)
        assert lesson.last.source is None or not lesson.position.height(lesson.last.source)
