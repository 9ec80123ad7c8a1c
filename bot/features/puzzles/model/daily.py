"""The daily puzzle: which one it is."""

from datetime import date
from functools import cache
from hashlib import sha256
from typing import Final

from dvonn.puzzles import Puzzle, load

_WEEK_DAYS: Final = 7
_ONE_IN: Final = 3
"""One puzzle of so many is kept for the daily ones."""


def puzzle_of(day: date) -> Puzzle:
    """Return the daily puzzle of a day, in all servers: easy on Mondays, hard on Sundays."""
    ordinal = day.toordinal()
    week, weekday = divmod(ordinal - 1, _WEEK_DAYS)  # day 1 was a Monday
    puzzles = _by_weekday()[weekday]
    return puzzles[week % len(puzzles)]


def is_daily(puzzle: Puzzle) -> bool:
    """Tell whether a puzzle is kept for the daily ones: nobody has met it before."""
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
