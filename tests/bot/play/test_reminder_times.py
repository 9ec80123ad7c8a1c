"""Tests for when a reminder is due: examples, and properties of any reminder."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.base.zones import Interval
from bot.play.model.pauses import Pause, PauseReason, Pauses
from bot.play.model.preferences import Preferences, QuietHours, RemindAhead, RemindBy
from bot.play.model.reminding import (
    BEFORE_QUIET,
    MIN_TIME_LEFT,
    ReminderStep,
    TimedTurn,
    earliest,
    remind,
)

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
BEGAN = datetime(2026, 3, 2, 12, tzinfo=UTC)  # a Monday
THREE_DAYS = TimedTurn(began=BEGAN, left=3 * DAY, deadline=BEGAN + 3 * DAY)
ALL = frozenset(RemindAhead)
NIGHT = QuietHours(time(22), time(8))


def wishes(*ahead: RemindAhead, quiet: QuietHours | None = None, zone: str = "UTC") -> Preferences:
    return Preferences(remind_at=frozenset(ahead), quiet=quiet, zone=zone)


def vacation(*spans: Interval) -> Pauses:
    return Pauses(
        [Pause(begins=span.begins, ends=span.ends, reason=PauseReason.VACATION) for span in spans]
    )


def story(
    turn: TimedTurn, chosen: Preferences, *, away: Interval | None = None
) -> list[tuple[datetime, timedelta]]:
    """Return all reminders of a turn whose game is checked whenever it asks for it.

    If the bot is offline at that time, it checks as soon as it is back.
    """
    told: list[tuple[datetime, timedelta]] = []
    now: datetime | None = turn.began
    while now is not None and now < turn.deadline:
        if away is not None and away.begins <= now < away.ends:
            now = away.ends
            continue
        reminded = told[-1][1] if told else None
        found = remind(turn, chosen, reminded, now)
        if found.due is not None:
            told.append((now, found.due))
        assert found.next_check is None or found.next_check > now
        now = found.next_check
    return told


def test_by_default_a_day_and_an_hour_before() -> None:
    assert story(THREE_DAYS, Preferences()) == [
        (BEGAN + 2 * DAY, DAY),
        (BEGAN + 3 * DAY - HOUR, HOUR),
    ]


def test_half_the_time_counts_from_the_start_of_the_turn() -> None:
    turn = TimedTurn(began=BEGAN, left=2 * HOUR, deadline=BEGAN + 2 * HOUR)
    assert story(turn, wishes(RemindAhead.HALF)) == [(BEGAN + HOUR, HOUR)]
    assert story(turn, wishes(*ALL)) == [(BEGAN + HOUR, HOUR)]  # half is an hour, too


def test_levels_before_the_turn_cause_no_reminder() -> None:
    turn = TimedTurn(began=BEGAN, left=20 * HOUR, deadline=BEGAN + 20 * HOUR)
    assert story(turn, Preferences()) == [(BEGAN + 19 * HOUR, HOUR)]
    short = TimedTurn(began=BEGAN, left=30 * MINUTE, deadline=BEGAN + 30 * MINUTE)
    assert story(short, Preferences()) == []
    at_once = TimedTurn(began=BEGAN, left=DAY, deadline=BEGAN + DAY)
    assert story(at_once, wishes(RemindAhead.DAY)) == []


def test_a_brief_pause_causes_no_immediate_reminder() -> None:
    brief, longest_brief, longer_one = MINUTE, 15 * MINUTE, 16 * MINUTE
    for paused, told in (
        (brief, []),
        (longest_brief, []),
        (longer_one, [(BEGAN + longer_one, DAY)]),
    ):
        turn = TimedTurn(began=BEGAN, left=DAY, deadline=BEGAN + DAY + paused)
        assert story(turn, wishes(RemindAhead.DAY)) == told
    longer = TimedTurn(began=BEGAN, left=70 * MINUTE, deadline=BEGAN + 70 * MINUTE)
    assert story(longer, Preferences()) == [(BEGAN + 10 * MINUTE, HOUR)]


def test_no_check_is_needed_before_the_first_possible_reminder() -> None:
    six_days = TimedTurn(began=BEGAN, left=6 * DAY, deadline=BEGAN + 6 * DAY)
    assert earliest(six_days) == BEGAN + 2 * DAY  # half of the time, and a day of quiet hours
    assert earliest(replace(six_days, left=HOUR)) == BEGAN + 4 * DAY
    assert earliest(replace(six_days, deadline=BEGAN + 2 * HOUR)) == BEGAN


@pytest.mark.parametrize("chosen", [Preferences(remind_by=RemindBy.NONE), wishes()])
def test_people_who_want_none_are_never_reminded(chosen: Preferences) -> None:
    for now in (BEGAN, BEGAN + 2 * DAY, BEGAN + 3 * DAY - MINUTE):
        assert remind(THREE_DAYS, chosen, None, now) == ReminderStep(None, None)


def test_when_the_time_is_up_it_is_too_late() -> None:
    assert remind(THREE_DAYS, Preferences(), None, THREE_DAYS.deadline) == ReminderStep(None, None)


def test_missed_reminders_come_as_one_message() -> None:
    away = Interval(begins=BEGAN + DAY, ends=BEGAN + 3 * DAY - 30 * MINUTE)
    assert story(THREE_DAYS, wishes(*ALL), away=away) == [(away.ends, HOUR)]


def test_a_postponed_deadline_reminds_of_lower_levels_only() -> None:
    later = TimedTurn(began=BEGAN, left=3 * DAY, deadline=BEGAN + 10 * DAY)
    assert remind(later, Preferences(), DAY, BEGAN + 9 * DAY) == ReminderStep(
        None, BEGAN + 10 * DAY - HOUR
    )


def test_quiet_hours_are_in_the_players_time_zone() -> None:
    tokyo = wishes(RemindAhead.DAY, quiet=NIGHT, zone="Asia/Tokyo")  # 22 to 8 there is 13 to 23 UTC
    assert story(THREE_DAYS, tokyo) == [(BEGAN + 2 * DAY, DAY)]
    later = TimedTurn(began=BEGAN, left=3 * DAY, deadline=BEGAN + 3 * DAY + 2 * HOUR)
    assert story(later, tokyo) == [(datetime(2026, 3, 4, 12, 55, tzinfo=UTC), DAY)]


def at(day: int, hour: int) -> datetime:
    """Return a moment of that March."""
    return datetime(2026, 3, day, hour, tzinfo=UTC)


EVENING, BEFORE_NIGHT = at(4, 22) - BEFORE_QUIET, at(2, 22) - BEFORE_QUIET
IN_NIGHT = {
    "before them": (at(2, 23), 3 * DAY, DAY, None, EVENING),
    "a turn within them, and it can wait": (at(2, 23), 32 * HOUR, DAY, None, at(3, 8)),
    "a turn within them, and little is left then": (
        at(2, 23),
        9 * HOUR + 30 * MINUTE,
        HOUR,
        None,
        at(3, 7) + 30 * MINUTE,
    ),
    "before a deadline in them": (at(2, 3), 3 * DAY, HOUR, None, EVENING),
    "before a deadline at their end": (at(2, 8), 3 * DAY, HOUR, None, EVENING),
    "missed before that": (at(2, 8), 3 * DAY, HOUR, (at(4, 20), at(4, 23)), at(5, 7)),
    "missed, and it cannot wait": (at(2, 3), 3 * DAY, HOUR, (at(4, 12), at(4, 23)), at(5, 2)),
    "missed, and it can wait": (at(2, 20), 3 * DAY, DAY, (at(4, 19), at(4, 23)), at(5, 8)),
    "a turn just before them": (BEFORE_NIGHT, 5 * HOUR, HOUR, None, BEFORE_NIGHT + 4 * HOUR),
    "a turn within them": (at(2, 23), 5 * HOUR, HOUR, None, at(3, 3)),
}
"""Start of a turn, its length, the reminder, outages, and the time at which it is sent."""


@pytest.mark.parametrize(
    ("began", "left", "level", "away", "told"), IN_NIGHT.values(), ids=IN_NIGHT.keys()
)
def test_quiet_hours_from_22_to_8(
    began: datetime,
    left: timedelta,
    level: timedelta,
    away: tuple[datetime, datetime] | None,
    told: datetime,
) -> None:
    turn = TimedTurn(began=began, left=left, deadline=began + left)
    ahead = RemindAhead.DAY if level == DAY else RemindAhead.HOUR
    absence = None if away is None else Interval(begins=away[0], ends=away[1])
    assert story(turn, wishes(ahead, quiet=NIGHT), away=absence) == [(told, level)]


RESTS = {
    "most of the time is left": (12 * HOUR, at(2, 18), 7, [(at(9, 18), DAY), (at(9, 23), HOUR)]),
    "little is left": (
        3 * DAY,
        at(5, 11) + 30 * MINUTE,
        4,
        [(at(9, 11) + 30 * MINUTE, HOUR)],
    ),
    "days are left": (3 * DAY, at(3, 12), 5, [(at(9, 12), DAY), (at(10, 11), HOUR)]),
}
"""Time at the start, pauses of the clock, length in days, and the reminders."""


@pytest.mark.parametrize(
    ("left", "begins", "days", "told"),
    RESTS.values(),
    ids=[f"as it begins {rest}" for rest in RESTS],
)
def test_reminders_due_in_a_pause_wait_for_its_end(
    left: timedelta, begins: datetime, days: int, told: list[tuple[datetime, timedelta]]
) -> None:
    rest = Interval(begins=begins, ends=begins + days * DAY)
    turn = TimedTurn(
        began=BEGAN, left=left, deadline=BEGAN + left + days * DAY, pauses=vacation(rest)
    )
    assert story(turn, Preferences()) == told


def test_quiet_hours_around_the_beginning_and_the_end_of_a_rest() -> None:
    rest = Interval(begins=at(4, 23), ends=at(8, 15))
    turn = TimedTurn(
        began=BEGAN, left=3 * DAY, deadline=BEGAN + 7 * DAY - 8 * HOUR, pauses=vacation(rest)
    )
    told = story(turn, wishes(RemindAhead.HOUR, quiet=NIGHT))
    assert (turn.deadline, told) == (at(9, 4), [(at(8, 22) - BEFORE_QUIET, HOUR)])
    sooner = replace(turn, deadline=at(8, 15) + 10 * MINUTE)
    assert story(sooner, wishes(RemindAhead.HOUR, quiet=NIGHT)) == [(at(8, 15), HOUR)]
    night = replace(
        turn, deadline=at(5, 1) + HOUR, pauses=vacation(Interval(begins=at(4, 23), ends=at(5, 1)))
    )
    assert story(night, wishes(RemindAhead.HOUR, quiet=NIGHT)) == [(at(4, 22) - BEFORE_QUIET, HOUR)]


# That evening clocks go from 22:59 to 0:00 in Nuuk, and that night from 1:59 to 3:00 in Rome.
CHANGED = {
    "begin in it, put forward": ("America/Nuuk", (23, 30), (3, 0), (28, 1, 0), (28, 4, 0)),
    "end in it, put forward": ("Europe/Rome", (22, 0), (2, 30), (27, 21, 0), (28, 1, 0)),
    "lie in it, put forward": ("Europe/Rome", (2, 10), (2, 50), (28, 1, 0), (28, 1, 0)),
}


@pytest.mark.parametrize(
    ("zone", "begins", "ends", "quiet_from", "quiet_until"), CHANGED.values(), ids=CHANGED.keys()
)
def test_quiet_hours_where_clocks_are_put_forward(
    zone: str,
    begins: tuple[int, int],
    ends: tuple[int, int],
    quiet_from: tuple[int, int, int],
    quiet_until: tuple[int, int, int],
) -> None:
    hours = QuietHours(time(*begins), time(*ends))
    night = [datetime(2027, 3, *item, tzinfo=UTC) for item in (quiet_from, quiet_until)]
    minutes = [night[0] + number * MINUTE for number in range(-90, 300)]
    found = [minute for minute in minutes if hours.interval_around(minute, zone) is not None]
    assert found == [minute for minute in minutes if night[0] <= minute < night[1]]


@pytest.mark.parametrize(
    ("begins", "ends", "quiet_from", "quiet_until"),
    [((2, 30), (8, 0), (0, 30), (7, 0)), ((22, 0), (2, 30), (-4, 0), (0, 30))],
    ids=["begin in it", "end in it"],
)
def test_quiet_hours_where_clocks_are_put_back(
    begins: tuple[int, int],
    ends: tuple[int, int],
    quiet_from: tuple[int, int],
    quiet_until: tuple[int, int],
) -> None:
    """If an hour occurs twice, the first one counts, as for all daily times."""
    hours = QuietHours(time(*begins), time(*ends))
    night = datetime(2027, 10, 31, tzinfo=UTC)
    first, last = (night + timedelta(hours=h, minutes=m) for h, m in (quiet_from, quiet_until))
    minutes = [night + number * MINUTE for number in range(-5 * 60, 8 * 60)]
    found = [
        minute for minute in minutes if hours.interval_around(minute, "Europe/Rome") is not None
    ]
    assert found == [minute for minute in minutes if first <= minute < last]


def test_quiet_hours_begin_and_end_on_the_minute() -> None:
    begins, ends = BEGAN.replace(hour=22), BEGAN.replace(hour=8) + DAY
    night = Interval(begins=begins, ends=ends)
    moments = (begins - MINUTE, begins, ends - MINUTE, ends)
    assert [NIGHT.interval_around(moment, "UTC") for moment in moments] == [
        None,
        night,
        night,
        None,
    ]


ZONES = st.sampled_from(["UTC", "Europe/Rome", "America/New_York", "Asia/Kathmandu"])
TIMES = st.builds(time, st.integers(0, 23), st.integers(0, 59))
QUIETS = st.builds(QuietHours, TIMES, TIMES).filter(lambda quiet: quiet.begins != quiet.ends)
# These include the days when clocks change, in March and October.
MOMENTS = st.integers(0, 270 * 24 * 60).map(lambda minutes: BEGAN + minutes * MINUTE)


@st.composite
def turns(draw: st.DrawFn) -> TimedTurn:
    began = draw(MOMENTS)
    left = timedelta(minutes=draw(st.integers(1, 14 * 24 * 60)))
    paused = timedelta(minutes=draw(st.one_of(st.just(0), st.integers(0, 10 * 24 * 60))))
    deadline, rested = began + left + paused, draw(st.integers(0, left // MINUTE - 1)) * MINUTE
    rests = [Interval(begins=began + rested, ends=began + rested + paused)] if paused else []
    if not rests or draw(st.booleans()):  # a gift of time is possible as well
        return TimedTurn(began=began, left=left, deadline=deadline)
    return TimedTurn(began=began, left=left, deadline=deadline, pauses=vacation(*rests))


PREFERENCES = st.builds(
    Preferences,
    zone=ZONES,
    quiet=st.none() | QUIETS,
    remind_at=st.frozensets(st.sampled_from(RemindAhead), min_size=1),
)


def is_quiet(chosen: Preferences, moment: datetime) -> Interval | None:
    return None if chosen.quiet is None else chosen.quiet.interval_around(moment, chosen.zone)


def expected_reminders(turn: TimedTurn, chosen: Preferences) -> Iterator[timedelta]:
    for ahead, level in {
        RemindAhead.HALF: turn.left / 2,
        RemindAhead.DAY: DAY,
        RemindAhead.HOUR: HOUR,
    }.items():
        # A player who has just moved has seen how much time is left.
        if ahead in chosen.remind_at and turn.deadline - level > turn.began + level / 96:
            yield level


@given(turns(), PREFERENCES)
def test_any_turn_is_reminded_of_down_to_its_lowest_level(
    turn: TimedTurn, chosen: Preferences
) -> None:
    told, levels = story(turn, chosen), set(expected_reminders(turn, chosen))
    assert [level for _, level in told] == sorted({level for _, level in told}, reverse=True)
    assert {level for _, level in told} <= levels
    assert not levels or told[-1][1] == min(levels)
    assert all(turn.began < at < turn.deadline for at, _ in told)
    assert all(at >= earliest(turn) for at, _ in told)


@given(turns(), PREFERENCES, st.data())
def test_after_any_outage_nothing_is_lost_or_repeated(
    turn: TimedTurn, chosen: Preferences, data: st.DataObject
) -> None:
    within = st.integers(0, (turn.deadline - turn.began) // MINUTE - 1)
    begins, ends = sorted(turn.began + data.draw(within) * MINUTE for _ in range(2))
    told = story(turn, chosen, away=Interval(begins=begins, ends=ends))
    levels = set(expected_reminders(turn, chosen))
    assert [level for _, level in told] == sorted({level for _, level in told}, reverse=True)
    assert not levels or told[-1][1] == min(levels)


@given(turns(), PREFERENCES)
def test_quiet_hours_apply_unless_little_time_is_left_after_them(
    turn: TimedTurn, chosen: Preferences
) -> None:
    for at, _ in story(turn, chosen):
        quiet = is_quiet(chosen, at)
        if quiet is not None:
            assert turn.after_pause(quiet.ends) + MIN_TIME_LEFT > turn.deadline
            before = quiet.begins - BEFORE_QUIET
            # The previous evening was too early for this turn, or during a pause.
            assert before <= turn.began or turn.pauses.pause_at(before) is not None


@given(turns(), PREFERENCES)
def test_none_comes_later_than_its_own_time_before_the_flag(
    turn: TimedTurn, chosen: Preferences
) -> None:
    for at, level in story(turn, chosen):
        due = turn.after_pause(turn.deadline - level)
        if at > due:  # the turn started in quiet hours, or there was a pause before them
            quiet = is_quiet(chosen, due)
            assert quiet is not None
            before = quiet.begins - BEFORE_QUIET
            assert before <= turn.began or turn.pauses.pause_at(before) is not None
            assert turn.deadline - at >= MIN_TIME_LEFT


@given(turns(), PREFERENCES)
def test_nobody_is_reminded_during_a_pause(turn: TimedTurn, chosen: Preferences) -> None:
    assert all(turn.pauses.pause_at(at) is None for at, _ in story(turn, chosen))


@given(turns(), PREFERENCES)
def test_reminders_are_early_only_to_spare_quiet_hours(
    turn: TimedTurn, chosen: Preferences
) -> None:
    for at, level in story(turn, chosen):
        due = turn.after_pause(turn.deadline - level)
        if at < due:
            quiet = is_quiet(chosen, due)
            assert quiet is not None
            assert quiet.begins - BEFORE_QUIET <= at < quiet.begins


@given(QUIETS, ZONES, MOMENTS)
def test_quiet_hours_are_read_off_the_clock_on_the_wall(
    quiet: QuietHours, zone: str, moment: datetime
) -> None:
    here = moment.astimezone(ZoneInfo(zone))
    offset = here.utcoffset()
    # On a day with a clock change, an hour may occur twice or not at all.
    assume(all((here + shift).utcoffset() == offset for shift in (-DAY, DAY)))
    wall = here.time()
    inside = (
        quiet.begins <= wall < quiet.ends
        if quiet.begins < quiet.ends
        else wall >= quiet.begins or wall < quiet.ends
    )
    assert (quiet.interval_around(moment, zone) is not None) == inside
