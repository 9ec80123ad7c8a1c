"""Pauses: the time that doesn't count on a game's clocks.

This module doesn't read the current time.

All pauses are time intervals, whatever their reason. Weekends come from the time control, agreed
pauses from the game's events, and all other pauses from the store.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum, auto
from typing import Final
from zoneinfo import ZoneInfo

from bot.base.ids import UserId
from bot.base.zones import Interval

NOTICE = timedelta(days=1)
"""Delay until clocks run again after a player has ended an agreed pause."""

_ZERO = timedelta(0)
_SATURDAY = 5


class PauseReason(Enum):
    """Reasons for paused clocks. If several apply at once, the first is shown."""

    UNSENT = auto()
    """The turn's board could not be posted."""
    STOPPED = auto()
    """A moderator has stopped all clocks of the server."""
    AGREED = auto()
    """Both players agreed on the pause."""
    VACATION = auto()
    """The player to move is on vacation."""
    WEEKEND = auto()
    OUTAGE = auto()
    """The bot was offline."""


SHOWN_ON_BOARDS: Final = frozenset({PauseReason.VACATION, PauseReason.STOPPED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause(Interval):
    """A time interval that does not count on the clocks."""

    reason: PauseReason
    player: UserId | None = None
    """The player whose clock it pauses, or None for both."""
    is_open: bool = False
    """True if the pause continues, so that `end` is only the end of the part known so far."""

    def covers(self, moment: datetime) -> bool:
        return self.begins <= moment and (self.is_open or moment < self.ends)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreedPause:
    """A pause that both players agreed on, until one of them ends it.

    It is over after a notice period, so that nobody is surprised. If the other player ends it, too,
    it is over immediately.
    """

    begins: datetime
    ends: datetime | None = None
    """The end, or None if nobody has ended it."""
    ended_by: UserId | None = None
    """The first player who ended it."""

    def may_end(self, player: UserId, at: datetime) -> bool:
        """Return True if a player can still end it, or end it sooner."""
        return self.ends is None or (at < self.ends and player != self.ended_by)

    def ended(self, player: UserId, at: datetime) -> "AgreedPause":
        """Return the pause after a player has ended it, by request or by moving."""
        if self.ends is None:
            return replace(self, ends=at + NOTICE, ended_by=player)
        return replace(self, ends=min(at, self.ends)) if self.may_end(player, at) else self

    def as_pause(self, now: datetime) -> Pause:
        """Return the pause as a time interval, given what is known now."""
        ends = max(now, self.begins) if self.ends is None else self.ends
        is_open = self.ends is None
        return Pause(begins=self.begins, ends=ends, reason=PauseReason.AGREED, is_open=is_open)


@dataclass(frozen=True, slots=True)
class Pauses:
    """Pauses of a game's clocks in any order, including known future ones."""

    intervals: Sequence[Pause] = ()
    weekends: str | None = None
    """Time zone of the weekends that also pause all clocks, if any."""
    is_first_send: bool = False
    """True if the turn's board is being sent for the first time.

    A player who moves now must have seen it.
    """

    def for_player(self, player: UserId | None) -> "Pauses":
        """Return the pauses that apply to the clock of the player to move."""
        pauses = [
            pause for pause in self.intervals if pause.player is None or pause.player == player
        ]
        return replace(self, intervals=pauses)

    def excluding(self, *reasons: PauseReason) -> "Pauses":
        """Return the pauses except those for the given reason."""
        return replace(
            self, intervals=[pause for pause in self.intervals if pause.reason not in reasons]
        )

    def elapsed(self, since: datetime, until: datetime) -> timedelta:
        """Return how much time counts between two moments."""
        return elapsed(since, until, self.intervals, self.weekends)

    def runs_out(self, since: datetime, time_left: timedelta) -> datetime:
        """Return the deadline: the first moment at which `elapsed` reaches `time_left`."""
        return runs_out(since, time_left, self.intervals, self.weekends)

    def next_change(self, after: datetime) -> datetime | None:
        """Return when a known pause (other than a weekend) next starts or ends, or None."""
        ends = (moment for pause in self.intervals for moment in (pause.begins, pause.ends))
        return min((moment for moment in ends if moment > after), default=None)

    def pause_at(self, moment: datetime) -> Pause | None:
        """Return the pause at a given moment, or None."""
        pauses = [pause for pause in self.intervals if pause.covers(moment)]
        if self.weekends is not None:
            weekend = next(_weekends(moment.astimezone(UTC), self.weekends))
            pauses += [weekend] if weekend.covers(moment) else []
        return min(pauses, key=lambda pause: pause.reason.value, default=None)


NO_PAUSES: Final = Pauses()


def elapsed(
    since: datetime, until: datetime, pauses: Iterable[Interval], weekends: str | None = None
) -> timedelta:
    """Return how much time counts between two moments.

    Args:
        since: When the clock started running.
        until: The later moment. If it is earlier (because the host's clock was set back), no time
            counts.
        pauses: Pauses of the clock in any order. They may overlap.
        weekends: Time zone of the weekends that also pause the clock, if any.

    >>> friday = datetime(2026, 11, 27, 12, tzinfo=UTC)
    >>> monday = datetime(2026, 11, 30, 12, tzinfo=UTC)
    >>> outage = Interval(begins=friday, ends=friday + timedelta(hours=2))
    >>> str(elapsed(friday, monday, [outage]))
    '2 days, 22:00:00'
    >>> str(elapsed(friday, monday, [outage], weekends="UTC"))
    '22:00:00'
    """
    start, end = since.astimezone(UTC), until.astimezone(UTC)
    total = _ZERO
    for begins, ends in _running(start, pauses, weekends):
        if begins >= end:
            break
        total += (end if ends is None else min(ends, end)) - begins
    return total


def runs_out(
    since: datetime, time_left: timedelta, pauses: Iterable[Interval], weekends: str | None = None
) -> datetime:
    """Return the deadline in UTC: the first moment at which `elapsed` reaches `time_left`."""
    start = since.astimezone(UTC)
    if time_left <= _ZERO:
        return start
    for begins, ends in _running(start, pauses, weekends):
        if ends is None or ends - begins >= time_left:
            return begins + time_left
        time_left -= ends - begins
    raise AssertionError("the last interval has no end")


def _running(
    start: datetime, pauses: Iterable[Interval], weekends: str | None
) -> Iterator[tuple[datetime, datetime | None]]:
    """Yield the nonempty intervals between pauses, in order. The last may have no end."""
    intervals = sorted(
        (pause.begins.astimezone(UTC), pause.ends.astimezone(UTC)) for pause in pauses
    )
    upcoming = iter(intervals)
    if weekends is not None:
        weekend_ends = ((pause.begins, pause.ends) for pause in _weekends(start, weekends))
        upcoming = heapq.merge(intervals, weekend_ends)
    for begins, ends in upcoming:
        if begins > start and ends > begins:
            yield start, begins
        start = max(start, ends) if ends > begins else start
    yield start, None


def _weekends(start: datetime, zone: str) -> Iterator[Pause]:
    """Yield a time zone's weekends forever, starting with the first that ends after a moment.

    They start and end at midnight in the zone. If the zone changes its clocks during a weekend, it
    is longer or shorter than 48 hours.
    """
    tz = ZoneInfo(zone)
    today = start.astimezone(tz).date()
    saturday = today - timedelta(days=(today.weekday() - _SATURDAY) % 7)
    while True:
        monday = saturday + timedelta(days=2)
        ends = _midnight(monday, tz)
        if ends > start:
            yield Pause(begins=_midnight(saturday, tz), ends=ends, reason=PauseReason.WEEKEND)
        saturday += timedelta(days=7)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the start of a day in UTC.

    If a clock change skips midnight, it is the time of the change.
    """
    return datetime.combine(day, time(), zone).astimezone(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVacation:
    """A vacation that is about to start."""

    player: UserId
    interval: Interval
    since: datetime
    """The check considers only vacations after this moment."""
    check: Callable[[Sequence[Interval]], None]
    """Takes the existing vacations, and raises an error if the new one is not allowed."""
