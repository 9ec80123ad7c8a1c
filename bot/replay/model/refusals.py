"""Reasons why a view can't be shown or a text can't be parsed."""

from dataclasses import dataclass
from enum import Enum, auto

from bot.base.errors import InputError, PlayError


class NoBoard(PlayError):  # noqa: N818
    """A message command for boards was used on another message."""


class NoSuchPly(PlayError):  # noqa: N818
    """A view's button leads to a ply that its game doesn't have, perhaps after a takeback."""


@dataclass(eq=False)
class LineTooLong(InputError):  # noqa: N818
    """The buttons' custom ids have no room for more tried moves."""

    limit: int


class GameStillRunning(PlayError):  # noqa: N818
    """A view or its moves can't be shared until the players have ended their game."""


class PasteProblem(Enum):
    """Reasons why a pasted text or file can't be parsed."""

    EMPTY = auto()
    TOO_LONG = auto()
    NOT_TEXT = auto()
    """The file is not text."""
    UNKNOWN = auto()
    """The text is neither a position nor a record."""
    BAD_LINE = auto()
    """A line of the record is invalid."""
    BAD_MOVE = auto()
    """The record contains an illegal move."""
    ILLEGAL = auto()
    """The list of moves contains an illegal one."""


@dataclass(eq=False)
class BadPaste(InputError):  # noqa: N818
    """A pasted text or file can't be parsed."""

    problem: PasteProblem
    line: int = 0
    """The line of the record or the number of the move, counted from 1."""
    column: int = 0
    """The column in that line, counted from 1, or 0 if unknown."""
    wrong_part: str = ""
    limit: int = 0
