"""Refusals at the start of a game: places, permissions and conduct."""

from datetime import datetime, timedelta
from enum import Enum, auto
from typing import TYPE_CHECKING

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, GameId, GuildId, MessageId, UserId

if TYPE_CHECKING:
    from bot.play.model.terms import ChallengeRow, OpenChallenge


class ChannelBusy(PlayError):  # noqa: N818
    """A game is running here, and no thread can be opened for another."""

    def __init__(self, channel: ChannelId, game: GameId) -> None:
        super().__init__(f"game {game} is running in channel {channel}")
        self.channel = channel
        self.game = game


class ChallengeAnswered(PlayError):  # noqa: N818
    """The challenge has been accepted, declined or cancelled before, or has expired."""

    def __init__(self, challenge: "ChallengeRow") -> None:
        super().__init__(f"challenge {challenge.id} is {challenge.state}")
        self.challenge = challenge


class RematchOffered(PlayError):  # noqa: N818
    """This game's rematch is offered or played already, or was asked for in vain."""

    def __init__(
        self, challenge: "ChallengeRow", where: tuple[ChannelId, MessageId | None]
    ) -> None:
        super().__init__(f"challenge {challenge.id} is {challenge.state}")
        self.challenge = challenge
        self.where = where
        """The challenge; where it was accepted, the newest board of its game."""


class NotForYou(PlayError):  # noqa: N818
    """A challenge's button was pressed by someone whom it does not ask."""

    def __init__(self, who: UserId | None) -> None:
        super().__init__("this button is another's")
        self.who = who


class AskedTooOften(PlayError):  # noqa: N818
    """A player has asked the other for something again and again, in vain."""

    def __init__(self, possible_from: datetime) -> None:
        super().__init__(f"not before {possible_from}")
        self.possible_from = possible_from


class OpponentProblem(Enum):
    """Reasons why somebody cannot be challenged."""

    YOURSELF = auto()
    BOT = auto()
    NO_MACHINE = auto()
    """The machine is switched off here."""
    NOBODY_HERE = auto()
    """Direct messages have no opponent but the machine."""
    DELETED = auto()
    """The person had all about them deleted."""


class BadOpponent(PlayError):  # noqa: N818
    """The person cannot be challenged here."""

    def __init__(self, problem: OpponentProblem) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem


class RateProblem(Enum):
    """Reasons why a game cannot count for ratings."""

    TEAMS = auto()
    """Teams play it."""
    PLACE = auto()
    """The bot is a visitor there, or alone with one person."""
    START = auto()
    """The machine's strength was measured on another kind of board."""
    UNMEASURED = auto()
    """This version of the machine was not measured."""


class CannotRate(PlayError):  # noqa: N818
    """A game was to be rated that cannot be."""

    def __init__(self, problem: RateProblem) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem


class NotAllowed(PlayError):  # noqa: N818
    """The person lacks the permission that this command needs."""

    def __init__(
        self, permission: str, *, everywhere: bool = False, channel: ChannelId | None = None
    ) -> None:
        super().__init__(permission)
        self.permission = permission
        self.everywhere = everywhere
        """True if the whole server lacks it: where they ask, they may have it."""
        self.channel = channel
        """Channel that lacks it; None: where they ask."""


class RolesUnknown(PlayError):  # noqa: N818
    """The permissions in a server are not known yet: Discord has told nothing of it so far."""


class NoThreadsHere(PlayError):  # noqa: N818
    """A thread was asked for where Discord has none: in a thread, a voice channel's chat."""


class OnlyPrivately(PlayError):  # noqa: N818
    """A server lets nobody else see what its members have brought along."""


class MissingPermissions(PlayError):  # noqa: N818
    """The bot lacks permissions in this channel."""

    def __init__(self, permissions: tuple[str, ...], *, asker_may_mend: bool = False) -> None:
        super().__init__(", ".join(permissions))
        self.permissions = permissions
        self.asker_may_mend = asker_may_mend


class WrongChannel(PlayError):  # noqa: N818
    """The server's moderators have chosen other channels for games."""

    def __init__(self, allowed: frozenset[ChannelId]) -> None:
        super().__init__(f"games may be started in {sorted(allowed)}")
        self.allowed = allowed


class TooManyGames(PlayError):  # noqa: N818
    """Somebody plays as many games as the server lets one person play at once."""

    def __init__(self, who: UserId, limit: int, *, is_asker: bool) -> None:
        super().__init__(f"{who} is playing {limit} games")
        self.who = who
        self.limit = limit
        self.is_asker = is_asker


class TooManyChallenges(PlayError):  # noqa: N818
    """The challenger has as many open challenges in the server as one person may have."""

    def __init__(self, guild: GuildId, challenges: tuple["OpenChallenge", ...]) -> None:
        super().__init__(f"{len(challenges)} challenges are open")
        self.guild = guild
        self.challenges = challenges


class TooSoon(PlayError):  # noqa: N818
    """The challenger has made another challenge only just now."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(f"{wait.total_seconds()} seconds too soon")
        self.wait = wait


class NotNow(PlayError):  # noqa: N818
    """Somebody cannot start a game with another. Why is told to nobody: it may be a block."""

    def __init__(self, who: UserId) -> None:
        super().__init__(f"no game with {who} at the moment")
        self.who = who


class YouBlocked(PlayError):  # noqa: N818
    """Somebody wants to play a person whom they have blocked."""

    def __init__(self, who: UserId) -> None:
        super().__init__("blocked by whoever asks")
        self.who = who


class BlockProblem(Enum):
    """Reasons why somebody cannot be blocked."""

    YOURSELF = auto()
    BOT = auto()
    TOO_MANY = auto()
    """The player has blocked as many as one person can."""


class BadBlock(PlayError):  # noqa: N818
    """A player cannot block this person."""

    def __init__(self, problem: BlockProblem, limit: int = 0) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.limit = limit
