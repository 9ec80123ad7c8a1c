"""Refusals to those who want to see a profile."""

from enum import Enum, auto

from bot.base.errors import PlayError
from bot.base.ids import UserId


class ProfileProblem(Enum):
    """The reasons why a profile is not shown."""

    HIDDEN = auto()
    """The player keeps it to themselves."""
    PRIVATELY = auto()
    """In direct messages everybody sees only their own."""
    MACHINE = auto()
    """It has none."""


class ProfileHidden(PlayError):  # noqa: N818
    """Somebody asks for a profile that they are not shown."""

    def __init__(self, player: UserId, problem: ProfileProblem) -> None:
        super().__init__(problem.name.lower())
        self.player = player
        self.problem = problem
