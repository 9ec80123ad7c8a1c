"""Puzzles: positions where exactly one move reaches the goal, as proven or judged.

>>> from dvonn_lessons.puzzles import find, load, nearest
>>> puzzle = nearest(1500)
>>> answer = puzzle.answer((), puzzle.solution[0])
>>> answer.right
True

They are in the public domain (CC0), and larger than all of `dvonn`. `dvonn.puzzles` is another name
of this module. In the project's repository, docs/puzzles.md describes how they were made.
"""

import json
import pkgutil
from collections.abc import Container
from functools import cache

from dvonn_lessons.puzzles.puzzle import Aim, Puzzle, PuzzleAnswer
from dvonn_lessons.puzzles.themes import PuzzleTheme

__all__ = [
    "Aim",
    "Puzzle",
    "PuzzleAnswer",
    "PuzzleTheme",
    "find",
    "load",
    "nearest",
]


@cache
def load() -> tuple[Puzzle, ...]:
    """Return all active puzzles, in the order of their IDs."""
    return tuple(puzzle for puzzle in _by_id().values() if puzzle.themes)


def find(name: str) -> Puzzle | None:
    """Return the puzzle with an ID, or None. Retired puzzles of earlier releases are found, too."""
    return _by_id().get(name)


def nearest(
    rating: float, *, theme: PuzzleTheme | None = None, without: Container[str] = ()
) -> Puzzle | None:
    """Return the puzzle with the nearest starting rating, or None if none is left.

    Args:
        rating: Rating of the solver.
        theme: Theme of the puzzle, or None. Puzzles in lost positions are only returned for
            `PuzzleTheme.SAVE`.
        without: Ids of puzzles to leave out.
    """
    fitting = (puzzle for puzzle in load() if puzzle.id not in without and puzzle.fits(theme))
    return min(fitting, key=lambda puzzle: (abs(puzzle.rating - rating), puzzle.id), default=None)


@cache
def _by_id() -> dict[str, Puzzle]:
    rows = json.loads(pkgutil.get_data(__name__, "puzzles.json") or b"[]")
    return {puzzle.id: puzzle for puzzle in map(Puzzle.from_json, rows)}
