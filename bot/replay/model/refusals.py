"""Reasons why a view cannot be shown, or a text cannot be read."""

from dataclasses import dataclass
from enum import Enum, auto

from bot.base.errors import InputError, PlayError


class NoBoard(PlayError):  # noqa: N818
    """A board's action was used on another message."""


class NoSuchPly(PlayError):  # noqa: N818
    """A button of a view leads to a ply that its game does not have, or no longer has."""


@dataclass(eq=False)
class LineTooLong(InputError):  # noqa: N818
    """The board's buttons can hold no more tried moves."""

    limit: int


class GameStillRunning(PlayError):  # noqa: N818
    """A view, or its moves, can't be shared until the players have ended their game."""


class PasteProblem(Enum):
    """Reasons why a pasted text or file cannot be read."""

    EMPTY = auto()
    TOO_LONG = auto()
    NOT_TEXT = auto()
    """A file that holds no text."""
    UNKNOWN = auto()
    """Neither a position nor a record."""
    BAD_LINE = auto()
    """A record with a wrong line."""
    BAD_MOVE = auto()
    """A record with an illegal move."""
    ILLEGAL = auto()
    """A list of moves with an illegal one."""


@dataclass(eq=False)
class BadPaste(InputError):  # noqa: N818
    """A pasted text or file cannot be read."""

    problem: PasteProblem
    line: int = 0
    """The line of the record, or the number of the move, from 1."""
    column: int = 0
    """The column in that line, from 1, or 0 if unknown."""
    found: str = ""
    limit: int = 0
