"""When somebody is to be reminded: examples by the hour, and what holds for any of them."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.base.intervals import Interval
from bot.play.model.preferences import Preferences, QuietHours, RemindAhead, RemindBy
from bot.play.model.reminding import BEFORE_QUIET, Reminding, TimedTurn, earliest, remind

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
BEGAN = datetime(2026, 3, 2, 12, tzinfo=UTC)  # a Monday
THREE_DAYS = TimedTurn(began=BEGAN, left=3 * DAY, deadline=BEGAN + 3 * DAY)
ALL = frozenset(RemindAhead)
NIGHT = QuietHours(time(22), time(8))


def wishes(*ahead: RemindAhead, quiet: QuietHours | None = None, zone: str = "UTC") -> Preferences:
    return Preferences(remind_at=frozenset(ahead), quiet=quiet, zone=zone)


def story(
    turn: TimedTurn, chosen: Preferences, *, away: Interval | None = None
) -> list[tuple[datetime, timedelta]]:
    """All reminders of a turn, if its game is looked at whenever that was asked for.

    Where the bot is away, it looks as soon as it is back.
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
        assert found.look_at is None or found.look_at > now
        now = found.look_at
    return told


def test_by_default_a_day_and_an_hour_before() -> None:
    assert story(THREE_DAYS, Preferences()) == [
        (BEGAN + 2 * DAY, DAY),
        (BEGAN + 3 * DAY - HOUR, HOUR),
    ]


def test_half_of_the_time_is_of_what_was_left_when_the_turn_began() -> None:
    turn = TimedTurn(began=BEGAN, left=2 * HOUR, deadline=BEGAN + 2 * HOUR)
    assert story(turn, wishes(RemindAhead.HALF)) == [(BEGAN + HOUR, HOUR)]
    assert story(turn, wishes(*ALL)) == [(BEGAN + HOUR, HOUR)]  # half is the hour before


def test_nobody_is_reminded_of_what_had_passed_when_his_turn_began() -> None:
    turn = TimedTurn(began=BEGAN, left=20 * HOUR, deadline=BEGAN + 20 * HOUR)
    assert story(turn, Preferences()) == [(BEGAN + 19 * HOUR, HOUR)]
    short = TimedTurn(began=BEGAN, left=30 * MINUTE, deadline=BEGAN + 30 * MINUTE)
    assert story(short, Preferences()) == []
    at_once = TimedTurn(began=BEGAN, left=DAY, deadline=BEGAN + DAY)
    assert story(at_once, wishes(RemindAhead.DAY)) == []


def test_nobody_is_reminded_at_once_for_a_clock_that_stood_still_for_a_moment() -> None:
    for paused, told in ((MINUTE, []), (2 * HOUR, [(BEGAN + 2 * HOUR, DAY)])):
        turn = TimedTurn(began=BEGAN, left=DAY, deadline=BEGAN + DAY + paused)
        assert story(turn, wishes(RemindAhead.DAY)) == told
    longer = TimedTurn(began=BEGAN, left=70 * MINUTE, deadline=BEGAN + 70 * MINUTE)
    assert story(longer, Preferences()) == [(BEGAN + 10 * MINUTE, HOUR)]


def test_before_the_highest_level_and_a_night_nobody_need_be_looked_at() -> None:
    six_days = TimedTurn(began=BEGAN, left=6 * DAY, deadline=BEGAN + 6 * DAY)
    assert earliest(six_days) == BEGAN + 2 * DAY  # half of the time, and a day of quiet hours
    assert earliest(replace(six_days, left=HOUR)) == BEGAN + 4 * DAY
    assert earliest(replace(six_days, deadline=BEGAN + 2 * HOUR)) == BEGAN


@pytest.mark.parametrize("chosen", [Preferences(remind_by=RemindBy.NONE), wishes()])
def test_who_wants_none_is_never_reminded(chosen: Preferences) -> None:
    for now in (BEGAN, BEGAN + 2 * DAY, BEGAN + 3 * DAY - MINUTE):
        assert remind(THREE_DAYS, chosen, None, now) == Reminding(None, None)


def test_when_the_time_is_up_it_is_too_late() -> None:
    assert remind(THREE_DAYS, Preferences(), None, THREE_DAYS.deadline) == Reminding(None, None)


def test_what_was_missed_while_the_bot_was_away_comes_as_one() -> None:
    away = Interval(begins=BEGAN + DAY, ends=BEGAN + 3 * DAY - 30 * MINUTE)
    assert story(THREE_DAYS, wishes(*ALL), away=away) == [(away.ends, HOUR)]


def test_a_deadline_that_moved_away_reminds_of_lower_levels_only() -> None:
    later = TimedTurn(began=BEGAN, left=3 * DAY, deadline=BEGAN + 10 * DAY)
    assert remind(later, Preferences(), DAY, BEGAN + 9 * DAY) == Reminding(
        None, BEGAN + 10 * DAY - HOUR
    )


def test_quiet_hours_postpone_to_their_end() -> None:
    began = BEGAN.replace(hour=23)
    turn = TimedTurn(began=began, left=3 * DAY, deadline=began + 3 * DAY)
    told = story(turn, wishes(RemindAhead.DAY, quiet=NIGHT))
    assert told == [(datetime(2026, 3, 5, 8, tzinfo=UTC), DAY)]


def test_quiet_hours_are_those_of_the_players_zone() -> None:
    tokyo = wishes(RemindAhead.DAY, quiet=NIGHT, zone="Asia/Tokyo")  # 22 to 8 there is 13 to 23 UTC
    assert story(THREE_DAYS, tokyo) == [(BEGAN + 2 * DAY, DAY)]
    later = TimedTurn(began=BEGAN, left=3 * DAY, deadline=BEGAN + 3 * DAY + 2 * HOUR)
    assert story(later, tokyo) == [(datetime(2026, 3, 4, 23, tzinfo=UTC), DAY)]


def test_a_deadline_in_quiet_hours_is_told_before_they_begin() -> None:
    began = BEGAN.replace(hour=3)
    turn = TimedTurn(began=began, left=3 * DAY, deadline=began + 3 * DAY)
    evening = datetime(2026, 3, 4, 22, tzinfo=UTC) - BEFORE_QUIET
    assert story(turn, wishes(RemindAhead.HOUR, quiet=NIGHT)) == [(evening, HOUR)]


def test_a_deadline_at_the_end_of_quiet_hours_is_told_before_they_begin() -> None:
    began = BEGAN.replace(hour=8)
    turn = TimedTurn(began=began, left=3 * DAY, deadline=began + 3 * DAY)
    evening = datetime(2026, 3, 4, 22, tzinfo=UTC) - BEFORE_QUIET
    assert story(turn, wishes(RemindAhead.HOUR, quiet=NIGHT)) == [(evening, HOUR)]
    away = Interval(begins=evening - HOUR, ends=evening + 2 * HOUR)
    assert story(turn, wishes(RemindAhead.HOUR, quiet=NIGHT), away=away) == [(away.ends, HOUR)]


def test_who_got_his_turn_just_before_quiet_hours_is_reminded_within_them() -> None:
    began = BEGAN.replace(hour=22) - BEFORE_QUIET
    turn = TimedTurn(began=began, left=5 * HOUR, deadline=began + 5 * HOUR)
    assert story(turn, wishes(RemindAhead.HOUR, quiet=NIGHT)) == [(began + 4 * HOUR, HOUR)]


def test_what_was_missed_before_quiet_hours_comes_at_once_if_it_cannot_wait() -> None:
    began = BEGAN.replace(hour=3)
    turn = TimedTurn(began=began, left=3 * DAY, deadline=began + 3 * DAY)
    away = Interval(
        begins=datetime(2026, 3, 4, 12, tzinfo=UTC), ends=datetime(2026, 3, 4, 23, tzinfo=UTC)
    )
    assert story(turn, wishes(RemindAhead.HOUR, quiet=NIGHT), away=away) == [(away.ends, HOUR)]


def test_what_was_missed_waits_for_the_end_of_quiet_hours_if_it_can() -> None:
    began = BEGAN.replace(hour=20)
    turn = TimedTurn(began=began, left=3 * DAY, deadline=began + 3 * DAY)
    away = Interval(begins=began + 2 * DAY - HOUR, ends=began + 2 * DAY + 3 * HOUR)
    morning = datetime(2026, 3, 5, 8, tzinfo=UTC)
    assert story(turn, wishes(RemindAhead.DAY, quiet=NIGHT), away=away) == [(morning, DAY)]


def test_a_turn_that_begins_and_ends_in_quiet_hours_is_reminded_of_when_it_is_time() -> None:
    began = BEGAN.replace(hour=23)
    turn = TimedTurn(began=began, left=5 * HOUR, deadline=began + 5 * HOUR)
    assert story(turn, wishes(RemindAhead.HOUR, quiet=NIGHT)) == [(began + 4 * HOUR, HOUR)]


def test_quiet_hours_begin_and_end_on_the_minute() -> None:
    begins, ends = BEGAN.replace(hour=22), BEGAN.replace(hour=8) + DAY
    night = Interval(begins=begins, ends=ends)
    moments = (begins - MINUTE, begins, ends - MINUTE, ends)
    assert [NIGHT.around(one, "UTC") for one in moments] == [None, night, night, None]


ZONES = st.sampled_from(["UTC", "Europe/Rome", "America/New_York", "Asia/Kathmandu"])
TIMES = st.builds(time, st.integers(0, 23), st.integers(0, 59))
QUIETS = st.builds(QuietHours, TIMES, TIMES).filter(lambda quiet: quiet.begins != quiet.ends)
# Around the changes of the clocks in March and October as well.
MOMENTS = st.integers(0, 270 * 24 * 60).map(lambda minutes: BEGAN + minutes * MINUTE)


@st.composite
def turns(draw: st.DrawFn) -> TimedTurn:
    began = draw(MOMENTS)
    left = timedelta(minutes=draw(st.integers(1, 14 * 24 * 60)))
    paused = timedelta(minutes=draw(st.one_of(st.just(0), st.integers(0, 10 * 24 * 60))))
    return TimedTurn(began=began, left=left, deadline=began + left + paused)


PREFERENCES = st.builds(
    Preferences,
    zone=ZONES,
    quiet=st.none() | QUIETS,
    remind_at=st.frozensets(st.sampled_from(RemindAhead), min_size=1),
)


def is_quiet(chosen: Preferences, moment: datetime) -> Interval | None:
    return None if chosen.quiet is None else chosen.quiet.around(moment, chosen.zone)


def wanted(turn: TimedTurn, chosen: Preferences) -> Iterator[timedelta]:
    for ahead, level in {
        RemindAhead.HALF: turn.left / 2,
        RemindAhead.DAY: DAY,
        RemindAhead.HOUR: HOUR,
    }.items():
        if ahead in chosen.remind_at and turn.deadline - level > turn.began:
            yield level


@given(turns(), PREFERENCES)
def test_any_turn_is_reminded_of_down_to_its_lowest_level(
    turn: TimedTurn, chosen: Preferences
) -> None:
    told, levels = story(turn, chosen), set(wanted(turn, chosen))
    assert [level for _, level in told] == sorted({level for _, level in told}, reverse=True)
    assert {level for _, level in told} <= levels
    assert not levels or told[-1][1] == min(levels)
    assert all(turn.began < at < turn.deadline for at, _ in told)
    assert all(at >= earliest(turn) for at, _ in told)


@given(turns(), PREFERENCES, st.data())
def test_after_any_outage_nothing_is_lost_or_told_twice(
    turn: TimedTurn, chosen: Preferences, data: st.DataObject
) -> None:
    within = st.integers(0, (turn.deadline - turn.began) // MINUTE - 1)
    begins, ends = sorted(turn.began + data.draw(within) * MINUTE for _ in range(2))
    told = story(turn, chosen, away=Interval(begins=begins, ends=ends))
    levels = set(wanted(turn, chosen))
    assert [level for _, level in told] == sorted({level for _, level in told}, reverse=True)
    assert not levels or told[-1][1] == min(levels)


@given(turns(), PREFERENCES)
def test_quiet_hours_are_kept_unless_the_time_is_up_in_them(
    turn: TimedTurn, chosen: Preferences
) -> None:
    for at, _ in story(turn, chosen):
        quiet = is_quiet(chosen, at)
        assert quiet is None or quiet.ends >= turn.deadline
        if quiet is not None:  # then the evening before came too early for this turn
            assert quiet.begins - BEFORE_QUIET <= turn.began


@given(turns(), PREFERENCES)
def test_nobody_is_reminded_early_but_to_spare_quiet_hours(
    turn: TimedTurn, chosen: Preferences
) -> None:
    for at, level in story(turn, chosen):
        due = turn.deadline - level
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
    # Where the clocks are changed within a day, an hour is there twice or not at all.
    assume(all((here + shift).utcoffset() == offset for shift in (-DAY, DAY)))
    wall = here.time()
    inside = (
        quiet.begins <= wall < quiet.ends
        if quiet.begins < quiet.ends
        else wall >= quiet.begins or wall < quiet.ends
    )
    assert (quiet.around(moment, zone) is not None) == inside
