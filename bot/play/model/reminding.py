"""When a player is reminded that the time of their turn runs out."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.base.zones import Interval
from bot.play.model.pauses import NO_PAUSES, Pauses
from bot.play.model.preferences import Preferences, RemindAhead, RemindBy

BEFORE_QUIET = timedelta(minutes=5)
"""Time before quiet hours to remind a player of turns that would be due within them."""
ENOUGH = timedelta(hours=1)
"""Time that must be left after quiet hours, for a reminder that couldn't come before them."""

_LOOK_AGAIN = timedelta(minutes=10)
_JUST_BEGUN = 96
"""Part of a level: if it passes so soon after the turn began, it counts as passed."""
_FIXED = {RemindAhead.DAY: timedelta(days=1), RemindAhead.HOUR: timedelta(hours=1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedTurn:
    """A turn with a limited time."""

    began: datetime
    left: timedelta
    """Time on the player's clock at that moment."""
    deadline: datetime
    """Time when it runs out, with the pauses known so far."""
    rests: Pauses = NO_PAUSES
    """Pauses of the clock."""

    def after_rest(self, moment: datetime) -> datetime:
        """Return the end of the rest that a moment falls into, or the moment itself.

        If the end is unknown, it is the time of the next check.
        """
        while (rest := self.rests.pause_at(moment)) is not None:
            if rest.is_open:
                return moment + _LOOK_AGAIN
            moment = rest.ends
        return moment


@dataclass(frozen=True, slots=True)
class ReminderStep:
    """The next step in the reminders of a turn."""

    due: timedelta | None
    """Level of the reminder that is due now: its distance from the end of the time."""
    look_at: datetime | None
    """Time of the next check, or None if there is none in this turn."""


def remind(
    turn: TimedTurn, wishes: Preferences, reminded: timedelta | None, now: datetime
) -> ReminderStep:
    """Decide if a player is reminded now, and when to check next.

    If several levels have passed, for example while the bot was away, one reminder is sent, for the
    nearest. Levels that had passed when the turn began are skipped. While the clock is paused, a
    reminder waits for the end of the pause. A reminder that would be due in quiet hours comes
    shortly before them. If that time was missed, it waits for the end of the quiet hours, if enough
    time is left then.

    `reminded` is the level of the last reminder in this turn. It and the levels above it are done.
    """
    if wishes.remind_by is RemindBy.NONE or now >= turn.deadline:
        return ReminderStep(None, None)
    ahead = {
        level: _moment(turn, wishes, level)
        for level in _levels(turn, wishes)
        if reminded is None or level < reminded
    }
    passed = [level for level, at in ahead.items() if at <= now]
    if not passed:
        return ReminderStep(None, min(ahead.values(), default=None))
    due = min(passed)
    waits_until = _waits_until(turn, wishes, due, now)
    if waits_until > now:
        return ReminderStep(None, waits_until)
    return ReminderStep(due, min((at for level, at in ahead.items() if level < due), default=None))


def earliest(turn: TimedTurn) -> datetime:
    """Return the earliest time of a reminder of a turn, with any settings."""
    highest = max(*_FIXED.values(), turn.left / 2)
    # Quiet hours bring a reminder forward by less than a day.
    return max(turn.deadline - highest - timedelta(days=1), turn.began)


def _levels(turn: TimedTurn, wishes: Preferences) -> Iterator[timedelta]:
    """Return the levels that a player wants and that had not passed when the turn began."""
    for ahead in wishes.remind_at:
        level = _FIXED.get(ahead, turn.left / 2)
        # A player who pauses their clock for a moment has just seen the board as well.
        if turn.deadline - level > turn.began + level / _JUST_BEGUN:
            yield level


def _moment(turn: TimedTurn, wishes: Preferences, level: timedelta) -> datetime:
    """Return the time of a reminder, after pauses and quiet hours."""
    at = turn.after_rest(turn.deadline - level)
    quiet = _quiet(wishes, at)
    if quiet is None:
        return at
    before = quiet.begins - BEFORE_QUIET
    # A player whose turn began only after that has just seen the board.
    if before > turn.began and turn.rests.pause_at(before) is None:
        return before
    return _after_quiet(turn, quiet) or at


def _waits_until(turn: TimedTurn, wishes: Preferences, level: timedelta, now: datetime) -> datetime:
    """Return the time of an overdue reminder: now, or the end of a pause."""
    awake = turn.after_rest(now)
    quiet = _quiet(wishes, awake)
    if quiet is None:
        return awake
    return _after_quiet(turn, quiet) or max(awake, turn.after_rest(turn.deadline - level))


def _after_quiet(turn: TimedTurn, quiet: Interval) -> datetime | None:
    """Return the end of quiet hours, and of a pause around that, or None if that is too late."""
    after = turn.after_rest(quiet.ends)
    return after if after + ENOUGH <= turn.deadline else None


def _quiet(wishes: Preferences, moment: datetime) -> Interval | None:
    return None if wishes.quiet is None else wishes.quiet.interval_around(moment, wishes.zone)
