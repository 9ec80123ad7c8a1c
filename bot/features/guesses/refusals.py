"""Refusals to those who guess moves."""

from enum import Enum, auto

from bot.base.errors import PlayError


class CallProblem(Enum):
    """The reasons why the next move of a game cannot be guessed."""

    PLAYS = auto()
    """They play in it themselves."""
    MACHINE = auto()
    """The machine is to move."""
    ONLY_MOVE = auto()
    """There is one legal move only."""
    PLAYED = auto()
    """The move that they guess has been played."""


class CannotCall(PlayError):  # noqa: N818
    """Somebody cannot call the next move of a game."""

    def __init__(self, problem: CallProblem) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
