"""A game's state, and its derived properties."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import ClassVar

from bot.base import ids
from bot.play.model.clock import Clock, TimeControl
from bot.play.model.familiarity import Familiarity
from bot.play.model.pauses import TOLD_ON_BOARDS, AgreedPause, Pause, Pauses
from bot.play.model.terms import Outcome, Start
from dvonn import POINTS, Color, Coordinates, Move, Phase, Position
from dvonn.machine import level_now

_HELD_BY_BOTH = 2
"""Minimum number of own pieces or moves after which a player can leave only by resigning."""


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
    """Reasons for an automatic move."""

    LISTED = "listed"
    """Its player had planned it."""
    ONLY = "only"
    """The move was the only legal one."""


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
    """The player that is the machine, if one is."""
    level: int | None = None
    continues: ids.GameId | None = None
    """The game that one of its players resigned, and that the machine continues here."""
    own_thread: bool
    """The bot opened the thread it is played in."""
    visiting: bool = False
    """True if the bot is a guest in that place: it can only answer interactions there (`Venue`)."""
    vote: timedelta | None = None
    """Length of a vote, if teams play."""
    tournament: ids.TournamentId | None = None
    """The tournament that it is played in, if it is."""
    rated: bool = False
    claimable: bool = False
    """True if the waiting player can claim the game, and nobody loses automatically.

    In a rated game without a clock, they claim it after inactivity; with a clock, when it runs out.
    """
    engine: int | None = None
    """The version of the machine that plays."""
    revision: ids.Revision
    outcome: Outcome | None = None
    """Outcome, or None while the game runs."""

    @property
    def level_now(self) -> int | None:
        """Level of today's machine, which continues a game that an older version began."""
        return None if self.level is None else level_now(self.level, self.engine)

    @property
    def is_running(self) -> bool:
        """True if the game was running when this row was read."""
        return self.outcome is None

    @property
    def is_strict(self) -> bool:
        """True if the challenger chose that a player who runs out of time loses at once.

        Otherwise an unrated game between people doesn't end by its clock.
        """
        return not (self.rated or self.claimable or self.tournament or self.machine)

    @property
    def is_unaided(self) -> bool:
        """True if nobody may get help in it.

        That includes rated and team games against the machine.
        """
        return self.machine is None or self.vote is not None or self.rated

    @property
    def is_solo(self) -> bool:
        """True if one person plays the machine, in a place that the bot is in."""
        return self.machine is not None and self.vote is None and not self.visiting


@dataclass(frozen=True, slots=True)
class Ply:
    """A placement or movement of a game, with its circumstances."""

    move: Move
    revision: ids.Revision
    actor: ids.UserId
    at: datetime
    reason: AutoMoveReason | None
    """Reason for an automatic move, or None if a player entered it."""
    together: bool
    """True if it was entered in one text with the ply before it."""
    own: bool
    """False if it was a placement of a red piece."""
    used: timedelta
    """Time that the clock ran during it."""
    clock: Clock | None
    """The clocks before it."""
    refused: "DeclinedOffers"
    """Offer that was declined before it."""


@dataclass(frozen=True, slots=True)
class PendingOffer:
    """An offer of one player to the other."""

    offer: Offer
    by: ids.UserId
    goes_back_to: int | None = None
    """Number of plies that remain after a takeback."""


DeclinedOffers = frozenset[tuple[Offer, ids.UserId]]
"""An offer that was declined, and its player."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game at one revision."""

    row: GameRow
    position: Position
    last: Move | None
    """The last placement or movement, None before the first."""
    origin: Position
    """The position before the first placement or move of its record."""
    base: Position
    """The position before the plies that can be taken back."""
    line: tuple[Ply, ...] = ()
    """Plies that were played and not taken back."""
    settled: int = 0
    """Number of plies of the line that are older than `base`, and stay."""
    clock: Clock | None = None
    pause: AgreedPause | None = None
    """The newest pause that the players have agreed on, if it still matters."""
    offered: PendingOffer | None = None
    refused: DeclinedOffers = frozenset()
    """Offers that were declined or withdrawn since their player has moved last."""
    board_since: ids.Revision = ids.BEFORE_START
    """The revision that made the current board. Offers and answers leave it alone."""
    went_back: ids.UserId | None = None
    """The player who undid a move without asking, until the other one moves."""
    board_seed: int | None = None
    """Seed of the picked board of a pie start, or of the rest of the placement."""
    turn_since: datetime | None = None
    """Time when the current turn began, or None before the start."""
    asked_for: Mapping[tuple[Offer, ids.UserId], int] = field(default_factory=dict)
    """Number of offers of each kind by each player, including takebacks without asking."""
    left_by: ids.UserId | None = None
    """The player who left by resigning, time, inactivity or the server, until they play again."""
    is_member_gone: bool = False
    """True if they have left the server, and not only the game."""
    was_saved: bool = False
    """True if a vacation has begun automatically in this turn, before a loss on time."""
    hints_agreed: bool = False
    """True if both players have agreed that each may ask the machine for hints."""
    familiar: Familiarity | None = field(default=None, compare=False)
    """What both players knew when it began, if that was not loaded from the database."""

    @property
    def random_seed(self) -> int | None:
        """The seed of the random placements, or None if there were none."""
        start = self.row.start
        if self.board_seed is None and start.is_ready_made and start is not Start.PIE:
            return self.row.seed
        return self.board_seed

    @property
    def first_ply(self) -> int:
        """The plies before its players' first turn: the board was ready-made."""
        return len(POINTS) if self.random_seed is not None and self.row.start.is_ready_made else 0

    @property
    def outcome(self) -> Outcome | None:
        return self.row.outcome

    @property
    def is_running(self) -> bool:
        return self.row.outcome is None

    @property
    def turn(self) -> Color | None:
        """The color to move, whose clock runs. None after the end."""
        return self.last_turn if self.is_running else None

    @property
    def last_turn(self) -> Color | None:
        """The color to move, even after the end."""
        return self.position.turn

    @property
    def to_move(self) -> ids.UserId | None:
        """The player to move, or None after the end."""
        turn = self.turn
        return None if turn is None else self.player(turn)

    @property
    def asked(self) -> ids.UserId | None:
        """The player who has to answer an offer, or None without an offer."""
        return None if self.offered is None else self.opponent(self.offered.by)

    @property
    def is_voted(self) -> bool:
        """True if a team is to move."""
        return self.to_move is not None and ids.is_team(self.to_move)

    @property
    def waits_for_machine(self) -> bool:
        """True if the machine is to move or to answer."""
        machine = self.row.machine
        return machine is not None and machine in (self.to_move, self.asked)

    def machine_thinks_for(self, now: datetime) -> timedelta:
        """Return the time that the machine has been to move, or zero if it is not."""
        if self.turn_since is None or self.to_move is None or self.to_move != self.row.machine:
            return timedelta()
        return now - self.turn_since

    @property
    def shares_hints(self) -> bool:
        """True if it is a game between people who have agreed on hints."""
        return self.hints_agreed and self.row.machine is None

    @property
    def gives_hints(self) -> bool:
        """True if the player to move may ask for a hint, as they may against the machine.

        Teams and players of rated games may not.
        """
        if self.row.vote is not None or self.row.rated:
            return False
        return self.row.machine is not None or self.hints_agreed

    @property
    def is_placing(self) -> bool:
        """True if pieces are being placed."""
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
        """True while both players want a pause, and neither has ended it."""
        return self.pause is not None and self.pause.ends is None

    def rests(self, known: Pauses, now: datetime) -> Pauses:
        """Return the pauses that stop the clock of the player to move."""
        still = known.for_player(self.to_move)
        if self.pause is None:
            return still
        return replace(still, known=[*still.known, self.pause.as_pause(now)])

    def deadline(self, known: Pauses, now: datetime) -> datetime | None:
        """Return the deadline of the player to move, with the pauses known so far.

        It is None without a clock, or while both players want a pause.
        """
        if self.clock is None or self.turn is None or self.is_paused:
            return None
        return self.rests(known, now).runs_out(self.clock.since, self.clock.time_left(self.turn))

    def displayed_pause(self, known: Pauses, now: datetime) -> Pause | None:
        """Return the pause that a board mentions: the current one for the player to move, or None.

        Weekends are left out, because players know them.
        """
        rest = None if self.clock is None else self.rests(known, now).pause_at(now)
        return rest if rest is not None and rest.reason in TOLD_ON_BOARDS else None

    def has_board_of(self, revision: ids.Revision) -> bool:
        """Return True if the board has not changed since a revision."""
        return self.board_since <= revision <= self.row.revision

    def may_leave(self, user: ids.UserId) -> bool:
        """Return True if a player can still leave the game without a result.

        They can until they have placed their second own piece, or moved twice after a random start.
        """
        return self.turns_of(user) < _HELD_BY_BOTH

    def may_abort(self, user: ids.UserId) -> bool:
        """Return True if a player can end the game without a result: early, or if left alone."""
        return self.may_leave(user) or self.left_by == self.opponent(user)

    @property
    def has_no_deadline(self) -> bool:
        """True if this turn has no deadline: the waiting player was told, and decides."""
        return self.left_by is not None and self.leaves_flags

    @property
    def leaves_flags(self) -> bool:
        """True if the waiting player decides about a game whose time is up."""
        return self.row.machine is None and (self.row.clock is None or self.row.claimable)

    def may_claim(self, user: ids.UserId) -> bool:
        """Return True if a player can claim the game: the other left it, too late to abort."""
        other = self.opponent(user)
        loses = self.row.claimable or self.is_member_gone
        return loses and self.left_by == other and not self.may_leave(other)

    def turns_of(self, user: ids.UserId) -> int:
        """Count the times that a player has placed an own piece or moved."""
        return sum(ply.own for ply in self.line if ply.actor == user)

    def position_after(self, plies: int) -> tuple[Position, Move | None]:
        """Return the position after a number of plies of the line, and the last of them."""
        position = self.base
        for ply in self.line[self.settled : plies]:
            position = position.play(ply.move)
        return position, self.line[plies - 1].move if plies > self.settled else None

    def back_to_own(self, user: ids.UserId) -> int:
        """Count the plies left if a player takes their last one back, or all plies if none can be.

        Moves entered in one text go together. A forced move is taken back with the move before it,
        because it would be played again.
        """
        for number in range(len(self.line) - 1, self.settled - 1, -1):
            ply = self.line[number]
            if ply.actor == user and ply.reason is not AutoMoveReason.ONLY and not ply.together:
                return number
        return len(self.line)

    def ended(self, outcome: Outcome) -> "Game":
        """Return the ended game, without its pending offer."""
        return replace(self, row=replace(self.row, outcome=outcome), offered=None)


def before_start(row: GameRow) -> Game:
    """Return the empty board, before the first event."""
    row = replace(row, revision=ids.BEFORE_START, outcome=None)
    empty = Position.initial()
    return Game(row, empty, None, empty, empty)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventHeader:
    """The place, person and time of an event, without its kind and data."""

    game: ids.GameId
    revision: ids.Revision
    actor: ids.UserId
    source: ids.SourceId | None
    """The source, or None if the event came from a plan or a clock."""
    used: timedelta | None = None
    """Time that the clock of the player to move ran, if they have one."""
    at: datetime


class EventData(ABC):
    """A kind of event, with its own data."""

    __slots__ = ()
    name: ClassVar[str]
    """Name in the database, at most 20 letters."""
    clock_runs: ClassVar[bool] = False
    """True if the time before it counts on the clock of the player to move."""
    begins_turn: ClassVar[bool] = False
    """True if it begins a turn. Such events are announced by boards."""
    changes_position: ClassVar[bool] = False
    """True if it makes a new position. A player may have to pass on it, or a planned move
    follows."""
    keeps_board: ClassVar[bool] = False
    """True if it leaves the board as it is."""
    agrees_to: ClassVar[Offer | None] = None
    """Offer of the other player that this event carries out, if any."""

    @abstractmethod
    def apply(self, game: Game, event: EventHeader) -> Game:
        """Return the game after it."""

    def undoes(self, _game: Game, _actor: ids.UserId) -> tuple[Ply, ...]:
        """Return the plies that this event takes back, or would take back, oldest first."""
        return ()

    def next_player(self, game: Game, _actor: ids.UserId) -> ids.UserId | None:
        """Return the player who has to answer or to move after it, as the newest event."""
        return game.to_move


def clock_after(
    game: Game, event: EventHeader, turn: Color | None, *, gains: bool = True
) -> Clock | None:
    """Return the clocks once the time until an event has counted for the player to move."""
    control = game.row.clock
    if game.clock is None or control is None or turn is None:
        return None
    if not gains:
        control = replace(control, increment=timedelta())
    return game.clock.spend(turn, event.used or timedelta(), control, event.at)
