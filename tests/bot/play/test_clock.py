"""Tests for clocks: elapsed time, timeouts, increments, and the text of a time control."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.base.zones import Interval
from bot.play.model.clock import Clock, TimeControl, clock_text
from bot.play.model.pauses import Pause, PauseReason, Pauses, elapsed, runs_out
from dvonn import Color

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
# Clocks change on a Sunday at 1:00 UTC, at the midnight before a Sunday, by half an hour, or never.
# Some zones are far ahead of UTC, and some far behind.
ZONES = (
    "Europe/Berlin", "America/Havana", "America/Santiago", "Australia/Lord_Howe", "Asia/Tokyo",
    "Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC",
)  # fmt: skip

moments = st.integers(0, 400 * 24 * 60).map(lambda count: NEW_YEAR + count * MINUTE)
zones = st.none() | st.sampled_from(ZONES)
pauses = st.lists(
    st.builds(
        lambda begins, minutes: Interval(begins=begins, ends=begins + minutes * MINUTE),
        moments,
        st.integers(-10, 30 * 24 * 60),
    ),
    max_size=6,
)


def by_the_minute(
    since: datetime, until: datetime, intervals: list[Interval], zone: str | None
) -> timedelta:
    """Compute `elapsed` minute by minute."""
    where = None if zone is None else ZoneInfo(zone)
    count, moment = 0, since
    while moment < until:
        resting = where is not None and moment.astimezone(where).weekday() >= 5
        if not resting and not any(
            interval.begins <= moment < interval.ends for interval in intervals
        ):
            count += 1
        moment += MINUTE
    return count * MINUTE


@given(
    since=moments,
    minutes=st.integers(0, 12 * 24 * 60),
    near=st.lists(st.tuples(st.integers(-5_000, 20_000), st.integers(-10, 6_000)), max_size=4),
    zone=zones,
)
@example(  # the weekend in which Berlin's clocks go forward is an hour shorter
    since=datetime(2026, 3, 27, 12, tzinfo=UTC), minutes=6_000, near=[], zone="Europe/Berlin"
)
@example(  # in Havana the midnight before Sunday is skipped
    since=datetime(2026, 3, 7, 0, tzinfo=UTC), minutes=6_000, near=[], zone="America/Havana"
)
@example(  # in Santiago the last hour of a Saturday occurs twice
    since=datetime(2026, 4, 3, 0, tzinfo=UTC), minutes=8_000, near=[], zone="America/Santiago"
)
def test_elapsed_time_excludes_pauses_and_weekends(
    since: datetime, minutes: int, near: list[tuple[int, int]], zone: str | None
) -> None:
    until = since + minutes * MINUTE
    intervals = [
        Interval(begins=since + begins * MINUTE, ends=since + (begins + length) * MINUTE)
        for begins, length in near
    ]
    assert elapsed(since, until, intervals, zone) == by_the_minute(since, until, intervals, zone)


@given(since=moments, left=st.timedeltas(timedelta(0), 60 * DAY), pauses=pauses, zone=zones)
def test_time_runs_out_exactly_at_its_end(
    since: datetime, left: timedelta, pauses: list[Interval], zone: str | None
) -> None:
    deadline = runs_out(since, left, pauses, zone)
    assert elapsed(since, deadline, pauses, zone) == left
    if left:
        just_before = deadline - timedelta(microseconds=1)
        assert elapsed(since, just_before, pauses, zone) == left - timedelta(microseconds=1)


@given(since=moments, until=moments, pauses=pauses, zone=zones)
def test_elapsed_time_runs_out_by_now(
    since: datetime, until: datetime, pauses: list[Interval], zone: str | None
) -> None:
    assert runs_out(since, elapsed(since, until, pauses, zone), pauses, zone) <= max(since, until)


@given(moment=moments, back=st.timedeltas(timedelta(0), 9 * DAY), pauses=pauses, zone=zones)
def test_no_time_elapses_if_the_clock_is_set_back(
    moment: datetime, back: timedelta, pauses: list[Interval], zone: str | None
) -> None:
    assert elapsed(moment, moment - back, pauses, zone) == timedelta(0)


@given(since=moments, first=pauses, second=pauses, zone=zones, data=st.data())
def test_intervals_add_up_in_any_order_and_zone(
    since: datetime, first: list[Interval], second: list[Interval], zone: str | None,
    data: st.DataObject,
) -> None:  # fmt: skip
    middle = since + data.draw(st.timedeltas(timedelta(0), 40 * DAY))
    until = middle + data.draw(st.timedeltas(timedelta(0), 40 * DAY))
    tokyo = ZoneInfo("Asia/Tokyo")
    whole = elapsed(since, until, first + second, zone)
    assert whole == elapsed(since.astimezone(tokyo), until, second + first + second, zone)
    assert whole == elapsed(since, middle, first + second, zone) + elapsed(
        middle, until, first + second, zone
    )


def test_a_local_zone_whose_clocks_change_makes_no_difference() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    since = datetime(2026, 3, 28, 20, tzinfo=berlin)
    until = datetime(2026, 3, 29, 20, tzinfo=berlin)
    assert elapsed(since, until, (), None) == 23 * HOUR
    assert runs_out(since, 24 * HOUR, (), None) == datetime(2026, 3, 29, 19, tzinfo=UTC)


def test_a_deadline_is_in_utc_and_an_empty_clock_has_run_out() -> None:
    since = datetime(2026, 3, 28, 20, tzinfo=ZoneInfo("Europe/Berlin"))
    assert runs_out(since, timedelta(0), (), "Europe/Berlin") == since
    for deadline in (
        runs_out(since, timedelta(0), (), None),
        runs_out(since, HOUR, (), None),
        runs_out(since, HOUR, (), "Europe/Berlin"),
    ):
        assert deadline.tzinfo is UTC


def test_a_weekend_follows_its_time_zone() -> None:
    friday_evening = datetime(2026, 3, 6, 16, tzinfo=UTC)
    assert Pauses(weekends="Europe/Berlin").pause_at(friday_evening) is None
    there = Pauses(weekends="Asia/Tokyo")
    tokyo = there.pause_at(friday_evening)
    assert tokyo == Pause(
        begins=datetime(2026, 3, 6, 15, tzinfo=UTC),
        ends=datetime(2026, 3, 8, 15, tzinfo=UTC),
        reason=PauseReason.WEEKEND,
    )
    assert there.pause_at(tokyo.ends) is None
    assert there.pause_at(tokyo.begins) == tokyo


# Moves


FISCHER = TimeControl(bank=3 * DAY, increment=DAY, cap=3 * DAY)


def test_a_move_subtracts_its_time_and_adds_the_increment_up_to_the_cap() -> None:
    clock = Clock.start(FISCHER, NEW_YEAR)
    assert clock == Clock(white=3 * DAY, black=3 * DAY, since=NEW_YEAR)
    assert (clock.time_left(Color.WHITE), clock.time_left(Color.BLACK)) == (3 * DAY, 3 * DAY)
    clock = clock.spend(Color.WHITE, 2 * DAY, FISCHER, NEW_YEAR + 2 * DAY)
    assert clock == Clock(white=2 * DAY, black=3 * DAY, since=NEW_YEAR + 2 * DAY)
    clock = clock.spend(Color.BLACK, HOUR, FISCHER, NEW_YEAR + 3 * DAY)
    assert clock == Clock(white=2 * DAY, black=3 * DAY, since=NEW_YEAR + 3 * DAY)


def test_each_player_spends_their_own_clock() -> None:
    uneven = Clock(white=2 * DAY, black=DAY, since=NEW_YEAR)
    assert uneven.spend(Color.WHITE, HOUR, FISCHER, NEW_YEAR).white == 71 * HOUR
    assert uneven.spend(Color.BLACK, HOUR, FISCHER, NEW_YEAR).black == 47 * HOUR


def test_a_clock_never_falls_below_zero() -> None:
    live = TimeControl(bank=15 * MINUTE)
    spent = Clock.start(live, NEW_YEAR).spend(Color.BLACK, HOUR, live, NEW_YEAR)
    assert spent.time_left(Color.BLACK) == timedelta(0)
    assert spent.time_left(Color.WHITE) == 15 * MINUTE


def test_the_cap_never_lowers_a_clock() -> None:
    low = TimeControl(bank=3 * DAY, increment=DAY, cap=DAY)
    assert Clock.start(low, NEW_YEAR).spend(Color.WHITE, HOUR, low, NEW_YEAR).white == 71 * HOUR


def test_without_a_cap_clocks_grow() -> None:
    free = TimeControl(bank=3 * DAY, increment=DAY)
    assert Clock.start(free, NEW_YEAR).spend(Color.WHITE, HOUR, free, NEW_YEAR).white == 95 * HOUR


# Texts


@pytest.mark.parametrize(
    ("control", "text"),
    [
        (FISCHER, "3d+1d/3d"),
        (TimeControl(bank=15 * MINUTE), "15m"),
        (TimeControl(bank=240 * HOUR, increment=36 * HOUR, cap=240 * HOUR), "10d+36h/10d"),
        (TimeControl(bank=90 * MINUTE, increment=MINUTE), "90m+1m"),
        (
            TimeControl(bank=3 * DAY, increment=DAY, cap=3 * DAY, weekends="Europe/Berlin"),
            "3d+1d/3d~Europe/Berlin",
        ),
        (None, "none"),
    ],
)
def test_a_control_has_one_text(control: TimeControl | None, text: str) -> None:
    assert clock_text(control) == text
    assert TimeControl.from_text(text) == control


minutes = st.integers(1, 86_400).map(lambda count: count * MINUTE)
controls = st.builds(
    TimeControl,
    bank=minutes,
    increment=minutes | st.just(timedelta(0)),
    cap=st.none() | minutes,
    weekends=st.none() | st.sampled_from(sorted(available_timezones())),
)


@given(controls)
def test_every_control_is_read_back_from_its_text(control: TimeControl) -> None:
    assert TimeControl.from_text(control.to_text()) == control


def test_the_longest_text_fits_its_column() -> None:
    longest = max(available_timezones(), key=len)
    odd = 86_399 * MINUTE
    control = TimeControl(bank=odd, increment=odd, cap=odd, weekends=longest)
    assert len(control.to_text()) <= 60


@pytest.mark.parametrize("text", ["", "3", "3x", "3d+", "+1d", "3d~", "three days", "3d 1d", " 3d"])
def test_no_other_text_is_a_control(text: str) -> None:
    with pytest.raises(ValueError, match="no time control"):
        TimeControl.from_text(text)


def test_a_game_of_less_than_an_hour_is_live() -> None:
    assert TimeControl(bank=59 * MINUTE).is_live
    assert not TimeControl(bank=HOUR).is_live
