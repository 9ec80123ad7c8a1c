"""The key of a puzzle's exercise: the puzzle, and the way to it."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from bot.play.model.refusals import NoSuchPly
from dvonn.puzzles import Puzzle, PuzzleTheme, find

_HERE: Final = "here"
_KEY: Final = re.compile(
    rf"(?P<id>[0-9a-f]{{8}})(?:-(?:(?P<day>\d{{4}}-\d\d-\d\d)|(?P<theme>{'|'.join(PuzzleTheme)})))?"
)


@dataclass(frozen=True, slots=True)
class PuzzleKey:
    """A puzzle: one of a theme, the one of a day, or one from a server's own games."""

    puzzle: Puzzle
    theme: PuzzleTheme | None = None
    day: date | None = None
    here: bool = False

    @classmethod
    def found(cls, text: str) -> "PuzzleKey":
        """Return the key of a text, but for one from a server's own games (see `found_here`).

        Raises:
            NoSuchPly: if there is no such puzzle, or no more.
        """
        match = _KEY.fullmatch(text)
        puzzle = None if match is None else find(match["id"])
        if match is None or puzzle is None:
            raise NoSuchPly
        try:
            day = None if match["day"] is None else date.fromisoformat(match["day"])
        except ValueError as error:
            raise NoSuchPly from error
        theme = None if match["theme"] is None else PuzzleTheme(match["theme"])
        return cls(puzzle, theme, day)

    @staticmethod
    def found_here(text: str) -> str | None:
        """Return the id of a server's own puzzle, if a text is the key of one."""
        name, _, how = text.partition("-")
        return name if how == _HERE else None

    @property
    def text(self) -> str:
        """As it is written."""
        if self.here:
            return f"{self.puzzle.id}-{_HERE}"
        how = self.day.isoformat() if self.day is not None else self.theme
        return self.puzzle.id if how is None else f"{self.puzzle.id}-{how}"
