"""Puzzles: positions where exactly one move reaches the goal, as proven or judged.

>>> from dvonn.puzzles import find, load, nearest
>>> puzzle = nearest(1500)
>>> answer = puzzle.answer((), puzzle.solution[0])
>>> answer.right
True

The puzzles are in the package `dvonn-lessons`, the extra `lessons`: they are larger than this whole
package. They are in the public domain (CC0). In the project's repository, docs/puzzles.md describes
how they were made.
"""

import json
import pkgutil
from collections.abc import Container
from functools import cache

from dvonn._rules.errors import DvonnError
from dvonn.puzzles.puzzle import Aim, Puzzle, PuzzleAnswer
from dvonn.puzzles.themes import PuzzleTheme

__all__ = [
    "Aim",
    "Puzzle",
    "PuzzleAnswer",
    "PuzzleTheme",
    "PuzzlesMissingError",
    "find",
    "load",
    "nearest",
]


class PuzzlesMissingError(DvonnError):
    """The package `dvonn-lessons` is not installed."""

    def __str__(self) -> str:
        return "the puzzles are in the package dvonn-lessons, which is not installed"


@cache
def load() -> tuple[Puzzle, ...]:
    """Return all active puzzles, in the order of their IDs.

    Raises:
        PuzzlesMissingError: if the extra `lessons` is not installed. The others raise it, too.
    """
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
    try:
        data = pkgutil.get_data("dvonn_lessons", "puzzles.json")
    except ModuleNotFoundError as error:
        raise PuzzlesMissingError from error
    told = json.loads(data or b"[]")
    return {puzzle.id: puzzle for puzzle in map(Puzzle.from_json, told)}
