"""Refusals to spectators and learners: views, reviews, the engine, puzzles."""

from enum import Enum, auto

from bot.base.errors import PlayError


class NoSuchPly(PlayError):  # noqa: N818
    """A button of a view leads where its game does not, or no more."""


class LineTooLong(PlayError):  # noqa: N818
    """The board's buttons can hold no more tried moves."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"{limit} moves")
        self.limit = limit


class NotYet(PlayError):  # noqa: N818
    """Sharing a view, or telling of its moves, waits until the players have ended their game."""


class HelpProblem(Enum):
    """Reasons why the engine says nothing of a position."""

    RUNNING = auto()
    """The position is of a game between people that goes on."""
    NEAR = auto()
    """The position is near to the board of such a game, a stranger's as far as they are told."""
    NEAR_OWN = auto()
    """The position is near to the board of one of their own games."""
    NO_MACHINE = auto()
    """The machine is switched off here."""
    OVER = auto()
    """Nobody has a move."""
    TEAM = auto()
    """A team finds its moves by itself."""
    RATED = auto()
    """A hint is wanted in a rated game."""
    NOT_AGREED = auto()
    """A hint is wanted in a game between people who have not agreed on hints."""


class NoEngineHelp(PlayError):  # noqa: N818
    """The engine is asked what it does not say."""

    def __init__(self, problem: HelpProblem) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem


class PasteProblem(Enum):
    """Reasons why a text or file that somebody shows cannot be read."""

    EMPTY = auto()
    TOO_LONG = auto()
    NOT_TEXT = auto()
    """A file that holds no text."""
    UNKNOWN = auto()
    """Neither a position nor a record, as far as can be told."""
    BAD_LINE = auto()
    """A record with a wrong line."""
    ILLEGAL = auto()
    """A list of moves with an illegal one."""


class BadPaste(PlayError):  # noqa: N818
    """A text or file that somebody shows cannot be read."""

    def __init__(
        self, problem: PasteProblem, *, line: int = 0, found: str = "", limit: int = 0
    ) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.line = line
        """The line of the record, or the number of the move, from 1."""
        self.found = found
        self.limit = limit
