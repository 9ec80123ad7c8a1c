"""The daily puzzle: when a server's next one is due, in the hours of its zone, and which it is."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from hashlib import sha256
from typing import Final
from zoneinfo import ZoneInfo

from dvonn.puzzles import Puzzle, load

_DAY: Final = timedelta(days=1)
_HOUR_MINUTES: Final = 60
_WEEK_DAYS: Final = 7
_ONE_IN: Final = 3
"""One puzzle of so many is kept for the daily ones."""


@dataclass(frozen=True, slots=True)
class DailyTime:
    """At what time of the day a server's puzzle is posted, where its clocks show that."""

    minute: int
    """Of the day, 0 to 1439."""
    zone: str

    @classmethod
    def of(cls, hour: time, zone: str) -> "DailyTime":
        """A time of the day; its seconds are left out."""
        return cls(hour.hour * _HOUR_MINUTES + hour.minute, zone)

    @property
    def hour(self) -> time:
        """The time of day."""
        return time(*divmod(self.minute, _HOUR_MINUTES))

    def moment(self, day: date) -> datetime:
        """When the puzzle of a day is due, in UTC.

        Where clocks are put forward over that time, it is the moment at which they are; where they
        are put back, the first of both.
        """
        zone = ZoneInfo(self.zone)
        wanted = datetime.combine(day, self.hour, zone)
        early, late = wanted.astimezone(UTC), wanted.replace(fold=1).astimezone(UTC)
        if late < early:  # the later offset is the greater one: this time is left out
            return _change_between(late, early, zone)
        return early

    def newest(self, now: datetime) -> date:
        """The newest day whose puzzle is due at a moment."""
        day = now.astimezone(ZoneInfo(self.zone)).date()
        while self.moment(day) > now:
            day -= _DAY
        return day

    def next(self, now: datetime) -> datetime:
        """When the next puzzle is due, after a moment; in UTC."""
        return self.moment(self.newest(now) + _DAY)


def puzzle_of(day: date) -> Puzzle:
    """The daily puzzle of a day, in all servers: easy on Mondays, hard on Sundays."""
    ordinal = day.toordinal()
    week, weekday = divmod(ordinal - 1, _WEEK_DAYS)  # day 1 was a Monday
    puzzles = _by_weekday()[weekday]
    return puzzles[week % len(puzzles)]


def is_daily(puzzle: Puzzle) -> bool:
    """Whether a puzzle is kept for the daily ones: nobody has met it before."""
    return _mixed(puzzle) % _ONE_IN == 0


@cache
def _by_weekday() -> tuple[tuple[Puzzle, ...], ...]:
    """The daily puzzles of each day of the week, from Monday on, each in an order without sense."""
    kept = sorted(filter(is_daily, load()), key=lambda one: (one.rating, one.id))
    size = len(kept) // _WEEK_DAYS
    parts = (kept[at * size : (at + 1) * size] for at in range(_WEEK_DAYS))
    return tuple(tuple(sorted(part, key=_mixed)) for part in parts)


def _mixed(puzzle: Puzzle) -> int:
    return int.from_bytes(sha256(puzzle.id.encode()).digest())


def _change_between(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """When clocks are put forward between two moments, to the second."""
    offset = before.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) // 2
        middle = middle.replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after
