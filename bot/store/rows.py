"""What the tables hold, as values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.ids import ChallengeId, ChannelId, GameId, GuildId, MessageId, Revision, SourceId, UserId
from dvonn import Coordinates


class ColourChoice(StrEnum):
    """The colour that a challenger asks for."""

    WHITE = "white"
    BLACK = "black"
    RANDOM = "random"


class Place(StrEnum):
    """Where a challenger wants to play."""

    HERE = "here"
    THREAD = "thread"


class ChallengeState(StrEnum):
    """What became of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    CANCELLED = "cancelled"


class GameState(StrEnum):
    """Whether a game goes on, and how it ended."""

    RUNNING = "running"
    FINISHED = "finished"
    RESIGNED = "resigned"
    ABORTED = "aborted"


class EventKind(StrEnum):
    """What can happen in a game."""

    START = "start"
    MOVE = "move"
    """A placement or a movement."""
    RESIGN = "resign"
    ABORT = "abort"


class OutboxKind(StrEnum):
    """What can be sent."""

    THREAD = "thread"
    BOARD = "board"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeTerms:
    """What a challenger proposes."""

    guild: GuildId
    channel: ChannelId
    challenger: UserId
    opponent: UserId | None
    """None: open to anyone."""
    colour: ColourChoice
    coordinates: Coordinates
    place: Place
    rematch_of: GameId | None = None
    """The game after which it was offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeRow:
    """One challenge."""

    id: ChallengeId
    terms: ChallengeTerms
    state: ChallengeState
    game: GameId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """What is settled when a challenge is accepted."""

    guild: GuildId
    channel: ChannelId
    white: UserId
    black: UserId
    coordinates: Coordinates
    thread_of: ChannelId | None
    """The channel in which a thread is to be opened for the game, if it gets one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """One game, without its events."""

    id: GameId
    guild: GuildId
    channel: ChannelId
    white: UserId
    black: UserId
    coordinates: Coordinates
    own_thread: bool
    """The bot opened the thread it is played in."""
    revision: Revision
    state: GameState


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """One accepted change of a game."""

    game: GameId
    revision: Revision
    kind: EventKind
    move: str | None
    """A move in standard coordinates, where the kind is MOVE."""
    actor: UserId
    source: SourceId
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxRow:
    """One thing to send."""

    id: int
    game: GameId
    revision: Revision
    kind: OutboxKind
    channel: ChannelId
    message: MessageId | None
    tries: int
    tried_at: datetime
    """When sending it was last begun."""


@dataclass(frozen=True, slots=True)
class Shards:
    """The part of all guilds that one process looks after, as Discord deals them out."""

    ids: tuple[int, ...]
    count: int

    def has(self, guild: GuildId) -> bool:
        """Whether a guild is among them."""
        return (guild >> 22) % self.count in self.ids
