"""Refusals of decisions ahead."""

from enum import Enum, auto

from bot.base.errors import PlayError
from dvonn import Coordinates, IllegalMoveError


class ListProblem(Enum):
    """Reasons why a list of spaces cannot be kept."""

    MOVE = auto()
    """The list holds a move where only spaces can stand."""
    TWICE = auto()
    TAKEN = auto()
    TOO_MANY = auto()
    TOO_LONG = auto()
    """The text has more characters than are read."""
    NOT_PLACING = auto()
    """No pieces are being placed."""


class BadList(PlayError):  # noqa: N818
    """A list of placements cannot be kept."""

    def __init__(
        self,
        problem: ListProblem,
        space: str = "",
        *,
        limit: int = 0,
    ) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.space = space
        self.limit = limit


class LineProblem(Enum):
    """Reasons why decisions ahead cannot be read or kept."""

    UNREADABLE = auto()
    OFF_BOARD = auto()
    HALF = auto()
    """One space of a move is missing."""
    ILLEGAL = auto()
    """The rules refuse what the player would play."""
    ILLEGAL_THEIRS = auto()
    """The rules refuse the other player's move."""
    NEVER = auto()
    """A move to be played in any case can never be played."""
    NOTHING_ELSE = auto()
    """The other player can do nothing else than what was named."""
    TWICE = auto()
    """Two answers to the same move."""
    AFTER_ELSE = auto()
    """The line goes on where nobody knows what was played."""
    YOU_AGAIN = auto()
    """The other player has to pass there: the player moves again."""
    THEY_AGAIN = auto()
    """The player has to pass there: the other moves again."""
    OVER = auto()
    """The game is over there."""
    NO_OWN_MOVE = auto()
    """The player is to move, and the text does not begin with a move of theirs."""
    NOTHING = auto()
    """The text decides nothing."""
    TOO_MANY = auto()
    """More moves than the limit."""


class BadLines(PlayError):  # noqa: N818
    """Decisions ahead cannot be read or kept."""

    def __init__(
        self,
        problem: LineProblem,
        read: str = "",
        found: str = "",
        *,
        refusal: tuple[IllegalMoveError, Coordinates] | None = None,
        limit: int = 0,
    ) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.read = read
        """Text that was understood before the fault."""
        self.found = found
        """Text at the fault."""
        self.refusal = refusal
        """Refusal by the rules, where they refuse it."""
        self.limit = limit
