"""Refusals of times: clocks, zones, hours and vacations."""

from datetime import timedelta
from enum import Enum, auto

from bot.base.errors import PlayError
from bot.base.intervals import Interval


class ClockProblem(Enum):
    """Reasons why a clock is not possible."""

    UNREADABLE = auto()
    BANK_TOO_SHORT = auto()
    BANK_TOO_LONG = auto()
    INCREMENT_TOO_LONG = auto()
    CAP_BELOW_BANK = auto()
    """The limit is the bank."""
    CAP_TOO_LONG = auto()
    LIVE_INCREMENT = auto()
    """A live game's increment is at most what players begin with, the limit."""
    LIVE_WEEKENDS = auto()
    """Live games do not rest; the limit is where they end."""
    WEEKENDS_WITHOUT_CLOCK = auto()


class BadClock(PlayError):  # noqa: N818
    """A game cannot have this clock."""

    def __init__(self, problem: ClockProblem, limit: timedelta | None = None) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.limit = limit


class BadTime(PlayError):  # noqa: N818
    """A text is no time of day."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class SameTime(PlayError):  # noqa: N818
    """Quiet hours are to end when they begin."""


class VacationProblem(Enum):
    """Reasons why a vacation is not possible."""

    LENGTH = auto()
    """The vacation lasts no whole number of days, or more than the limit."""
    UNREADABLE = auto()
    """Its beginning is no date."""
    PAST = auto()
    TOO_FAR = auto()
    """The vacation begins later than the limit from now."""
    OVERLAP = auto()
    """Another vacation is at that time."""
    ALLOWANCE = auto()
    """The allowance of a year has not so much left; the limit is what is left."""


class BadVacation(PlayError):  # noqa: N818
    """A player cannot have this vacation."""

    def __init__(
        self,
        problem: VacationProblem,
        *,
        limit: timedelta = timedelta(),
        year: int = 0,
        other: Interval | None = None,
    ) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.limit = limit
        self.year = year
        self.other = other


class NoVacation(PlayError):  # noqa: N818
    """No vacation can be ended."""
