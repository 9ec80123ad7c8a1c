"""Decides when the player to move is reminded that their time is running out."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.play.model.preferences import Preferences, RemindAhead, RemindBy

BEFORE_QUIET = timedelta(minutes=5)
"""Time before quiet hours at which a player is reminded whose time is up within them."""

_JUST_BEGUN = 96
"""A level that passes within so small a part of itself after the turn began passed with it."""
_FIXED = {RemindAhead.DAY: timedelta(days=1), RemindAhead.HOUR: timedelta(hours=1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedTurn:
    """A turn with a limited time."""

    began: datetime
    left: timedelta
    """Time that the player's clock showed then."""
    deadline: datetime
    """Time when it is up, as far as pauses are known."""


@dataclass(frozen=True, slots=True)
class Reminding:
    """The next step in the reminders of a turn."""

    due: timedelta | None
    """Level of the reminder that is due now: its distance from the end of the time."""
    look_at: datetime | None
    """Time of the next look; None: not in this turn."""


def remind(
    turn: TimedTurn, wishes: Preferences, reminded: timedelta | None, now: datetime
) -> Reminding:
    """Tell whether a player is to be reminded now, and when to look next.

    Levels that have passed together, as while the bot was away, make one reminder: of the nearest.
    Nobody is reminded of a level that had passed when the turn began. In quiet hours a reminder
    waits for their end, unless the time is up before that: then it comes shortly before they begin,
    or at once if that was missed.

    Args:
        turn: The turn.
        wishes: What its player has chosen.
        reminded: The level of which they were reminded last in this turn; it and those above it are
            done.
        now: The moment.
    """
    if wishes.remind_by is RemindBy.NONE or now >= turn.deadline:
        return Reminding(None, None)
    ahead = {
        level: _shifted(turn, wishes, turn.deadline - level)
        for level in _levels(turn, wishes)
        if reminded is None or level < reminded
    }
    passed = [level for level, at in ahead.items() if at <= now]
    if not passed:
        return Reminding(None, min(ahead.values(), default=None))
    quiet_until = _waits_until(turn, wishes, now)
    if quiet_until is not None:
        return Reminding(None, quiet_until)
    due = min(passed)
    return Reminding(due, min((at for level, at in ahead.items() if level < due), default=None))


def earliest(turn: TimedTurn) -> datetime:
    """Return a moment before which nobody is reminded of a turn, whatever they have chosen."""
    highest = max(*_FIXED.values(), turn.left / 2)
    # Quiet hours bring a reminder forward by less than a day.
    return max(turn.deadline - highest - timedelta(days=1), turn.began)


def _levels(turn: TimedTurn, wishes: Preferences) -> Iterator[timedelta]:
    """Return the levels that a player wants and that had not passed when the turn began."""
    for ahead in wishes.remind_at:
        level = _FIXED.get(ahead, turn.left / 2)
        # Who pauses their clock for a moment has just seen the board as well.
        if turn.deadline - level > turn.began + level / _JUST_BEGUN:
            yield level


def _shifted(turn: TimedTurn, wishes: Preferences, at: datetime) -> datetime:
    """Return the time of a reminder, in view of quiet hours."""
    quiet = None if wishes.quiet is None else wishes.quiet.around(at, wishes.zone)
    if quiet is None:
        return at
    if quiet.ends < turn.deadline:
        return quiet.ends
    before = quiet.begins - BEFORE_QUIET
    # Whoever had their turn only after that has just seen the board.
    return before if before > turn.began else at


def _waits_until(turn: TimedTurn, wishes: Preferences, now: datetime) -> datetime | None:
    """Return the end of the quiet hours of this moment, if it comes before the time is up."""
    quiet = None if wishes.quiet is None else wishes.quiet.around(now, wishes.zone)
    return quiet.ends if quiet is not None and quiet.ends < turn.deadline else None
