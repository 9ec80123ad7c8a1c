"""Intervals of the checks for work that no event announces."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """Intervals between two checks of the same thing.

    A check is correct at any time. A shorter interval only finds due work sooner, and costs more
    queries.
    """

    clocks: timedelta = timedelta(seconds=1)
    """Clocks of games, rounds of tournaments."""
    deliveries: timedelta = timedelta(seconds=2)
    """Messages that are due."""
    absences: timedelta = timedelta(seconds=2)
    """Servers that have removed the bot."""
    dailies: timedelta = timedelta(seconds=5)
    """Puzzles of the day."""
    hearing: timedelta = timedelta(seconds=30)
    """Interval of the probe of a shard's connection, and of the check for a second bot."""
    second_bots: timedelta = timedelta(seconds=10)
    """Other signs of another bot with the same token."""
    expiries: timedelta = timedelta(minutes=10)
    """Expired challenges. They can't be accepted, even if they are not closed yet."""
    retention: timedelta = timedelta(hours=1)
    """Rows that are no longer kept."""


EVERYDAY: Final = Rhythm()
"""The intervals of a bot in production."""
