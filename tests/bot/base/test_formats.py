"""Tests for durations and lists, as each language writes them."""

from datetime import timedelta

import pytest

from bot.base.formats import (
    amount,
    approximate_duration,
    duration,
    shortened_list,
    shortened_people,
)
from bot.base.languages import reader_for

ENGLISH = reader_for("en-US")


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (timedelta(days=3), "3 days"),
        (timedelta(hours=36), "36 hours"),
        (timedelta(minutes=90), "90 minutes"),
        (timedelta(seconds=1), "1 second"),
        (timedelta(seconds=1.5), "1 second"),
    ],
)
def test_a_duration_uses_the_largest_unit_that_divides_it(length: timedelta, told: str) -> None:
    assert duration(ENGLISH, length) == told


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (timedelta(days=2, hours=5, minutes=59), "2 days, 5 hours"),
        (timedelta(days=1), "1 day"),
        (timedelta(days=1, minutes=59), "1 day"),
        (timedelta(hours=1, minutes=1), "1 hour, 1 minute"),
        (timedelta(minutes=2, seconds=3), "2 minutes, 3 seconds"),
        (timedelta(seconds=59), "59 seconds"),
        (timedelta(seconds=59.9), "59 seconds"),
    ],
)
def test_an_approximate_duration_has_two_units(length: timedelta, told: str) -> None:
    assert approximate_duration(ENGLISH, length) == told


def test_an_amount_has_no_separators() -> None:
    assert amount(ENGLISH, 1_240, "hour") == "1240 hours"


def test_many_names_are_shortened_with_a_count() -> None:
    assert shortened_list(ENGLISH, ["a1", "b1"], 2) == "a1, b1"
    assert shortened_list(ENGLISH, ["a1", "b1", "c1"], 2) == "a1, b1, and 1 more"
    assert shortened_people(ENGLISH, ["Ann", "Bob"], 2) == "Ann and Bob"
    assert shortened_people(ENGLISH, ["Ann", "Bob", "Cid", "Dee"], 2) == "Ann, Bob, and 2 others"
