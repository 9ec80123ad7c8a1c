"""Reasons why plans cannot be read or kept."""

from dataclasses import dataclass
from enum import Enum, auto

from bot.play.model.refusals import NotKept
from dvonn import Coordinates, IllegalMoveError


class LineProblem(Enum):
    """Reasons why plans cannot be read or kept."""

    UNREADABLE = auto()
    OFF_BOARD = auto()
    HALF = auto()
    """One space of a move is missing."""
    ILLEGAL = auto()
    """The rules refuse the player's planned move."""
    ILLEGAL_THEIRS = auto()
    """The rules refuse the other player's move."""
    NEVER = auto()
    """A move to be played in any case can never be played."""
    NOTHING_ELSE = auto()
    """The other player has no other moves than the named ones."""
    TWICE = auto()
    """Two answers to the same move."""
    AFTER_ELSE = auto()
    """The line continues after "any other move", on an unknown board."""
    NO_REPLY = auto()
    """Moves in a row, with an unknown answer between them."""
    YOU_AGAIN = auto()
    """The other player has to pass there: the player moves again."""
    THEY_AGAIN = auto()
    """The player has to pass there: the other moves again."""
    OVER = auto()
    """The game is over there."""
    NO_OWN_MOVE = auto()
    """The player is to move, and the text does not begin with their own move."""
    NOTHING = auto()
    """The text contains no move."""
    TOO_MANY = auto()
    """More moves than the limit."""


@dataclass(eq=False)
class BadLines(NotKept):
    """A plan cannot be read or kept."""

    problem: LineProblem
    read: str = ""
    """Text that was understood before the fault."""
    found: str = ""
    """Text at the fault."""
    refusal: tuple[IllegalMoveError, Coordinates] | None = None
    """Refusal by the rules, if they refuse it."""
    limit: int = 0
    example: str = ""
    """Text that could be decided on that board."""
