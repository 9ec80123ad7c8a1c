"""Refusals to those who want a review."""

from enum import Enum, auto

from bot.base.errors import PlayError


class ReviewProblem(Enum):
    """The reasons why there is no review of a game to read."""

    RUNNING = auto()
    """The game goes on."""
    EMPTY = auto()
    """It has no result, or nothing was played in it."""
    NO_MACHINE = auto()
    """There is none to make it."""
    WAITING = auto()
    """It is being made, or comes as soon as those before it are."""
    FAILED = auto()


class NoReview(PlayError):  # noqa: N818
    """There is no review of a game to read."""

    def __init__(self, problem: ReviewProblem) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
