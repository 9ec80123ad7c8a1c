"""Refusals around tournaments."""

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto

from bot.base.errors import InputError, PlayError
from bot.base.ids import UserId


class TournamentGone(PlayError):  # noqa: N818
    """There is no such tournament, or it was deleted."""


class NotOpenProblem(Enum):
    """States of a tournament that prevent an action."""

    NOT_BEGUN = auto()
    BEGUN = auto()
    OVER = auto()


@dataclass(eq=False)
class NotOpen(PlayError):  # noqa: N818
    """The state of the tournament prevents this."""

    problem: NotOpenProblem


class AlreadyIn(PlayError):  # noqa: N818
    """A player has joined already."""


@dataclass(eq=False)
class NotIn(PlayError):  # noqa: N818
    """A user cannot leave, check in or be removed without having joined."""

    who: UserId | None
    """The user, or None for the asker."""


class TooLateToJoin(PlayError):  # noqa: N818
    """The tournament runs, and cannot pair a new entrant."""


class TooLateToAnswer(PlayError):  # noqa: N818
    """The question to a player was decided in the meantime."""


@dataclass(eq=False)
class TournamentFull(PlayError):  # noqa: N818
    """The maximum number of players has joined."""

    most: int


class OrganizersOnly(PlayError):  # noqa: N818
    """Only its organizer and managers of the server can do this."""


class MayNotCreate(OrganizersOnly):
    """This person may not create tournaments in this server."""


@dataclass(eq=False)
class TooFewPlayers(PlayError):  # noqa: N818
    """Too few players have joined."""

    least: int


@dataclass(eq=False)
class TooManyTournaments(PlayError):  # noqa: N818
    """The server has the maximum number of open or running tournaments."""

    most: int


class TermsProblem(Enum):
    """The reasons why terms of a tournament are impossible."""

    NAME = auto()
    LENGTH = auto()
    IN_THE_PAST = auto()
    TOO_FAR = auto()
    ROUNDS = auto()
    ROUND_TIME = auto()
    NEEDS_TIME = auto()
    LEVEL = auto()
    SWISS = auto()
    THEME = auto()
    STOP = auto()


@dataclass(eq=False)
class BadTerms(InputError):  # noqa: N818
    """The terms of a tournament are impossible."""

    problem: TermsProblem
    least: timedelta | int | None = None
    most: timedelta | int | None = None


class CorrectionProblem(Enum):
    """The reasons why a result cannot be set."""

    NO_PAIRING = auto()
    BYE = auto()
    NEEDS_WINNER = auto()
    TOO_LATE = auto()
    NOTE = auto()


@dataclass(eq=False)
class CannotCorrect(PlayError):  # noqa: N818
    """A result cannot be set."""

    problem: CorrectionProblem
    most: int | None = None


class NotStopped(PlayError):  # noqa: N818
    """The clocks of the tournament are not stopped."""


class NoTournament(PlayError):  # noqa: N818
    """The server has no tournament for this action."""


@dataclass(eq=False)
class WhichTournament(PlayError):  # noqa: N818
    """Several tournaments fit this action."""

    names: tuple[str, ...]


@dataclass(eq=False)
class BadLength(InputError):  # noqa: N818
    """A text is not a duration."""

    text: str


@dataclass(eq=False)
class BadBeginning(InputError):  # noqa: N818
    """A text is no time for a start."""

    text: str
    meant: str | None = None
    """A readable text that resembles the typed one."""
