"""Refusals before a game starts: challenges, places, permissions and conduct."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import TYPE_CHECKING

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, GameId, GuildId, MessageId, UserId

if TYPE_CHECKING:
    from bot.play.model.terms import ChallengeRow, OpenChallenge, ServerBlock


class BusyReason(Enum):
    """Reasons why a channel's second game can't be played in a thread."""

    NO_THREADS = auto()
    """Discord has no threads in this kind of channel."""
    DIRECT = auto()
    """The channel is a direct message with the bot."""
    LACKING = auto()
    """The bot lacks permissions for a thread."""
    CONTINUED_GAME = auto()
    """The game continues another one that was played in the channel itself."""


@dataclass(eq=False)
class ChannelBusy(PlayError):  # noqa: N818
    """A game is running here, and no thread can be opened for another one."""

    channel: ChannelId
    game: GameId
    reason: BusyReason
    lacking: "MissingPermissions | None" = None


@dataclass(eq=False)
class ChallengeAnswered(PlayError):  # noqa: N818
    """The challenge has already been accepted, declined or canceled, or has expired."""

    challenge: "ChallengeRow"


@dataclass(eq=False)
class RematchOffered(PlayError):  # noqa: N818
    """This game's rematch was already offered, played or declined."""

    challenge: "ChallengeRow"
    where: tuple[ChannelId, MessageId | None]
    """Channel and message of the challenge, or of its game's newest board if it was accepted."""


@dataclass(eq=False)
class LevelMissing(PlayError):  # noqa: N818
    """The machine can't play this level here, because its compiled engine isn't installed."""

    strongest: int
    """The highest level that it can play here."""


@dataclass(eq=False)
class NotForYou(PlayError):  # noqa: N818
    """A challenge's button was pressed by someone who was not challenged."""

    who: UserId | None


@dataclass(eq=False)
class AskedTooOften(PlayError):  # noqa: N818
    """A player has asked the other one for something too often without success."""

    possible_from: datetime


class OpponentProblem(Enum):
    """Reasons why a user can't be challenged."""

    YOURSELF = auto()
    BOT = auto()
    NO_MACHINE = auto()
    """The machine is switched off here."""
    NOBODY_HERE = auto()
    """In direct messages the machine is the only opponent."""
    GONE = auto()
    """The person is not in the server."""
    DELETED = auto()
    """The person has deleted their data."""


@dataclass(eq=False)
class BadOpponent(PlayError):  # noqa: N818
    """The person can't be challenged here."""

    problem: OpponentProblem


@dataclass(eq=False)
class NotAllowed(PlayError):  # noqa: N818
    """The user lacks the permission that this command needs."""

    permission: str
    everywhere: bool = False
    """True if the whole server must grant it. The user may have it in the current channel."""
    channel: ChannelId | None = None
    """The channel where the user lacks the permission, or None for the current one."""


class RolesUnknown(PlayError):  # noqa: N818
    """The user's permissions are not known yet, because Discord has not announced the server."""


class NoThreadsHere(PlayError):  # noqa: N818
    """A thread was requested where Discord doesn't allow one: in a thread or a voice channel."""


class OnlyPrivately(PlayError):  # noqa: N818
    """A server hides the responses of user-installed apps from everyone else."""


@dataclass(eq=False)
class MissingPermissions(PlayError):  # noqa: N818
    """The bot lacks permissions in this channel."""

    permissions: tuple[str, ...]
    asker_may_mend: bool = False


@dataclass(eq=False)
class WrongChannel(PlayError):  # noqa: N818
    """The server's moderators allow games only in other channels."""

    allowed: frozenset[ChannelId]


@dataclass(eq=False)
class TooManyGames(PlayError):  # noqa: N818
    """A user is already in as many games as the server allows at once."""

    who: UserId
    limit: int
    is_asker: bool


@dataclass(eq=False)
class TooManyChallenges(PlayError):  # noqa: N818
    """The challenger has as many open challenges in the server as are allowed."""

    guild: GuildId
    challenges: tuple["OpenChallenge", ...]


@dataclass(eq=False)
class TooSoon(PlayError):  # noqa: N818
    """A user has done the same thing too often in a row, such as challenging people."""

    wait: timedelta


@dataclass(eq=False)
class NotNow(PlayError):  # noqa: N818
    """One user can't start a game with another. The reason is hidden, as it may be a block."""

    who: UserId


@dataclass(eq=False)
class YouBlocked(PlayError):  # noqa: N818
    """A user wants to play someone they have blocked."""

    who: UserId


@dataclass(eq=False)
class BlockedHere(PlayError):  # noqa: N818
    """A moderator has blocked a player in this server."""

    block: "ServerBlock"
    is_asker: bool
