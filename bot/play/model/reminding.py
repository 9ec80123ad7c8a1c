"""Decides when to remind a player that their time is running out."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.base.zones import Interval
from bot.play.model.pauses import NO_PAUSES, Pauses
from bot.play.model.preferences import Preferences, RemindAhead, RemindBy

BEFORE_QUIET = timedelta(minutes=5)
"""Reminders that would be due in quiet hours are sent this long before those begin."""
MIN_TIME_LEFT = timedelta(hours=1)
"""Minimum time left at the end of quiet hours for a reminder that was missed before them."""

_RECHECK_DELAY = timedelta(minutes=10)
_SKIP_DIVISOR = 96
"""A level is skipped if it passes within this fraction of itself (1/96) after the turn began."""
_FIXED = {RemindAhead.DAY: timedelta(days=1), RemindAhead.HOUR: timedelta(hours=1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedTurn:
    """A turn with limited time."""

    began: datetime
    left: timedelta
    """Time left on the player's clock when the turn began."""
    deadline: datetime
    """When that time runs out, given the pauses known so far."""
    pauses: Pauses = NO_PAUSES
    """Pauses of the clock."""

    def after_pause(self, moment: datetime) -> datetime:
        """Return the end of the pause at a given moment, or the moment itself if there is none.

        If the end is unknown, return when to check next.
        """
        while (pause := self.pauses.pause_at(moment)) is not None:
            if pause.is_open:
                return moment + _RECHECK_DELAY
            moment = pause.ends
        return moment


@dataclass(frozen=True, slots=True)
class ReminderStep:
    """The next step for the reminders of a turn."""

    due: timedelta | None
    """Level of the reminder that is due now: its time before the deadline."""
    next_check: datetime | None
    """When to check next, or None if no more checks are needed in this turn."""


def remind(
    turn: TimedTurn, preferences: Preferences, reminded: timedelta | None, now: datetime
) -> ReminderStep:
    """Decide whether to remind a player now, and when to check next.

    If several levels have passed, for example while the bot was offline, only the one nearest the
    deadline gets a reminder. Levels that had passed when the turn began are skipped. While the
    clock is paused, a reminder waits for the end of the pause. A reminder that would be due in
    quiet hours is sent shortly before them. If that was missed, it waits for the end of the quiet
    hours, if enough time will be left.

    `reminded` is the level of this turn's last reminder. That level and higher levels are done.
    """
    if preferences.remind_by is RemindBy.NONE or now >= turn.deadline:
        return ReminderStep(None, None)
    times = {
        level: _moment(turn, preferences, level)
        for level in _levels(turn, preferences)
        if reminded is None or level < reminded
    }
    passed = [level for level, at in times.items() if at <= now]
    if not passed:
        return ReminderStep(None, min(times.values(), default=None))
    next_level = min(passed)
    waits_until = _waits_until(turn, preferences, next_level, now)
    if waits_until > now:
        return ReminderStep(None, waits_until)
    return ReminderStep(
        next_level, min((at for level, at in times.items() if level < next_level), default=None)
    )


def earliest(turn: TimedTurn) -> datetime:
    """Return the earliest time of a turn's reminder under any settings."""
    highest = max(*_FIXED.values(), turn.left / 2)
    # Quiet hours move a reminder forward by less than a day.
    return max(turn.deadline - highest - timedelta(days=1), turn.began)


def _levels(turn: TimedTurn, preferences: Preferences) -> Iterator[timedelta]:
    """Yield the levels that a player wants and that had not passed when the turn began."""
    for setting in preferences.remind_at:
        level = _FIXED.get(setting, turn.left / 2)
        # A player who paused their clock briefly has just seen the board, too.
        if turn.deadline - level > turn.began + level / _SKIP_DIVISOR:
            yield level


def _moment(turn: TimedTurn, preferences: Preferences, level: timedelta) -> datetime:
    """Return the time of a reminder, adjusted for pauses and quiet hours."""
    at = turn.after_pause(turn.deadline - level)
    quiet = _quiet(preferences, at)
    if quiet is None:
        return at
    before = quiet.begins - BEFORE_QUIET
    # If the turn began only after that, the player has just seen the board.
    if before > turn.began and turn.pauses.pause_at(before) is None:
        return before
    return _after_quiet(turn, quiet) or at


def _waits_until(
    turn: TimedTurn, preferences: Preferences, level: timedelta, now: datetime
) -> datetime:
    """Return when an overdue reminder is sent: now, or at the end of a pause."""
    awake = turn.after_pause(now)
    quiet = _quiet(preferences, awake)
    if quiet is None:
        return awake
    return _after_quiet(turn, quiet) or max(awake, turn.after_pause(turn.deadline - level))


def _after_quiet(turn: TimedTurn, quiet: Interval) -> datetime | None:
    """Return the end of quiet hours and of any pause then, or None if that is too late."""
    after = turn.after_pause(quiet.ends)
    return after if after + MIN_TIME_LEFT <= turn.deadline else None


def _quiet(preferences: Preferences, moment: datetime) -> Interval | None:
    return (
        None
        if preferences.quiet is None
        else preferences.quiet.interval_around(moment, preferences.zone)
    )
