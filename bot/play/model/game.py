"""The state of a game, and properties derived from it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import ClassVar

from bot.base import ids
from bot.play.model.clock import Clock, TimeControl
from bot.play.model.familiarity import Familiarity
from bot.play.model.pauses import SHOWN_ON_BOARDS, AgreedPause, Pause, Pauses
from bot.play.model.terms import Outcome, Start
from dvonn import POINTS, Color, Coordinates, Move, Phase, Position

_TURNS_TO_LEAVE = 2
"""Number of pieces of their color, or of moves, after which players can leave only by resigning."""


class Offer(StrEnum):
    """Things that one player can offer the other."""

    TAKEBACK = "takeback"
    DRAW = "draw"
    FINISH = "finish"
    HINTS = "hints"
    """Hints from the machine, for both players."""
    PAUSE = "pause"
    """A pause of both clocks, until one of the players ends it."""


class AutoMoveReason(StrEnum):
    """Reasons for automatic moves."""

    LISTED = "listed"
    """The player had planned it."""
    ONLY = "only"
    """The player had only one legal move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """A game without its events."""

    id: ids.GameId
    guild: ids.GuildId
    channel: ids.ChannelId
    white: ids.UserId
    black: ids.UserId
    coordinates: Coordinates
    start: Start
    seed: int
    """Seed of a random start, or 0 for other starts."""
    clock: TimeControl | None = None
    machine: ids.UserId | None = None
    """The player id of the machine, if it plays."""
    level: int | None = None
    continues: ids.GameId | None = None
    """The game that the machine continues here after one of its players left."""
    own_thread: bool
    """True if the bot opened its thread."""
    visiting: bool = False
    """True if the bot is a guest in that place and can only answer interactions there (`Venue`)."""
    vote: timedelta | None = None
    """Duration of a vote, if a team plays."""
    tournament: ids.TournamentId | None = None
    """The game's tournament, if any."""
    rated: bool = False
    claimable: bool = False
    """True if the waiting player can claim the game, and nobody loses automatically.

    In a rated game without a clock, they can claim it after inactivity. With a clock, they can when
    time runs out.
    """
    engine: int | None = None
    """The version of the machine that plays."""
    revision: ids.Revision
    outcome: Outcome | None = None
    """The outcome, or None while the game is running."""

    @property
    def is_running(self) -> bool:
        """True if the game was running when this row was read."""
        return self.outcome is None

    @property
    def is_strict(self) -> bool:
        """True if the challenger chose that running out of time loses immediately.

        Otherwise, the clock never ends an unrated game between people.
        """
        return not (self.rated or self.claimable or self.tournament or self.machine)

    @property
    def is_unaided(self) -> bool:
        """True if the game restricts help with its boards while it runs.

        These are games between people, and rated games and team games against the machine.
        """
        return self.machine is None or self.vote is not None or self.rated

    @property
    def is_solo(self) -> bool:
        """True if one person plays the machine in a place where the bot is a member."""
        return self.machine is not None and self.vote is None and not self.visiting


@dataclass(frozen=True, slots=True)
class Ply:
    """A placement or movement in a game, with its context."""

    move: Move
    revision: ids.Revision
    actor: ids.UserId
    at: datetime
    reason: AutoMoveReason | None
    """Reason for an automatic move, or None if a player made it."""
    together: bool
    """True if the ply was typed together with the one before it."""
    is_own: bool
    """False if the ply placed a red piece."""
    used: timedelta
    """Time that the clock ran during the ply."""
    clock: Clock | None
    """The clocks before the ply."""
    refused: "DeclinedOffers"
    """The offers that were declined before the ply."""


@dataclass(frozen=True, slots=True)
class PendingOffer:
    """An offer from one player to the other."""

    offer: Offer
    by: ids.UserId
    goes_back_to: int | None = None
    """Number of plies left after a takeback."""


DeclinedOffers = frozenset[tuple[Offer, ids.UserId]]
"""Offers that were declined, each with the player who made it."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game at a given revision."""

    row: GameRow
    position: Position
    last: Move | None
    """The last placement or movement, None before the first."""
    origin: Position
    """The position before the first placement or movement on record."""
    base: Position
    """The position before the plies that can be taken back."""
    line: tuple[Ply, ...] = ()
    """Plies that were played and not taken back."""
    settled: int = 0
    """Number of plies at the start of `line` that precede `base` and can't be taken back."""
    clock: Clock | None = None
    pause: AgreedPause | None = None
    """The newest pause that the players agreed on, if it still matters."""
    offered: PendingOffer | None = None
    refused: DeclinedOffers = frozenset()
    """Offers that were declined or withdrawn since their player last moved."""
    board_since: ids.Revision = ids.BEFORE_START
    """The revision that created the current board. Offers and answers don't change it."""
    went_back: ids.UserId | None = None
    """The player who took back a move without asking, until the other one moves."""
    board_seed: int | None = None
    """Seed of the picked board in a pie start, or of the rest of the placement."""
    turn_since: datetime | None = None
    """When the current turn began, or None before the start."""
    asked_for: Mapping[tuple[Offer, ids.UserId], int] = field(default_factory=dict)
    """Number of offers of each kind by each player, including takebacks without asking."""
    left_by: ids.UserId | None = None
    """The player who left (by resigning, losing on time, inactivity or leaving the server), until
    they play again.
    """
    is_member_gone: bool = False
    """True if `left_by` left the server, and not just the game."""
    was_saved: bool = False
    """True if a vacation started automatically in this turn, to prevent a loss on time."""
    hints_agreed: bool = False
    """True if both players have agreed that each may ask the machine for hints."""
    familiar: Familiarity | None = field(default=None, compare=False)
    """The players' knowledge when the game began, unless it was loaded from the database."""

    @property
    def random_seed(self) -> int | None:
        """The seed of the random placements, or None if there were none."""
        start = self.row.start
        if self.board_seed is None and start.is_ready_made and start is not Start.PIE:
            return self.row.seed
        return self.board_seed

    @property
    def first_ply(self) -> int:
        """Number of plies that made the start board, before the players' first turn."""
        return len(POINTS) if self.random_seed is not None and self.row.start.is_ready_made else 0

    @property
    def outcome(self) -> Outcome | None:
        return self.row.outcome

    @property
    def is_running(self) -> bool:
        return self.row.outcome is None

    @property
    def turn(self) -> Color | None:
        """The color to move, whose clock is running. None after the end."""
        return self.last_turn if self.is_running else None

    @property
    def last_turn(self) -> Color | None:
        """The color to move, also after the end."""
        return self.position.turn

    @property
    def to_move(self) -> ids.UserId | None:
        """The player to move, or None after the end."""
        turn = self.turn
        return None if turn is None else self.player(turn)

    @property
    def asked(self) -> ids.UserId | None:
        """The player who has to answer an offer, or None if there is no offer."""
        return None if self.offered is None else self.opponent(self.offered.by)

    @property
    def is_voted(self) -> bool:
        """True if a team is to move."""
        return self.to_move is not None and ids.is_team(self.to_move)

    @property
    def waits_for_machine(self) -> bool:
        """True if the machine has to move or to answer an offer."""
        machine = self.row.machine
        return machine is not None and machine in (self.to_move, self.asked)

    def machine_thinks_for(self, now: datetime) -> timedelta:
        """Return how long it has been the machine's turn, or zero if it isn't."""
        if self.turn_since is None or self.to_move is None or self.to_move != self.row.machine:
            return timedelta()
        return now - self.turn_since

    @property
    def shares_hints(self) -> bool:
        """True if the players are people who have agreed on hints."""
        return self.hints_agreed and self.row.machine is None

    @property
    def gives_hints(self) -> bool:
        """True if the player to move may ask for a hint, as in games against the machine.

        Teams and players of rated games may not.
        """
        if self.row.vote is not None or self.row.rated:
            return False
        return self.row.machine is not None or self.hints_agreed

    @property
    def is_placing(self) -> bool:
        """True in the placement phase."""
        return self.is_running and self.position.phase is Phase.PLACEMENT

    def player(self, color: Color) -> ids.UserId:
        return self.row.white if color is Color.WHITE else self.row.black

    def opponent(self, user: ids.UserId) -> ids.UserId:
        return self.row.black if user == self.row.white else self.row.white

    def seat(self, user: ids.UserId) -> Color | None:
        if user == self.row.white:
            return Color.WHITE
        return Color.BLACK if user == self.row.black else None

    @property
    def is_paused(self) -> bool:
        """True during an agreed pause that neither player has ended."""
        return self.pause is not None and self.pause.ends is None

    def turn_pauses(self, pauses: Pauses, now: datetime) -> Pauses:
        """Return the pauses that apply to the clock of the player to move."""
        own_pauses = pauses.for_player(self.to_move)
        if self.pause is None:
            return own_pauses
        return replace(own_pauses, intervals=[*own_pauses.intervals, self.pause.as_pause(now)])

    def deadline(self, pauses: Pauses, now: datetime) -> datetime | None:
        """Return the deadline of the player to move, given the pauses known so far.

        It is None without a clock, and during an agreed pause.
        """
        if self.clock is None or self.turn is None or self.is_paused:
            return None
        return self.turn_pauses(pauses, now).runs_out(
            self.clock.since, self.clock.time_left(self.turn)
        )

    def displayed_pause(self, pauses: Pauses, now: datetime) -> Pause | None:
        """Return the current pause of the player to move, as shown on a board, or None.

        Weekends are left out, because players expect them.
        """
        pause = None if self.clock is None else self.turn_pauses(pauses, now).pause_at(now)
        return pause if pause is not None and pause.reason in SHOWN_ON_BOARDS else None

    def has_board_of(self, revision: ids.Revision) -> bool:
        """Return True if the board has not changed since a revision."""
        return self.board_since <= revision <= self.row.revision

    def may_leave(self, user: ids.UserId) -> bool:
        """Return True if a player can still leave the game without a result.

        They can until they have placed two pieces of their color, or moved twice on a random board.
        """
        return self.turns_of(user) < _TURNS_TO_LEAVE

    def may_abort(self, user: ids.UserId) -> bool:
        """Return True if a player can end the game without a result: early, or if left alone."""
        return self.may_leave(user) or self.left_by == self.opponent(user)

    @property
    def has_no_deadline(self) -> bool:
        """True if this turn has no deadline because the waiting player has been asked to decide."""
        return self.left_by is not None and self.leaves_flags

    @property
    def leaves_flags(self) -> bool:
        """True if the waiting player decides what happens when time is up."""
        return self.row.machine is None and (self.row.clock is None or self.row.claimable)

    def may_claim(self, user: ids.UserId) -> bool:
        """Return True if a player can claim the game, because the other left too late to abort."""
        other = self.opponent(user)
        loses = self.row.claimable or self.is_member_gone
        return loses and self.left_by == other and not self.may_leave(other)

    def turns_of(self, user: ids.UserId) -> int:
        """Count how often a player has placed a piece of their own color or moved."""
        return sum(ply.is_own for ply in self.line if ply.actor == user)

    def position_after(self, plies: int) -> tuple[Position, Move | None]:
        """Return the position after a number of plies of the line, and the last of these plies."""
        position = self.base
        for ply in self.line[self.settled : plies]:
            position = position.play(ply.move)
        return position, self.line[plies - 1].move if plies > self.settled else None

    def plies_after_takeback(self, user: ids.UserId) -> int:
        """Return the number of plies left if a player takes back their last one.

        If none can be taken back, that is all plies.

        Moves that were typed together are taken back together. A forced move is taken back with the
        move before it, because it would be played again.
        """
        for number in range(len(self.line) - 1, self.settled - 1, -1):
            ply = self.line[number]
            if ply.actor == user and ply.reason is not AutoMoveReason.ONLY and not ply.together:
                return number
        return len(self.line)

    def ended(self, outcome: Outcome) -> "Game":
        """Return the ended game, without a pending offer."""
        return replace(self, row=replace(self.row, outcome=outcome), offered=None)


def before_start(row: GameRow) -> Game:
    """Return the game with an empty board, before its first event."""
    row = replace(row, revision=ids.BEFORE_START, outcome=None)
    empty = Position.initial()
    return Game(row, empty, None, empty, empty)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventHeader:
    """An event's place, actor and time, without its kind and data."""

    game: ids.GameId
    revision: ids.Revision
    actor: ids.UserId
    source: ids.SourceId | None
    """The source, or None if the event came from a plan or a clock."""
    used: timedelta | None = None
    """Time that the clock of the player to move ran, if there is one."""
    at: datetime


class EventData(ABC):
    """A kind of event, with its own data."""

    __slots__ = ()
    name: ClassVar[str]
    """Name in the database, at most 20 letters."""
    clock_runs: ClassVar[bool] = False
    """True if the time before the event counts on the clock of the player to move."""
    begins_turn: ClassVar[bool] = False
    """True if the event starts a turn. Boards announce such events."""
    changes_position: ClassVar[bool] = False
    """True if it creates a new position, where a player may have to pass or a planned move may
    follow.
    """
    keeps_board: ClassVar[bool] = False
    """True if the event leaves the board unchanged."""
    agrees_to: ClassVar[Offer | None] = None
    """The other player's offer that this event carries out, if any."""
    spares_actor: ClassVar[bool] = False
    """True if the player to move needs no notification of their own action."""

    @abstractmethod
    def apply(self, game: Game, event: EventHeader) -> Game:
        """Return the game after this event."""

    def undoes(self, _game: Game, _actor: ids.UserId) -> tuple[Ply, ...]:
        """Return the plies that this event takes back, or would take back, oldest first."""
        return ()

    def next_player(self, game: Game, actor: ids.UserId) -> ids.UserId | None:
        """Return the player who has to answer or move if it is the newest event."""
        return None if self.spares_actor and actor == game.to_move else game.to_move


def clock_after(
    game: Game, event: EventHeader, turn: Color | None, *, gains: bool = True
) -> Clock | None:
    """Return the clocks after an event. The player to move is charged for the time before it."""
    control = game.row.clock
    if game.clock is None or control is None or turn is None:
        return None
    if not gains:
        control = replace(control, increment=timedelta())
    return game.clock.spend(turn, event.used or timedelta(), control, event.at)
