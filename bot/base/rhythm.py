"""Intervals of periodic checks for due work."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """Intervals between two checks of the same kind.

    Any interval is correct. A shorter one finds due work sooner but costs more queries.
    """

    clocks: timedelta = timedelta(seconds=1)
    """Interval for game clocks and tournament rounds."""
    deliveries: timedelta = timedelta(seconds=2)
    """Interval for due messages."""
    absences: timedelta = timedelta(seconds=2)
    """Interval for servers that have removed the bot and may add it again."""
    dailies: timedelta = timedelta(seconds=5)
    """Interval for puzzles of the day."""
    reception: timedelta = timedelta(seconds=30)
    """Interval for testing each shard's connection, and for counting a second bot's sessions."""
    second_bots: timedelta = timedelta(seconds=10)
    """Interval for all other signs of a second bot with the same token."""
    expiries: timedelta = timedelta(minutes=10)
    """Interval for expired challenges. They can't be accepted even before that."""
    retention: timedelta = timedelta(hours=1)
    """Interval for rows whose retention time has passed."""


EVERYDAY: Final = Rhythm()
"""Intervals of a bot in production."""
