"""Refusals of choices, and limits."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from bot.base.errors import InputError, PlayError
from bot.base.ids import GameId

MOST_BLOCKS: Final = 50
"""Maximum number of people that one person can block."""


@dataclass(eq=False)
class CannotDelete(PlayError):  # noqa: N818
    """A user asks for deletion, but some of their games cannot be ended."""

    games: list[GameId]


@dataclass(eq=False)
class BadTime(InputError):  # noqa: N818
    """A text is not a time of day."""

    text: str


class SameTime(InputError):  # noqa: N818
    """Quiet hours would end when they begin."""


class NoStop(PlayError):  # noqa: N818
    """The clocks of a server already run."""


class TooManyStops(PlayError):  # noqa: N818
    """The clocks of a server were stopped too often within a day."""


class BlockProblem(Enum):
    """Reasons why a user cannot be blocked."""

    YOURSELF = auto()
    BOT = auto()
    TOO_MANY = auto()
    """The player has blocked as many as one person can."""


@dataclass(eq=False)
class BadBlock(PlayError):  # noqa: N818
    """A player cannot block this person."""

    problem: BlockProblem
    limit: int = 0


def check_block(blocked: int) -> None:
    """Check that a user with this number of blocks can block one more person.

    Raises:
        BadBlock: if that is too many.
    """
    if blocked >= MOST_BLOCKS:
        raise BadBlock(BlockProblem.TOO_MANY, limit=MOST_BLOCKS)
