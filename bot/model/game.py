"""A game: how it stands, and all that follows from that."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum, StrEnum, auto

from bot.model.clock import Clock, TimeControl
from bot.model.events import EventKind, EventRow, Offer
from bot.model.ids import BEFORE_START, ChannelId, GameId, GuildId, Revision, UserId
from bot.model.terms import Start
from dvonn import Color, Coordinates, Move, Phase, Position

LISTED, ONLY = "listed", "only"
"""The details of a move that came by itself: from a list, or as the only legal one."""

WITHDRAWN = "withdrawn"
"""The detail of a declining by whoever offered."""

_HELD_BY_BOTH = 2
"""From how many own pieces or moves on a game can be left only by resigning it."""


class GameState(StrEnum):
    """Whether a game goes on, and how it ended."""

    RUNNING = "running"
    FINISHED = "finished"
    RESIGNED = "resigned"
    ABORTED = "aborted"
    DRAWN = "drawn"
    """By agreement; a game that the rules end in a draw is finished."""
    TIMED_OUT = "timed out"


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
    """What a random start is made from; 0 where there is none."""
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


class Choosing(Enum):
    """What is to be chosen before a pie start's first move."""

    BOARD = auto()
    """White's player for now picks one of three boards."""
    SIDE = auto()
    """Black's player for now picks his colour."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One placement or movement of a game, as it went."""

    move: Move
    revision: Revision
    actor: UserId
    at: datetime
    why: str | None
    """Why it came by itself, `LISTED` or `ONLY`; None where a player entered it."""
    together: bool
    """It was entered in one text with the ply before it."""
    own: bool
    """It was no placement of a red piece."""
    used: timedelta
    """How long the clock ran for it."""
    clock: Clock | None
    """The clocks before it."""
    refused: "Refused"
    """What stood declined before it."""


@dataclass(frozen=True, slots=True)
class Offered:
    """What one player asks of the other."""

    what: Offer
    by: UserId
    goes_back_to: int | None = None
    """How many plies a takeback leaves."""


Refused = frozenset[tuple[Offer, UserId]]
"""What was offered, and by whom."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game at one revision."""

    row: GameRow
    position: Position
    last: Move | None
    """The last placement or movement, None before the first."""
    base: Position
    """The position from which the plies are played that can be taken back."""
    line: tuple[Ply, ...] = ()
    """What was played and stands."""
    settled: int = 0
    """How many plies of the line are older than `base`, and stay."""
    clock: Clock | None = None
    choosing: Choosing | None = None
    offered: Offered | None = None
    refused: Refused = frozenset()
    """What was declined, or taken back, since whoever offered it moved last."""
    board_since: Revision = BEFORE_START
    """The revision that brought the board as it is; offers and answers leave it alone."""
    went_back: UserId | None = None
    """Who has gone back without asking, until the other player moves."""
    board_seed: int | None = None
    """What the board was made from that a pie start has picked."""
    picker: UserId | None = None
    """Who picks the board of a pie start, or has; None with other starts."""
    turn_since: datetime | None = None
    """When the present turn began; None before the start."""
    asked_for: Mapping[tuple[Offer, UserId], int] = field(default_factory=dict)
    """How often each has been offered by whom; taking back without asking counts as well."""
    left_by: UserId | None = None
    """Who has left it: by resigning, by his time, or by letting it lie until he plays again."""

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return self.row.state is GameState.RUNNING

    @property
    def turn(self) -> Color | None:
        """The colour whose clock runs: who is to move, or to choose. None when it has ended."""
        if not self.is_running:
            return None
        if self.choosing is not None:
            return Color.WHITE if self.choosing is Choosing.BOARD else Color.BLACK
        return self.position.turn

    @property
    def to_move(self) -> UserId | None:
        """The player whose turn it is; None when the game has ended."""
        turn = self.turn
        return None if turn is None else self.player(turn)

    @property
    def asked(self) -> UserId | None:
        """The player who is to answer an offer; None where nothing is offered."""
        return None if self.offered is None else self.opponent(self.offered.by)

    @property
    def waits_for_machine(self) -> bool:
        """Whether the machine is to move, to choose or to answer."""
        machine = self.row.machine
        return machine is not None and machine in (self.to_move, self.asked)

    @property
    def is_placing(self) -> bool:
        """Whether pieces are being placed."""
        return self.is_running and self.choosing is None and self.position.phase is Phase.PLACEMENT

    def player(self, color: Color) -> UserId:
        """Who plays a colour."""
        return self.row.white if color is Color.WHITE else self.row.black

    def opponent(self, user: UserId) -> UserId:
        """Who plays against one of the players."""
        return self.row.black if user == self.row.white else self.row.white

    def seat(self, user: UserId) -> Color | None:
        """The colour that somebody plays; None for a spectator."""
        if user == self.row.white:
            return Color.WHITE
        return Color.BLACK if user == self.row.black else None

    def calls(self, newest: EventRow) -> UserId | None:
        """Whom its newest event calls: who is to answer or to move, unless he has just done so."""
        if newest.kind is EventKind.OFFER:
            return self.asked
        undoes = newest.kind in (EventKind.DECLINE, EventKind.TAKEBACK)
        return None if undoes and newest.actor == self.to_move else self.to_move

    def may_leave(self, user: UserId) -> bool:
        """Whether a player can still end the game without a result.

        They can until they have placed their second own piece, or after a random start made their
        second move.
        """
        return sum(ply.own for ply in self.line if ply.actor == user) < _HELD_BY_BOTH

    def back_to(self, plies: int) -> tuple[Position, Move | None]:
        """The position after so many plies of the line, and the last of them."""
        position = self.base
        for ply in self.line[self.settled : plies]:
            position = position.play(ply.move)
        return position, self.line[plies - 1].move if plies > self.settled else None


@dataclass(frozen=True, slots=True)
class Told:
    """One event, and the position it led to."""

    event: EventRow
    position: Position
    mover: Color | None
    """Who placed or moved, where the event is a move."""
    undone: tuple[Ply, ...] = ()
    """What a takeback takes back, or would, oldest first."""
    lapsed: Offered | None = None
    """What stood offered before it and is out of date by it."""
