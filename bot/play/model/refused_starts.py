"""Refusals at the start of a game: challenges, places, permissions and conduct."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import TYPE_CHECKING

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, GameId, GuildId, MessageId, UserId

if TYPE_CHECKING:
    from bot.play.model.terms import ChallengeRow, OpenChallenge


class BusyReason(Enum):
    """Reasons why a game can't be played in a thread while another one runs in the channel."""

    NO_THREADS = auto()
    """Discord has none there."""
    DIRECT = auto()
    """These are direct messages with the bot."""
    LACKING = auto()
    """The bot lacks permissions for it."""
    GOES_ON = auto()
    """It continues a game that was played in the channel itself."""


@dataclass(eq=False)
class ChannelBusy(PlayError):  # noqa: N818
    """A game is running here, and no thread can be opened for another."""

    channel: ChannelId
    game: GameId
    reason: BusyReason
    lacking: "MissingPermissions | None" = None


@dataclass(eq=False)
class ChallengeAnswered(PlayError):  # noqa: N818
    """The challenge has been accepted, declined or cancelled before, or has expired."""

    challenge: "ChallengeRow"


@dataclass(eq=False)
class RematchOffered(PlayError):  # noqa: N818
    """This game's rematch is offered or played, or was declined."""

    challenge: "ChallengeRow"
    where: tuple[ChannelId, MessageId | None]
    """Place of the challenge, or of the newest board of its game if it was accepted."""


@dataclass(eq=False)
class LevelMissing(PlayError):  # noqa: N818
    """The machine doesn't play this level here: its compiled engine isn't installed."""

    strongest: int
    """The highest level that it plays here."""


@dataclass(eq=False)
class NotForYou(PlayError):  # noqa: N818
    """A challenge's button was pressed by a person that the challenge does not ask."""

    who: UserId | None


@dataclass(eq=False)
class AskedTooOften(PlayError):  # noqa: N818
    """A player has repeatedly asked the other for something without success."""

    possible_from: datetime


class OpponentProblem(Enum):
    """Reasons why a user cannot be challenged."""

    YOURSELF = auto()
    BOT = auto()
    NO_MACHINE = auto()
    """The machine is switched off here."""
    NOBODY_HERE = auto()
    """Direct messages have no opponent but the machine."""
    GONE = auto()
    """The person is not in the server."""
    DELETED = auto()
    """The person has deleted their data."""


@dataclass(eq=False)
class BadOpponent(PlayError):  # noqa: N818
    """The person cannot be challenged here."""

    problem: OpponentProblem


@dataclass(eq=False)
class NotAllowed(PlayError):  # noqa: N818
    """The person lacks the permission that this command needs."""

    permission: str
    everywhere: bool = False
    """True if the whole server lacks it. In their present channel they may have it."""
    channel: ChannelId | None = None
    """Channel that lacks it, or None for the present channel."""


class RolesUnknown(PlayError):  # noqa: N818
    """The permissions in a server are not known yet: Discord has not announced the server."""


class NoThreadsHere(PlayError):  # noqa: N818
    """A thread was requested where Discord has none: in a thread, or a voice channel's chat."""


class OnlyPrivately(PlayError):  # noqa: N818
    """A server hides the answers of its members' own apps from everybody else."""


@dataclass(eq=False)
class MissingPermissions(PlayError):  # noqa: N818
    """The bot lacks permissions in this channel."""

    permissions: tuple[str, ...]
    asker_may_mend: bool = False


@dataclass(eq=False)
class WrongChannel(PlayError):  # noqa: N818
    """The server's moderators have chosen other channels for games."""

    allowed: frozenset[ChannelId]


@dataclass(eq=False)
class TooManyGames(PlayError):  # noqa: N818
    """A user plays as many games as the server lets one person play at once."""

    who: UserId
    limit: int
    is_asker: bool


@dataclass(eq=False)
class TooManyChallenges(PlayError):  # noqa: N818
    """The challenger has as many open challenges in the server as one person may have."""

    guild: GuildId
    challenges: tuple["OpenChallenge", ...]


@dataclass(eq=False)
class TooSoon(PlayError):  # noqa: N818
    """A user has just done the same thing several times, such as making challenges."""

    wait: timedelta


@dataclass(eq=False)
class NotNow(PlayError):  # noqa: N818
    """A user cannot start a game with another. Nobody is told why: it may be a block."""

    who: UserId


@dataclass(eq=False)
class YouBlocked(PlayError):  # noqa: N818
    """A user wants to play a person that they have blocked."""

    who: UserId
