"""Puzzles: positions where a single move reaches the goal, by proof or by the engine's judgment.

    from dvonn.puzzles import nearest

    puzzle = nearest(1500)                              # a puzzle for this rating
    puzzle.answer((), puzzle.solution[0]).right         # True

This is another name for `dvonn_lessons.puzzles` in the package `dvonn-lessons` (the extra
`lessons`).
"""

import typing

from dvonn._rules.errors import DvonnError

if typing.TYPE_CHECKING:
    from dvonn_lessons.puzzles import Aim, Puzzle, PuzzleAnswer, PuzzleTheme, find, load, nearest

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


class PuzzlesMissingError(DvonnError, ImportError):
    """The package `dvonn-lessons` is not installed."""

    def __str__(self) -> str:
        return "the puzzles need the package dvonn-lessons, the extra `lessons` of dvonn"


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        import dvonn_lessons.puzzles  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        raise PuzzlesMissingError from error
    value: object = getattr(dvonn_lessons.puzzles, name)
    return value
