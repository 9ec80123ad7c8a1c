"""The clock that a player types, and zones: what is read, and what is refused with which limit."""

from contextlib import suppress
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.clock import TimeControl, clock_text
from bot.model.refusals import BadClock, ClockProblem, UnknownZone
from bot.model.time_control import PRESETS, read_time_control
from bot.model.zones import read_zone, zones_like

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("3 days + 1 day", "3d+1d/3d"),
        ("3d+1d up to 3d", "3d+1d/3d"),
        ("3d + 1d / 5d", "3d+1d/5d"),
        ("3d+1d/1w", "3d+1d/7d"),
        ("240h+36h/240h", "10d+36h/10d"),
        ("240 hours + 36 hours, at most 240 hours", "10d+36h/10d"),
        ("3 Days plus 12 hrs per move (max 4 days).", "3d+12h/4d"),
        ("1 day + 3 days", "1d+3d/3d"),
        ("1 day 12 hours + 1h30m", "36h+90m/36h"),
        ("2 weeks", "14d"),
        ("2 weeks/20d", "14d"),
        ("60 minutes", "1h"),
        ("15 min", "15m"),
        ("15m", "15m"),
        ("10 minutes a player", "10m"),
        ("60d+30d/60d", "60d+30d/60d"),
        ("1 minute", "1m"),
        ("3d" + " " * 200 + "+ 1d", "3d+1d/3d"),
        ("1m" * 50, "50m"),  # the longest there may be
    ],
)
def test_a_clock_is_read_as_people_write_it(text: str, short: str) -> None:
    control = read_time_control(text, None)
    assert control is not None
    assert control.to_text() == short


@pytest.mark.parametrize("text", ["none", "None", " no clock ", "off", "without a clock"])
def test_no_clock_is_read(text: str) -> None:
    assert read_time_control(text, None) is None


@pytest.mark.parametrize(
    ("text", "problem", "limit"),
    [
        ("", ClockProblem.UNREADABLE, None),
        ("fast", ClockProblem.UNREADABLE, None),
        ("3", ClockProblem.UNREADABLE, None),
        ("3+1", ClockProblem.UNREADABLE, None),
        ("3d+", ClockProblem.UNREADABLE, None),
        ("-3d", ClockProblem.UNREADABLE, None),
        ("3 days, 12 hours", ClockProblem.UNREADABLE, None),
        ("3 dogs", ClockProblem.UNREADABLE, None),
        ("٣d", ClockProblem.UNREADABLE, None),
        ("1m" * 50 + ".", ClockProblem.UNREADABLE, None),
        ("0 days", ClockProblem.BANK_TOO_SHORT, MINUTE),
        ("61 days", ClockProblem.BANK_TOO_LONG, 60 * DAY),
        ("999999999w", ClockProblem.BANK_TOO_LONG, 60 * DAY),
        ("3d+31d", ClockProblem.INCREMENT_TOO_LONG, 30 * DAY),
        ("3d+1d/2d", ClockProblem.CAP_BELOW_BANK, 3 * DAY),
        ("3d+1d/61d", ClockProblem.CAP_TOO_LONG, 60 * DAY),
        ("15m+10m", ClockProblem.LIVE_INCREMENT, HOUR),
    ],
)
def test_what_no_clock_can_be_is_refused_with_its_limit(
    text: str, problem: ClockProblem, limit: timedelta | None
) -> None:
    with pytest.raises(BadClock) as caught:
        read_time_control(text, None)
    assert (caught.value.problem, caught.value.limit) == (problem, limit)


@pytest.mark.parametrize(
    ("text", "problem", "limit"),
    [
        ("15m", ClockProblem.LIVE_WEEKENDS, HOUR),
        ("none", ClockProblem.WEEKENDS_WITHOUT_CLOCK, None),
    ],
)
def test_only_clocks_over_days_rest_at_weekends(
    text: str, problem: ClockProblem, limit: timedelta | None
) -> None:
    with pytest.raises(BadClock) as caught:
        read_time_control(text, "Europe/Berlin")
    assert (caught.value.problem, caught.value.limit) == (problem, limit)
    for over_days in ("3d+1d", "1 hour"):
        resting = read_time_control(over_days, "europe/berlin")
        assert resting is not None
        assert resting.weekends == "Europe/Berlin"


def test_each_preset_is_read() -> None:
    assert [clock_text(read_time_control(preset, None)) for preset in PRESETS] == [
        "3d+1d/3d", "10d+36h/10d", "10m", "15m", "none",
    ]  # fmt: skip


@given(
    st.integers(1, 86_400).map(lambda count: count * MINUTE),
    st.integers(0, 43_200).map(lambda count: count * MINUTE),
    st.data(),
)
def test_every_clock_within_the_limits_is_read(
    bank: timedelta, increment: timedelta, data: st.DataObject
) -> None:
    if bank < HOUR:
        increment = timedelta(0)
    most = data.draw(st.integers(bank // MINUTE, 86_400)) * MINUTE
    control = TimeControl(bank=bank, increment=increment, cap=most if increment else None)
    assert read_time_control(control.to_text(), None) == control


@given(st.text(max_size=120))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(BadClock):
        read_time_control(text, None)


# Zones


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        (" europe/berlin ", "Europe/Berlin"),
        ("america/new york", "America/New_York"),
        ("utc", "UTC"),
    ],
)
def test_a_zone_is_read_in_any_case(text: str, name: str) -> None:
    assert read_zone(text) == name
    assert ZoneInfo(name).key == name


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("Europe/Berlim", "Europe/Berlin"),
        ("Pariss", "Europe/Paris"),
        ("Berlin/Europe", "Europe/Berlin"),
        ("", None),
        ("../../etc/passwd", None),
        ("Etc/GMT+1", None),
        ("x" * 4_000, None),
    ],
)
def test_an_unknown_zone_is_refused_with_what_may_be_meant(text: str, first: str | None) -> None:
    with pytest.raises(UnknownZone) as caught:
        read_zone(text)
    suggestions = caught.value.suggestions
    assert suggestions[:1] == (() if first is None else (first,))
    assert len(suggestions) <= 3
    assert all(read_zone(name) == name for name in suggestions)


def test_zones_are_found_by_what_their_names_contain() -> None:
    assert zones_like("berl", 3)[0] == "Europe/Berlin"
    assert zones_like("nowhere at all", 25) == []
    assert len(zones_like("a", 25)) == 25
    for name in zones_like("", 25):  # those that are known to many
        assert read_zone(name) == name
    assert "Europe/Berlin" in zones_like("", 25)
