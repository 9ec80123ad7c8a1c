"""Tests for when a daily puzzle is due, and which one it is."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.base.zones import DailyTime, suggest_zones
from dvonn.puzzles import load
from school.puzzles.model import is_daily, puzzle_of

ZONES = sorted({zone for letter in "aeiou" for zone in suggest_zones(letter, 1_000)})


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "time", "day", "moment"),
    [
        ("Europe/Berlin", "02:30", "2026-03-28", "2026-03-28T01:30"),
        (
            "Europe/Berlin",
            "02:30",
            "2026-03-29",
            "2026-03-29T01:00",
        ),  # skipped: after 2:00 comes 3:00
        ("Europe/Berlin", "02:30", "2026-03-30", "2026-03-30T00:30"),
        (
            "Europe/Berlin",
            "02:30",
            "2026-10-25",
            "2026-10-25T00:30",
        ),  # occurs twice: the first one is used
        ("America/New_York", "02:59", "2026-03-08", "2026-03-08T07:00"),
        ("America/New_York", "01:00", "2026-11-01", "2026-11-01T05:00"),
        ("Africa/Cairo", "00:15", "2026-04-24", "2026-04-23T22:00"),  # midnight is skipped
        (
            "Australia/Lord_Howe",
            "02:15",
            "2026-10-04",
            "2026-10-03T15:30",
        ),  # only half an hour is skipped
        ("Asia/Kathmandu", "09:00", "2026-05-01", "2026-05-01T03:15"),
        ("Pacific/Apia", "09:00", "2011-12-30", "2011-12-30T10:00"),  # a skipped day
        ("Pacific/Apia", "09:00", "2011-12-31", "2011-12-30T19:00"),
    ],
)
def test_the_time_of_day_is_in_the_servers_time_zone(
    zone: str, time: str, day: str, moment: str
) -> None:
    hours, minutes = map(int, time.split(":"))
    daily = DailyTime(60 * hours + minutes, zone)
    assert daily.moment(date.fromisoformat(day)) == utc(moment)


@given(
    zone=st.sampled_from(ZONES),
    minute=st.integers(0, 1_439),
    day=st.dates(date(2005, 1, 1), date(2035, 1, 1)),
)
def test_in_every_zone_each_day_has_one_moment(zone: str, minute: int, day: date) -> None:
    """The result has that time of day in the zone, or the first existing time after it.

    Days are in order.
    """
    daily, where = DailyTime(minute, zone), ZoneInfo(zone)
    moment = daily.moment(day)
    shown = moment.astimezone(where).replace(tzinfo=None)
    wanted = datetime.combine(day, daily.hour)
    if shown != wanted:
        just_before = (moment - timedelta(seconds=1)).astimezone(where).replace(tzinfo=None)
        assert just_before < wanted < shown
    assert moment < daily.moment(day + timedelta(days=1))
    assert daily.newest(moment) == day
    assert daily.newest(moment - timedelta(seconds=1)) == day - timedelta(days=1)
    assert daily.next(moment) == daily.moment(day + timedelta(days=1))
    assert daily.next(moment - timedelta(seconds=1)) == moment


def test_weeks_go_from_easy_to_hard_and_nothing_comes_twice_in_three_years() -> None:
    monday = date(2026, 11, 23)
    days = [monday + timedelta(days=number) for number in range(3 * 365)]
    puzzles = [puzzle_of(day) for day in days]
    assert max(Counter(puzzle.id for puzzle in puzzles).values()) == 1
    week = [[puzzle.rating for puzzle in puzzles[weekday::7]] for weekday in range(7)]
    for easier, harder in pairwise(week):
        assert max(easier) <= min(harder)
    assert all(map(is_daily, puzzles))
    assert not any(puzzle.is_rescue for puzzle in puzzles)


def test_a_day_always_has_the_same_puzzle() -> None:
    assert puzzle_of(date(2026, 11, 23)).id == puzzle_of(date(2026, 11, 23) + WHOLE_ROUND).id
    assert [puzzle_of(date(2026, 11, day)).id for day in (23, 29)] == ["93a74094", "2fe2d57f"]


WHOLE_ROUND = timedelta(weeks=184)


def test_few_daily_puzzles_are_won_by_a_single_piece() -> None:
    days = [date(2026, 11, 23) + timedelta(days=number) for number in range(WHOLE_ROUND.days)]
    for weekday in range(7):
        puzzles = [puzzle_of(day) for day in days[weekday::7]]
        assert sum(puzzle.best == 1 for puzzle in puzzles) < len(puzzles) / 10


def test_most_puzzles_are_never_daily_puzzles() -> None:
    kept = sum(map(is_daily, load()))
    assert len(load()) / 5 < kept < len(load()) / 3
