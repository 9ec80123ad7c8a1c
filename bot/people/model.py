"""Limits on settings, and reasons to refuse them."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from bot.base.errors import InputError, PlayError
from bot.base.ids import GameId, UserId
from bot.play.model.terms import GuildChoice

MOST_BLOCKS: Final = 50
"""Maximum number of people that a user can block."""


LOG_CHANNEL: Final[GuildChoice[int | None]] = GuildChoice("log_channel_id", default=None)
"""Channel where moderators' actions are logged, or None."""
LONGEST_REASON: Final = 200
LONGEST_BLOCK: Final = 365
"""Maximum number of days of a block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeratorAction:
    """An entry in the log of moderators."""

    by: UserId
    command: str
    """The subcommand of /setup, or the name of another command."""
    options: tuple[tuple[str, str], ...] = ()
    """Names and values of its options, apart from the person."""
    player: UserId | None = None
    """The person affected."""


@dataclass(eq=False)
class NotBlockedHere(PlayError):  # noqa: N818
    """No moderator has blocked this person in the server."""

    who: UserId


@dataclass(eq=False)
class CannotDelete(PlayError):  # noqa: N818
    """A user's data can't be deleted, because some of their games can't be ended."""

    games: list[GameId]


@dataclass(eq=False)
class BadTime(InputError):  # noqa: N818
    """A text is not a time of day."""

    text: str


class BadMoment(InputError):  # noqa: N818
    """A text is not a moment."""


class BadLength(InputError):  # noqa: N818
    """A text is not a duration."""


class SameTime(InputError):  # noqa: N818
    """Quiet hours would start and end at the same time."""


class NoStop(PlayError):  # noqa: N818
    """The server's clocks are not stopped."""


class TooManyStops(PlayError):  # noqa: N818
    """The server's clocks were stopped too often within a day."""


class BlockProblem(Enum):
    """Reasons why a user cannot be blocked."""

    YOURSELF = auto()
    BOT = auto()
    TOO_MANY = auto()
    """The player has already blocked as many people as allowed."""


@dataclass(eq=False)
class BadBlock(PlayError):  # noqa: N818
    """A player cannot block this person."""

    problem: BlockProblem
    limit: int = 0


def check_block(blocked: int) -> None:
    """Check that a user who has blocked this many people can block one more.

    Raises:
        BadBlock: if they can't.
    """
    if blocked >= MOST_BLOCKS:
        raise BadBlock(BlockProblem.TOO_MANY, limit=MOST_BLOCKS)
