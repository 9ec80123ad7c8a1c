"""Tests for typed time controls and time zones: what is accepted, and what is refused."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.base.languages import IN_ENGLISH
from bot.base.zones import UnknownZone, read_zone, suggest_zones
from bot.play.model.clock import TimeControl, clock_text
from bot.play.model.refusals import BadClock, ClockProblem
from bot.play.model.typed_clocks import PRESETS, chosen_clock, read_time_control, typed_form
from bot.play.words.clocks import clock_choices, control

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
SECOND = timedelta(seconds=1)


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
        ("1 day", "1d+1d/1d"),
        ("24h", "1d+1d/1d"),
        ("a week.", "7d+7d/7d"),
        ("2 weeks", "14d+14d/14d"),
        ("1 day 12 hours", "36h+36h/36h"),
        ("2 weeks/20d", "14d"),
        ("14d+0s", "14d"),
        ("14 days each", "14d"),
        ("1 week for the game", "7d"),
        ("23 hours", "23h"),
        ("60 minutes", "1h"),
        ("15 min", "15m"),
        ("15m", "15m"),
        ("10 minutes a player", "10m"),
        ("14 days each for the whole game", "14d"),
        ("1 day per move", "1d+1d/1d"),
        ("1 Day / Move", "1d+1d/1d"),
        ("24h/move", "1d+1d/1d"),
        ("24 hours per turn.", "1d+1d/1d"),
        ("3 days a turn", "3d+3d/3d"),
        ("2d per turn", "2d+2d/2d"),
        ("a day for each move", "1d+1d/1d"),
        ("one week every move", "7d+7d/7d"),
        ("1 day and 12 hours a move", "36h+36h/36h"),
        ("5 minutes per move, live", "5m+5m/5m"),
        ("10+5", "10m+5s"),
        ("15|10", "15m+10s"),
        ("15 | 10", "15m+10s"),
        ("5+0", "5m"),
        ("3+1", "3m+1s"),
        ("90+30", "90m+30s"),
        ("15 min + 10 s", "15m+10s"),
        ("15m+10sec", "15m+10s"),
        ("10 minutes + 5 seconds a move, up to 15 minutes", "10m+5s/15m"),
        ("2 hours + 5 minutes", "2h+5m"),
        ("23 hours + 12 hours", "23h+12h"),
        ("1 day + 12 hours", "1d+12h/1d"),
        ("60d+30d/60d", "60d+30d/60d"),
        ("1 minute", "1m"),
        ("3d" + " " * 200 + "+ 1d", "3d+1d/3d"),
        ("1m" * 50, "50m"),  # the longest allowed clock
    ],
)
def test_a_clock_is_read_as_people_write_it(text: str, short: str) -> None:
    clock = read_time_control(text, None)
    assert clock is not None
    assert clock.to_text() == short


@pytest.mark.parametrize("text", ["none", "None", " no clock ", "off", "without a clock"])
def test_no_clock_is_read(text: str) -> None:
    assert read_time_control(text, None) is None


@pytest.mark.parametrize(
    ("text", "problem", "limit"),
    [
        ("", ClockProblem.UNREADABLE, None),
        ("fast", ClockProblem.UNREADABLE, None),
        ("3", ClockProblem.UNREADABLE, None),
        ("3d+1", ClockProblem.UNREADABLE, None),
        ("10+5+5", ClockProblem.UNREADABLE, None),
        ("10 per move", ClockProblem.UNREADABLE, None),
        ("3 days per move + 1 day", ClockProblem.UNREADABLE, None),
        ("a", ClockProblem.UNREADABLE, None),
        ("3d+", ClockProblem.UNREADABLE, None),
        ("-3d", ClockProblem.UNREADABLE, None),
        ("3 days, 12 hours", ClockProblem.UNREADABLE, None),
        ("3 dogs", ClockProblem.UNREADABLE, None),
        ("٣d", ClockProblem.UNREADABLE, None),
        ("1m" * 50 + ".", ClockProblem.UNREADABLE, None),
        ("0 days", ClockProblem.BANK_TOO_SHORT, MINUTE),
        ("0+30", ClockProblem.BANK_TOO_SHORT, MINUTE),
        ("59 seconds", ClockProblem.BANK_TOO_SHORT, MINUTE),
        ("99999+0", ClockProblem.BANK_TOO_LONG, 60 * DAY),
        ("60 days per move", ClockProblem.INCREMENT_TOO_LONG, 30 * DAY),
        ("60 days", ClockProblem.INCREMENT_TOO_LONG, 30 * DAY),
        ("61 days", ClockProblem.BANK_TOO_LONG, 60 * DAY),
        ("999999999w", ClockProblem.BANK_TOO_LONG, 60 * DAY),
        ("3d+31d", ClockProblem.INCREMENT_TOO_LONG, 30 * DAY),
        ("3d+1d/2d", ClockProblem.CAP_BELOW_BANK, 3 * DAY),
        ("3d+1d/61d", ClockProblem.CAP_TOO_LONG, 60 * DAY),
        ("15m+16m", ClockProblem.LIVE_INCREMENT, 15 * MINUTE),
        ("1+61", ClockProblem.LIVE_INCREMENT, MINUTE),
    ],
)
def test_impossible_clocks_are_refused_with_the_limit(
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
        "1d+1d/1d", "3d+3d/3d", "10m+5s", "15m+10s", "none",
        "7d+7d/7d", "3d+1d/3d", "10d+36h/10d", "15m",
    ]  # fmt: skip


@st.composite
def clocks(draw: st.DrawFn) -> TimeControl:
    """Generate any clock within the limits, common ones more often."""
    banks = st.one_of(st.integers(60, 3_600), st.integers(60, 5_184_000), st.sampled_from(ROUND))
    bank = draw(banks)
    most = bank if bank < 3_600 else 2_592_000
    increment = draw(st.one_of(st.just(0), st.just(min(bank, most)), st.integers(0, most)))
    caps = st.integers(bank, 5_184_000)
    cap = draw(st.one_of(st.just(bank), caps) if bank >= 86_400 else st.one_of(st.none(), caps))
    return TimeControl(
        bank=bank * SECOND,
        increment=increment * SECOND,
        cap=cap * SECOND if cap is not None and increment else None,
    )


ROUND = [minutes * 60 for minutes in (1, 5, 10, 90, 1_440, 4_320, 10_080)]


@given(clocks())
def test_every_clock_within_the_limits_is_read(clock: TimeControl) -> None:
    assert read_time_control(typed_form(clock), None) == clock
    assert TimeControl.from_text(clock.to_text()) == clock


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("24h", ["24h: 1 day per move", "1 day each for the whole game"]),
        ("1 week", ["1 week: 7 days per move", "7 days each for the whole game"]),
        ("12h", ["12h: 12 hours each for the whole game", "12 hours per move"]),
        ("20 min", ["20 min: 20 minutes each, live"]),
        ("2 days each", ["2 days each: 2 days each for the whole game"]),
    ],
)
def test_a_bare_length_is_suggested_per_move_and_for_the_game(
    typed: str, offered: list[str]
) -> None:
    found = clock_choices(IN_ENGLISH, typed)
    assert [item.label for item in found] == offered
    for button in found:
        meant = control(IN_ENGLISH, read_time_control(button.value, None))
        assert meant in button.label, "what is chosen is what was shown"


@given(clocks())
def test_a_displayed_clock_is_read_as_the_same_clock(clock: TimeControl) -> None:
    shown = control(IN_ENGLISH, clock)
    assert read_time_control(shown, None) == clock
    assert read_time_control(shown.removesuffix(", live"), None) == clock


@given(clocks())
def test_a_clock_and_a_server_s_default_make_the_same_with_weekends(clock: TimeControl) -> None:
    assert chosen_clock(None, None, clock) == clock
    assert chosen_clock("15 minutes", None, clock) == TimeControl(bank=15 * MINUTE)
    if clock.is_live:
        with pytest.raises(BadClock):
            chosen_clock(None, "UTC", clock)
        return
    resting = replace(clock, weekends="UTC")
    assert chosen_clock(None, "utc", clock) == resting
    assert chosen_clock(None, "europe/rome", resting) == replace(clock, weekends="Europe/Rome")


@given(st.text(alphabet="0123456789 +|/.,smhdw", max_size=20) | st.sampled_from(PRESETS))
def test_every_parsed_text_is_shown_in_a_form_that_parses_again(text: str) -> None:
    with suppress(BadClock):
        clock = read_time_control(text, None)
        assert read_time_control(control(IN_ENGLISH, clock), None) == clock


@given(st.text(max_size=120))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(BadClock):
        read_time_control(text, None)


# Time zones


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
def test_an_unknown_zone_is_refused_with_suggestions(text: str, first: str | None) -> None:
    with pytest.raises(UnknownZone) as caught:
        read_zone(text)
    suggestions = caught.value.suggestions
    assert suggestions[:1] == (() if first is None else (first,))
    assert len(suggestions) <= 3
    assert all(read_zone(name) == name for name in suggestions)


def test_zones_are_found_by_parts_of_their_names() -> None:
    assert suggest_zones("berl", 3)[0] == "Europe/Berlin"
    assert suggest_zones("nowhere at all", 25) == []
    assert len(suggest_zones("a", 25)) == 25
    for name in suggest_zones("", 25):  # well-known ones
        assert read_zone(name) == name
    assert "Europe/Berlin" in suggest_zones("", 25)
