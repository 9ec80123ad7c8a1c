"""Refusals about tournaments."""

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
    """The tournament's state prevents this."""

    problem: NotOpenProblem


@dataclass(eq=False)
class AlreadyIn(PlayError):  # noqa: N818
    """A user has already joined."""

    who: UserId | None = None
    """The user, or None for the one who asks."""


@dataclass(eq=False)
class NotIn(PlayError):  # noqa: N818
    """A user can't leave, check in or be removed without having joined."""

    who: UserId | None
    """The user, or None for the one who asks."""


class TooLateToJoin(PlayError):  # noqa: N818
    """The tournament is running, and can't pair a new entrant."""


class TooLateToAnswer(PlayError):  # noqa: N818
    """The question to a player has already been decided."""


@dataclass(eq=False)
class TournamentFull(PlayError):  # noqa: N818
    """The maximum number of players has joined."""

    most: int


class OrganizersOnly(PlayError):  # noqa: N818
    """Only its organizer and users who manage the server can do this."""


class MayNotCreate(OrganizersOnly):
    """The user may not create tournaments in this server."""


@dataclass(eq=False)
class TooFewPlayers(PlayError):  # noqa: N818
    """Too few players have joined."""

    least: int


@dataclass(eq=False)
class TooManyTournaments(PlayError):  # noqa: N818
    """The server has the maximum number of open or running tournaments."""

    most: int


class TermsProblem(Enum):
    """Reasons why a tournament's terms are impossible."""

    NAME = auto()
    LENGTH = auto()
    IN_THE_PAST = auto()
    TOO_FAR = auto()
    ROUNDS = auto()
    ROUND_TIME = auto()
    NEEDS_TIME = auto()
    SWISS = auto()
    STOP = auto()
    EXTENSION = auto()
    LIVE = auto()
    DIVISION_SIZE = auto()


@dataclass(eq=False)
class BadTerms(InputError):  # noqa: N818
    """The terms of a tournament are impossible."""

    problem: TermsProblem
    least: timedelta | int | None = None
    most: timedelta | int | None = None


class CorrectionProblem(Enum):
    """Reasons why a result can't be set."""

    NO_PAIRING = auto()
    BYE = auto()
    NEEDS_WINNER = auto()
    TOO_LATE = auto()
    NOTE = auto()


@dataclass(eq=False)
class CannotCorrect(PlayError):  # noqa: N818
    """A result can't be set."""

    problem: CorrectionProblem
    most: int | None = None


@dataclass(eq=False)
class CannotGiveRole(PlayError):  # noqa: N818
    """The bot may not give a role to winners."""

    role: int


class FieldEmpty(PlayError):  # noqa: N818
    """A select of a form was left empty."""


class NoTimeLimit(PlayError):  # noqa: N818
    """The rounds of the tournament have no time limit that could be extended."""


class NotStopped(PlayError):  # noqa: N818
    """The clocks of the tournament are not stopped."""


class NoTournament(PlayError):  # noqa: N818
    """The server has no tournament for this action."""


@dataclass(eq=False)
class WhichTournament(PlayError):  # noqa: N818
    """The action is possible for several tournaments."""

    names: tuple[str, ...]


@dataclass(eq=False)
class BadLength(InputError):  # noqa: N818
    """A text is not a duration."""

    text: str


@dataclass(eq=False)
class BadBeginning(InputError):  # noqa: N818
    """A text is not a valid start time."""

    text: str
