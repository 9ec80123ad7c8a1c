"""What is settled before a game: challenges and what they propose, and what a server allows."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.base.ids import ChallengeId, ChannelId, GameId, GuildId, MessageId, UserId
from bot.play.model.clock import TimeControl
from dvonn import Coordinates

MOST_GAMES_PER_PERSON = 25
"""How many games a server may let one person play at once."""
USUAL_LEVEL = 3
"""At which the machine plays where nothing was chosen: it beats beginners, not everybody."""
IN_A_ROW = 5
"""How many challenges somebody may make in a server before they have to wait."""


class ColourChoice(StrEnum):
    """The colour that a challenger asks for."""

    WHITE = "white"
    BLACK = "black"
    RANDOM = "random"


class Place(StrEnum):
    """Where a challenger wants to play."""

    HERE = "here"
    THREAD = "thread"


class Start(StrEnum):
    """How the board is filled before stacks move."""

    PLACEMENT = "placement"
    """By the players, piece by piece."""
    BALANCED = "balanced"
    """At random, by rules that are fair to both: `dvonn.starts.balanced_start`."""
    SYMMETRIC = "symmetric"
    """At random, each space opposite to its counterpart: `dvonn.starts.symmetric_start`."""
    PIE = "pie"
    """Three balanced boards are made; one player picks the board, the other their colour."""


class ChallengeState(StrEnum):
    """What became of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    """Nobody answered it in time."""


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
    start: Start = Start.PLACEMENT
    clock: TimeControl | None = None
    level: int | None = None
    """How strong the machine is to play, where it is the opponent."""
    place: Place
    rematch_of: GameId | None = None
    """The game after which it was offered."""
    vote: timedelta | None = None
    """How long a vote lasts, where everybody in the channel plays as a team."""
    rival: ChannelId | None = None
    """The channel whose team is challenged, if one is."""
    rated: bool | None = None
    """Whether it is to count for ratings; None: as is usual for such a game there."""

    @property
    def asked_in(self) -> ChannelId:
        """Where it can be accepted."""
        return self.channel if self.rival is None else self.rival

    @property
    def challenger_picks(self) -> bool:
        """Whether the challenger, with a pie start, picks the board and the other their colour.

        So it is, whatever colour was asked for. Only in a rematch it is turned round if need be,
        and there the colour is that of the challenger's seat until sides are picked.
        """
        return self.rematch_of is None or self.colour is ColourChoice.WHITE


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeRow:
    """One challenge."""

    id: ChallengeId
    terms: ChallengeTerms
    state: ChallengeState
    game: GameId | None
    created_at: datetime
    message: MessageId | None = None
    """Its message, as far as that is known."""


class PlacementBoards(StrEnum):
    """What becomes of the last board when a piece is placed."""

    NEW = "new"
    """Each turn posts a new one."""
    EDIT = "edit"
    """The last one is edited while it is still the newest message of its channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """How a game is where nobody says otherwise."""

    start: Start = Start.BALANCED
    clock: TimeControl | None = None
    coordinates: Coordinates = Coordinates.STANDARD
    place: Place = Place.HERE
    rated: bool = True
    """Whether games between people count for ratings, where the start is fair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildRules:
    """What the moderators of a server have chosen for it."""

    channels: frozenset[ChannelId] = frozenset()
    """Where games may be started; empty: anywhere. A thread counts as its channel."""
    games_per_person: int = 5
    """How many games one person may be playing at once."""
    placement_boards: PlacementBoards = PlacementBoards.NEW
    defaults: Defaults = Defaults()
    reviews: bool = True
    """Whether games are reviewed unasked."""
    organisers: int | None = None
    """The role whose people may create tournaments, besides those who manage the server's events or
    the server; everybody has the role with the server's own number. None: nobody else may."""

    def allow(self, channel: ChannelId) -> bool:
        """Whether games may be started in a channel."""
        return not self.channels or channel in self.channels

    def may_organise(self, *, manages: bool, roles: Collection[int]) -> bool:
        """Whether somebody with these roles may create tournaments."""
        return manages or self.organisers in roles


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """A challenge that nobody has answered, and where it is found."""

    channel: ChannelId
    message: MessageId | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How things stand in a server for somebody who challenges and somebody who accepts."""

    rules: GuildRules
    running: Mapping[UserId, int]
    """How many games each of the two is playing there."""
    open_challenges: tuple[OpenChallenge, ...]
    """What the challenger has offered there and nobody has answered, oldest first."""
    row_began: datetime | None
    """When the challenger made the first of their last `IN_A_ROW` challenges there."""


LEVELS: Final = range(1, 11)
"""The levels that the machine can play at."""
