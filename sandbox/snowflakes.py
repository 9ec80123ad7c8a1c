"""Discord's ids: the upper bits are milliseconds since 2015, so ids sort by time."""

from datetime import UTC, datetime
from email.utils import formatdate

from sandbox.clock import Clock

EPOCH_MS = 1_420_070_400_000
_TIME_SHIFT = 22


class Snowflakes:
    """Creates ids that follow the clock, and always increase.

    Attributes:
        last: The last id so far.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.last = 0

    def next(self) -> int:
        """Return the first id of the current millisecond, or the last id plus one if greater."""
        now = (int(self._clock.time() * 1000) - EPOCH_MS) << _TIME_SHIFT
        self.last = max(now, self.last + 1)
        return self.last


def seconds(snowflake: int) -> float:
    """Return when an id was created, in seconds since the Unix epoch.

    >>> seconds(175928847299117063)
    1462015105.796
    """
    return ((snowflake >> _TIME_SHIFT) + EPOCH_MS) / 1000


def isoformat(when_s: float) -> str:
    """Return a time in Discord's format, such as ``2025-06-15T15:06:40.000000+00:00``.

    >>> isoformat(0.0)
    '1970-01-01T00:00:00.000000+00:00'
    """
    return datetime.fromtimestamp(when_s, UTC).isoformat(timespec="microseconds")


def http_date(when_s: float) -> str:
    """Return a time in a Date header's format, in whole seconds."""
    return formatdate(when_s, usegmt=True)
