"""Refusals about tournaments."""

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto

from bot.base.errors import InputError, PlayError
from bot.base.ids import UserId


class Problem(Enum):
    """Reasons why something can't be done in a tournament."""

    GONE = auto()
    """There is no such tournament, or it was deleted."""
    NONE_HERE = auto()
    """The server has no tournament."""
    NOT_BEGUN = auto()
    BEGUN = auto()
    OVER = auto()
    FULL = auto()
    """The maximum number of players has joined."""
    TOO_FEW = auto()
    """Too few players have joined."""
    TOO_MANY = auto()
    """The server has the maximum number of open or running tournaments."""
    TOO_LATE_TO_JOIN = auto()
    """The tournament is running, and can't pair a new entrant."""
    TOO_LATE_TO_ANSWER = auto()
    """The player's confirmation is no longer needed."""
    NOT_ORGANIZER = auto()
    """Only its organizers and users who manage the server can do this."""
    MAY_NOT_CREATE = auto()
    """The user may not create tournaments in this server."""
    FIELD_EMPTY = auto()
    """A select in a form was left empty."""
    NO_TIME_LIMIT = auto()
    """The rounds of the tournament have no time limit that could be extended."""
    NOT_STOPPED = auto()
    """The clocks of the tournament are not stopped."""
    NO_PAIRING = auto()
    BYE = auto()
    NEEDS_WINNER = auto()
    NEXT_IS_OVER = auto()
    """A game that depends on the result is already over."""
    NOTE = auto()
    """A note is empty or too long."""


@dataclass(eq=False)
class TournamentRefusal(PlayError):  # noqa: N818
    """Something can't be done in a tournament."""

    problem: Problem
    limit: int = 0
    """The minimum or maximum that was missed, if there is one."""


@dataclass(eq=False)
class AlreadyIn(PlayError):  # noqa: N818
    """A user has already joined."""

    who: UserId | None = None
    """The user, or None for the user who made the request."""


@dataclass(eq=False)
class NotIn(PlayError):  # noqa: N818
    """A user can't leave, check in or be removed without having joined."""

    who: UserId | None
    """The user, or None for the user who made the request."""


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


@dataclass(eq=False)
class CannotGiveRole(PlayError):  # noqa: N818
    """The bot may not give a role to winners."""

    role: int
