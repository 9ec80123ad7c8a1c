"""What the tables hold, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from bot.clock import TimeControl
from bot.ids import ChallengeId, ChannelId, GameId, GuildId, MessageId, Revision, SourceId, UserId
from bot.pings import Ping
from dvonn import Coordinates, Point


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
    """Drawn by lot, by rules that are fair to both: `dvonn.draws.balanced_draw`."""
    SYMMETRIC = "symmetric"
    """Drawn by lot, each space opposite to its counterpart: `dvonn.draws.symmetric_draw`."""
    PIE = "pie"
    """Three balanced boards are drawn; one player picks the board, the other his colour."""


class ChallengeState(StrEnum):
    """What became of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    """Nobody answered it in time."""


class GameState(StrEnum):
    """Whether a game goes on, and how it ended."""

    RUNNING = "running"
    FINISHED = "finished"
    RESIGNED = "resigned"
    ABORTED = "aborted"
    DRAWN = "drawn"
    """By agreement; a game that the rules end in a draw is finished."""
    TIMED_OUT = "timed out"


class EventKind(StrEnum):
    """What can happen in a game."""

    START = "start"
    """A challenge is accepted; with a pie start, the detail "picks" says that whoever accepted it
    picks the board."""
    MOVE = "move"
    """A placement or a movement."""
    RESIGN = "resign"
    ABORT = "abort"
    PICK = "pick"
    """One of the boards of a pie start is picked; its detail is which, 1 to 3."""
    SIDE = "side"
    """The other player of a pie start picks his colour; its detail is "white" or "black"."""
    OFFER = "offer"
    """Something is offered to the other player; its detail is an `Offer`."""
    DECLINE = "decline"
    """What stood offered is declined, or taken back by whoever offered it."""
    TAKEBACK = "takeback"
    """The game goes back; its detail is how many of the plies that were played stay."""
    DRAW = "draw"
    """The players agree on a draw."""
    FINISH = "finish"
    """The rest of the placement is drawn by lot; its detail is the seed."""
    TIMEOUT = "timeout"
    """The actor's time is up."""
    DESERT = "desert"
    """The actor has let a game without a clock lie: he counts as gone until he plays."""
    CONTINUE = "continue"
    """What stands before it was played in another game, with the machine's opponent of now."""


class Offer(StrEnum):
    """What one player can ask of the other."""

    TAKEBACK = "takeback"
    DRAW = "draw"
    FINISH = "finish"


class PlacementBoards(StrEnum):
    """What becomes of the last board when a piece is placed."""

    NEW = "new"
    """Each turn posts a new one."""
    EDIT = "edit"
    """The last one is edited while it is still the newest message of its channel."""


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
    start: Start = Start.PLACEMENT
    clock: TimeControl | None = None
    level: int | None = None
    """How strong the machine is to play, where it is the opponent."""
    place: Place
    rematch_of: GameId | None = None
    """The game after which it was offered."""

    @property
    def challenger_picks(self) -> bool:
        """Whether the challenger, with a pie start, picks the board and the other his colour.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """What is settled when a challenge is accepted."""

    guild: GuildId
    channel: ChannelId
    white: UserId
    black: UserId
    coordinates: Coordinates
    start: Start = Start.PLACEMENT
    seed: int = 0
    """What a drawn board is drawn from."""
    clock: TimeControl | None = None
    machine: UserId | None = None
    """Which of the two is the machine, if one is."""
    level: int | None = None
    to_move: UserId
    """Who begins, by moving or by picking a board."""
    detail: str | None = None
    """The detail of the first event."""
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
    start: Start
    seed: int
    """What a drawn board is drawn from; 0 where it is not drawn."""
    clock: TimeControl | None = None
    machine: UserId | None = None
    """Which of the players is the machine, if one is."""
    level: int | None = None
    """How strong it plays."""
    continues: GameId | None = None
    """The game that one of its players gave up, and that the machine goes on with."""
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
    detail: str | None = None
    """What the kind says."""
    actor: UserId
    source: SourceId | None
    """None where it came by itself, from a list or a clock."""
    used: timedelta | None = None
    """How long the clock of the player to move ran for it, where he has one."""
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningChannel:
    """Where a game is being played.

    Attributes:
        last: The source of the game's last event.
    """

    guild: GuildId
    channel: ChannelId
    last: SourceId


@dataclass(frozen=True, slots=True)
class Plan:
    """What a player will place as soon as it is his turn."""

    spaces: tuple[Point, ...]
    else_next: bool = False
    """A space that is taken is replaced by the next free one; otherwise it is passed over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is written in one transaction: events, and what follows from them."""

    events: tuple[EventRow, ...]
    """At least one, of one game, in order."""
    state: GameState
    seats: tuple[UserId, UserId] | None = None
    """White's and Black's player, where that is settled only now."""
    to_move: UserId | None
    plans: Mapping[UserId, Plan] | None
    """The plans that were thought to stand, or None where none can."""
    plans_after: Mapping[UserId, Plan]
    look_at: datetime | None
    """When the game is to be looked at again, where it has a clock."""
    ping: Ping | None = None
    """Who asks the other player for something, or agrees to it."""


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
    silent: bool = False
    """The player to move wants no mention."""


MOST_GAMES_PER_PERSON = 25
"""How many games a server may let one person play at once."""
IN_A_ROW = 5
"""How many challenges somebody may make in a server before they have to wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildRules:
    """What the moderators of a server have chosen for it."""

    channels: frozenset[ChannelId] = frozenset()
    """Where games may be started; empty: anywhere. A thread counts as its channel."""
    games_per_person: int = 5
    """How many games one person may be playing at once."""
    placement_boards: PlacementBoards = PlacementBoards.NEW

    def allow(self, channel: ChannelId) -> bool:
        """Whether games may be started in a channel."""
        return not self.channels or channel in self.channels


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


@dataclass(frozen=True, slots=True)
class Shards:
    """The part of all guilds that one process looks after, as Discord deals them out."""

    ids: tuple[int, ...]
    count: int
