"""Reasons why plans can't be parsed or stored."""

from dataclasses import dataclass
from enum import Enum, auto

from bot.play.model.refusals import NotKept
from dvonn import Coordinates, IllegalMoveError


class LineProblem(Enum):
    """Reasons why plans can't be parsed or stored."""

    UNREADABLE = auto()
    OFF_BOARD = auto()
    HALF = auto()
    """One of a move's two spaces is missing."""
    ILLEGAL = auto()
    """The player's own planned move is illegal."""
    ILLEGAL_THEIRS = auto()
    """The opponent's move is illegal."""
    NEVER = auto()
    """A move that is planned for any case can never be played."""
    NOTHING_ELSE = auto()
    """The plan answers "any other move", but the opponent has no other moves."""
    TWICE = auto()
    """The plan has two answers to the same move."""
    AFTER_ELSE = auto()
    """The line continues after "any other move", where the board is unknown."""
    NO_REPLY = auto()
    """The line is a series of moves with an unknown answer in between."""
    YOU_AGAIN = auto()
    """The opponent has to pass at that point, so the player moves again."""
    THEY_AGAIN = auto()
    """The player has to pass at that point, so the opponent moves again."""
    OVER = auto()
    """The game is over at that point."""
    NO_OWN_MOVE = auto()
    """The player is to move, but the text does not start with their own move."""
    NOTHING = auto()
    """The text contains no move."""
    TOO_MANY = auto()
    """The plan has more moves than allowed."""


@dataclass(eq=False)
class BadLines(NotKept):
    """A plan can't be parsed or stored."""

    problem: LineProblem
    valid_part: str = ""
    """The text that was understood before the error."""
    wrong_part: str = ""
    """The text at the error."""
    refusal: tuple[IllegalMoveError, Coordinates] | None = None
    """The rules' refusal, and the notation, if a move is illegal."""
    limit: int = 0
    example: str = ""
    """A plan that would be valid on that board."""
