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
    """Clocks of games and rounds of tournaments."""
    deliveries: timedelta = timedelta(seconds=2)
    """Due messages."""
    absences: timedelta = timedelta(seconds=2)
    """Servers that have removed the bot and may add it again."""
    dailies: timedelta = timedelta(seconds=5)
    """Puzzles of the day."""
    hearing: timedelta = timedelta(seconds=30)
    """The test of each shard's connection, and the check for sessions started by a second bot."""
    second_bots: timedelta = timedelta(seconds=10)
    """All other checks for a second bot with the same token."""
    expiries: timedelta = timedelta(minutes=10)
    """Expired challenges. They can't be accepted even before this check closes them."""
    retention: timedelta = timedelta(hours=1)
    """Rows whose retention time has passed."""


EVERYDAY: Final = Rhythm()
"""Intervals of a bot in production."""
