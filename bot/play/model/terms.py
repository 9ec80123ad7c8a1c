"""Terms before a game: challenges, their proposals, and the rules of a server."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Generic, TypeVar

from bot.base.ids import ChallengeId, ChannelId, GameId, GuildId, MessageId, UserId
from bot.play.model.clock import TimeControl
from dvonn import Color, Coordinates, Position
from dvonn.position_text import PrintedPosition

MOST_GAMES_PER_PERSON = 25
"""Highest limit of games that one person plays at once in a server."""
FIRST_LEVEL = 1
"""Level of the machine for people who have never played it: a beginner can win."""
IN_A_ROW = 5
"""Number of challenges that one user may make in a server before they have to wait."""


class ColorChoice(StrEnum):
    """The color that a challenger asks for."""

    WHITE = "white"
    BLACK = "black"
    RANDOM = "random"


class Place(StrEnum):
    """The challenger's choice of place."""

    HERE = "here"
    THREAD = "thread"


class Start(StrEnum):
    """Ways to fill the board before stacks move."""

    PLACEMENT = "placement"
    """Players place piece by piece."""
    BALANCED = "balanced"
    """Random, by rules that are fair to both: `dvonn.starts.balanced_start`."""
    SYMMETRIC = "symmetric"
    """Random and symmetric. New games no longer begin like this."""
    PIE = "pie"
    """One player picked one of three boards, the other a color. New games no longer begin like
    this."""
    POSITION = "position"
    """A chosen position: of another game, of a puzzle, or pasted."""

    @property
    def today(self) -> "Start":
        """The start of a new game with the same choice."""
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
    """The proposal of a challenger."""

    guild: GuildId
    channel: ChannelId
    challenger: UserId
    opponent: UserId | None
    """None: open to anyone."""
    colour: ColorChoice
    coordinates: Coordinates
    start: Start = Start.PLACEMENT
    position: PrintedPosition | None = None
    """The start position, if the start is a position."""
    clock: TimeControl | None = None
    level: int | None = None
    """Level of the machine, if it is the opponent."""
    place: Place
    rematch_of: GameId | None = None
    """The game after which it was offered."""
    vote: timedelta | None = None
    """Length of a vote, if everybody in the channel plays as a team."""
    rated: bool | None = None
    """True if it counts for ratings, or None for the default of its place and players."""
    strict: bool = False
    """True if a player out of time loses at once, also in unrated games."""

    def leaves_flags(self, *, rated: bool) -> bool:
        """Return True if nobody loses on time automatically: the waiting player decides.

        This applies to unrated games between people over days, unless the challenger has chosen
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
    """Its message, if known."""


class PlacementBoards(StrEnum):
    """Ways to treat the last board when a piece is placed."""

    NEW = "new"
    """A new board for each turn."""
    EDIT = "edit"
    """The last one is edited while it is still the newest message of its channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """The usual game of a place."""

    start: Start = Start.BALANCED
    clock: TimeControl | None = None
    coordinates: Coordinates = Coordinates.STANDARD
    place: Place = Place.HERE
    rated: bool = True
    """True if games between people with a fair start count for ratings."""


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GuildChoice(Generic[T]):
    """Something that moderators choose for a feature."""

    column: str
    """The name of its column in the table of servers' choices."""
    default: T


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildRules:
    """The choices of moderators for a server."""

    channels: frozenset[ChannelId] = frozenset()
    """Channels that allow games, or none for all channels. A thread counts as its channel."""
    games_per_person: int = 5
    """Number of games that one person may be playing at once."""
    placement_boards: PlacementBoards = PlacementBoards.NEW
    defaults: Defaults = Defaults()
    chosen: Mapping[str, Any] = field(default_factory=dict)
    """The choices for features, by their columns."""

    def allow(self, channel: ChannelId) -> bool:
        return not self.channels or channel in self.channels

    def choice(self, choice: GuildChoice[T]) -> T:
        chosen: T = self.chosen.get(choice.column, choice.default)
        return chosen


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """An unanswered challenge, and its place."""

    channel: ChannelId
    message: MessageId | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StartLimits:
    """The counts in a server that decide whether two people may begin a game."""

    rules: GuildRules
    running: Mapping[UserId, int]
    """Number of games that each of the two is playing there."""
    open_challenges: tuple[OpenChallenge, ...]
    """Unanswered challenges of the challenger there, oldest first."""
    row_began: datetime | None
    """Time of the first of the challenger's last `IN_A_ROW` challenges there."""


class EndReason(StrEnum):
    """Causes of a game's end."""

    COUNT = "count"
    """The game was played out, and the pieces were counted."""
    RESIGNATION = "resignation"
    TIME = "time"
    AGREEMENT = "agreement"
    ABORT = "abort"
    """The game was ended without a result."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game. A running game has none."""

    reason: EndReason
    winner: Color | None = None
    """The winner, or None for a draw and without a result."""
    margin: int | None = None
    """The winner's lead in pieces, 0 in a draw. Only if pieces were counted."""

    @classmethod
    def counted(cls, position: Position) -> "Outcome":
        """Return the outcome of a game that was played out to a position."""
        white, black = (position.score(color) for color in Color)
        return cls(EndReason.COUNT, position.winner, abs(white - black))

    @property
    def has_result(self) -> bool:
        """True if it is won, lost or drawn."""
        return self.reason is not EndReason.ABORT

    @property
    def is_draw(self) -> bool:
        """True if it has a result and no winner."""
        return self.has_result and self.winner is None
