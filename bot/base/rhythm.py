"""Intervals of the checks for work that no event announces."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """Times between two looks at the same thing.

    What a look finds is right at any time: a shorter rhythm only finds it sooner, and costs a
    query a look.
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
    """Challenges that nobody took. An expired one can't be accepted, closed or not."""
    retention: timedelta = timedelta(hours=1)
    """Rows that are no longer kept."""


EVERYDAY: Final = Rhythm()
"""The rhythm of a bot that people use."""
