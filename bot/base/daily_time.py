"""A time of the day in a zone, and the moments that it comes to."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

_DAY: Final = timedelta(days=1)

_HOUR_MINUTES: Final = 60


@dataclass(frozen=True, slots=True)
class DailyTime:
    """A time of the day at which something is due, where clocks show that."""

    minute: int
    """Minute of the day, 0 to 1439."""
    zone: str

    @classmethod
    def of(cls, hour: time, zone: str) -> "DailyTime":
        """Return a time of the day; its seconds are left out."""
        return cls(hour.hour * _HOUR_MINUTES + hour.minute, zone)

    @property
    def hour(self) -> time:
        """The time of day."""
        return time(*divmod(self.minute, _HOUR_MINUTES))

    def moment(self, day: date) -> datetime:
        """Return the time when it is due on a day, in UTC.

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
        """Return the newest day on which it is due by a moment."""
        day = now.astimezone(ZoneInfo(self.zone)).date()
        while self.moment(day) > now:
            day -= _DAY
        return day

    def next(self, now: datetime) -> datetime:
        """Return the next time when it is due after a moment; in UTC."""
        return self.moment(self.newest(now) + _DAY)


def _change_between(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment when clocks are put forward between two moments, to the second."""
    offset = before.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) // 2
        middle = middle.replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after
