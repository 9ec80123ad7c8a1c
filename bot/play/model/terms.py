"""Terms that are set before a game: challenges, and a server's rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Generic, TypeVar

from bot.base.ids import ChallengeId, ChannelId, GameId, GuildId, MessageId, UserId
from bot.play.model.clock import TimeControl
from dvonn import Color, Coordinates, Position
from dvonn._records.position_text import PrintedPosition

MOST_GAMES_PER_PERSON = 25
"""Highest limit that a server can set on a person's simultaneous games."""
FIRST_LEVEL = 1
"""Level of the machine for people who have never played it. Beginners can win."""
IN_A_ROW = 5
"""Number of challenges that a user can make in a server before they have to wait."""


class ColorChoice(StrEnum):
    """The color that the challenger asks for."""

    WHITE = "white"
    BLACK = "black"
    RANDOM = "random"


class Place(StrEnum):
    """The place that the challenger chooses."""

    HERE = "here"
    THREAD = "thread"


class Start(StrEnum):
    """Ways to fill the board before the movement phase."""

    PLACEMENT = "placement"
    """Players place pieces one at a time."""
    BALANCED = "balanced"
    """Random, by rules that are fair to both sides: `dvonn.starts.balanced_start`."""
    SYMMETRIC = "symmetric"
    """Random and symmetric, in games of 0.1.0."""
    PIE = "pie"
    """Picked by the players, in games of 0.1.0: `bot.play.model.compat_0_1_0`."""
    POSITION = "position"
    """A chosen position: from another game or a puzzle, or pasted."""

    @property
    def today(self) -> "Start":
        """The kind of start that a rematch uses."""
        is_old = self in (Start.SYMMETRIC, Start.PIE)
        return Start.BALANCED if is_old else self

    @property
    def is_ready_made(self) -> bool:
        """True if the board is full before the first turn."""
        return self not in (Start.PLACEMENT, Start.POSITION)


class ChallengeState(StrEnum):
    """States of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    """The challenge was not answered in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeTerms:
    """A challenger's proposal."""

    guild: GuildId
    channel: ChannelId
    challenger: UserId
    opponent: UserId | None
    """The opponent, or None if it is open to anyone."""
    colour: ColorChoice
    coordinates: Coordinates
    start: Start = Start.PLACEMENT
    position: PrintedPosition | None = None
    """The start position, if the game starts from one."""
    clock: TimeControl | None = None
    level: int | None = None
    """The machine's level, if it is the opponent."""
    place: Place
    rematch_of: GameId | None = None
    """For a rematch, the game after which it was offered."""
    vote: timedelta | None = None
    """Duration of a vote, if everyone in the channel plays as a team."""
    rated: bool | None = None
    """True if the game is rated, or None for the default of the place and players."""
    strict: bool = False
    """True if a player who runs out of time loses immediately, even in unrated games."""

    def leaves_flags(self, *, rated: bool) -> bool:
        """Return True if nobody loses on time automatically, because the waiting player decides.

        This applies to unrated slow games between people, unless the challenger has chosen
        otherwise.
        """
        is_slow = self.clock is not None and not self.clock.is_live
        among_people = self.level is None and self.vote is None
        return is_slow and among_people and not rated and not self.strict


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeRow:
    """A challenge."""

    id: ChallengeId
    terms: ChallengeTerms
    state: ChallengeState
    game: GameId | None
    created_at: datetime
    message: MessageId | None = None
    """The challenge's message, if known."""


class PlacementBoards(StrEnum):
    """Choices for the previous board when a piece is placed."""

    NEW = "new"
    """Each turn gets a new board."""
    EDIT = "edit"
    """The last board is edited while it is still its channel's newest message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """The default settings of a place's games."""

    start: Start = Start.BALANCED
    clock: TimeControl | None = None
    coordinates: Coordinates = Coordinates.STANDARD
    place: Place = Place.HERE
    rated: bool = True
    """True if games between people with a fair start are rated."""


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GuildChoice(Generic[T]):
    """A setting that moderators can change for a feature."""

    column: str
    """Column in the table of servers' settings."""
    default: T


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildRules:
    """A server's settings, chosen by its moderators."""

    channels: frozenset[ChannelId] = frozenset()
    """Channels where games are allowed, or none for all channels.

    A thread counts as its channel.
    """
    games_per_person: int = 5
    """Maximum number of games that one person can play at the same time."""
    placement_boards: PlacementBoards = PlacementBoards.NEW
    defaults: Defaults = Defaults()
    chosen: Mapping[str, Any] = field(default_factory=dict)
    """Settings of features, by column."""

    def allow(self, channel: ChannelId) -> bool:
        return not self.channels or channel in self.channels

    def choice(self, choice: GuildChoice[T]) -> T:
        value: T = self.chosen.get(choice.column, choice.default)
        return value


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """An unanswered challenge and where it is."""

    channel: ChannelId
    message: MessageId | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerBlock:
    """A moderator's block: a person can't start or join games in a server for some time."""

    player: UserId
    until: datetime
    reason: str
    """The reason that the moderator gives to the person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartLimits:
    """Counts that determine whether two people may start a game in a server."""

    rules: GuildRules
    running: Mapping[UserId, int]
    """Number of each player's running games there."""
    open_challenges: tuple[OpenChallenge, ...]
    """The challenger's unanswered challenges there, oldest first."""
    row_began: datetime | None
    """Time of the first of the challenger's last `IN_A_ROW` challenges there."""
    blocked: tuple[ServerBlock, ...] = ()
    """Moderators' blocks of these people there."""


class EndReason(StrEnum):
    """Reasons why a game ended."""

    COUNT = "count"
    """The game was played to the end, and pieces were counted."""
    RESIGNATION = "resignation"
    TIME = "time"
    AGREEMENT = "agreement"
    ABORT = "abort"
    """The game was ended without a result."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game."""

    reason: EndReason
    winner: Color | None = None
    """The winner, or None after a draw or without a result."""
    margin: int | None = None
    """The winner's lead in pieces, 0 after a draw. None unless pieces were counted."""

    @classmethod
    def counted(cls, position: Position) -> "Outcome":
        """Return the outcome of a game that was played to its final position."""
        white, black = (position.score(color) for color in Color)
        return cls(EndReason.COUNT, position.winner, abs(white - black))

    @property
    def has_result(self) -> bool:
        """True if the game was won, lost or drawn."""
        return self.reason is not EndReason.ABORT

    @property
    def is_draw(self) -> bool:
        """True if the game has a result but no winner."""
        return self.has_result and self.winner is None
