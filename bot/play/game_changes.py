"""A change to a game, the contributions of features, and the result."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import ClassVar

from bot.base.ids import Revision, UserId, is_team
from bot.base.languages import Reader
from bot.connection.posts import Button
from bot.database.connection import AsyncConnection
from bot.database.delivery_rows import BOARD, NOTE, Delivery, DeliveryKind
from bot.play.model.conduct import Ping, Venue
from bot.play.model.events import AppliedEvent, Deserted, Event, Moved, Started, TimedOut
from bot.play.model.familiarity import NEWCOMERS, Familiarity
from bot.play.model.game import Game, GameRow
from bot.play.model.limits import Limit, limit_of
from bot.play.model.offer_events import (
    OfferDeclined,
    RestPlaced,
    TakenBack,
)
from bot.play.model.pauses import NewVacation, Pause
from bot.play.model.terms import ChallengeTerms
from dvonn import Phase


class BoardAddition:
    """Lines and buttons that a feature adds to a board."""

    @property
    def explains_result(self) -> bool:
        """True if the addition's end lines explain the result of a game."""
        return False

    def turn_lines(self, reader: Reader, game: Game) -> Sequence[str]:
        """Return the lines below the sentences about the events."""
        return ()

    def turn_buttons(self, reader: Reader, game: Game) -> Sequence[Button]:
        """Return the buttons after the other buttons of a running game's board."""
        return ()

    def end_lines(self, reader: Reader, game: Game) -> Sequence[str]:
        """Return the lines below the result of an ended game."""
        return ()

    def buttons(self, reader: Reader, game: Game) -> Sequence[Button]:
        """Return the buttons in front of the board's own buttons."""
        return ()


class PlanNote(ABC):
    """A note to a player about their plan."""

    @abstractmethod
    def text(self, reader: Reader, game: Game, player: UserId) -> str:
        """Return the text about the plan for the player's next turns."""


TransactionStep = Callable[[AsyncConnection, GameRow], Awaitable[BoardAddition | None]]
"""Work inside the transaction that writes a change. It gets the game's row."""


def delivery_kind(game: Game, newest: Event) -> DeliveryKind | None:
    """Return the kind of delivery, or None if the machine's reply will announce the events."""
    if game.waits_for_machine:
        return None
    # After a player has left, the other player needs the new board's buttons.
    has_board = not newest.data.keeps_board or isinstance(newest.data, Deserted)
    return BOARD if has_board else NOTE


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChange:
    """A change to a game that is about to be written, with everything that is written with it."""

    before: Game
    after: Game
    events: tuple[AppliedEvent, ...]
    """The events of the change, at least one."""
    at: datetime
    check_at: datetime | None = None
    """When the game is checked next, if it has a clock or votes."""
    ping: Ping | None = None
    """The ping caused by an offer or its acceptance."""
    vacation: NewVacation | None = None
    """The vacation that the change starts."""


@dataclass(frozen=True, slots=True)
class GameEvent:
    """An event, such as a tournament, that consists of several games."""

    organizer: UserId
    """The user to notify if one of the event's games is stuck."""
    has_rounds: bool
    """True if other players are waiting for a game to end."""
    title: Callable[[Reader], str] | None = None
    """Function that returns the thread's name: the event, and the game's place in it."""


class GameScope(Enum):
    """The games that a hook or service handles."""

    ALL = auto()
    AGAINST_MACHINE = auto()
    OF_TEAMS = auto()

    def includes(self, row: GameRow) -> bool:
        if self is GameScope.ALL:
            return True
        return (row.machine if self is GameScope.AGAINST_MACHINE else row.vote) is not None


class GameHook:
    """A feature's hooks into changes to games.

    Each method does nothing unless overridden.
    """

    scope: ClassVar[GameScope] = GameScope.ALL
    """The games whose changes the hook receives."""
    locks_people: ClassVar[bool] = False
    """True if the hook locks users' rows. Such hooks run last, which prevents deadlocks."""

    async def on_new_game(self, row: GameRow) -> GameRow:
        """Return a new game's row, possibly with the feature's references added."""
        return row

    async def on_change(self, change: GameChange) -> TransactionStep | None:
        """Return work for the transaction of any change, or None."""
        return None

    async def on_end(self, change: GameChange) -> TransactionStep | None:
        """Return work for the transaction that ends a game, or None."""
        return None

    async def reload(
        self, game: Game, events: Sequence[AppliedEvent], after: Revision, until: Revision
    ) -> BoardAddition | None:
        """Reload the addition for the events between two revisions.

        `events` contains the events after the first revision, up to and including the second. The
        game is at the second.
        """
        return None

    async def is_rated(self, terms: ChallengeTerms, venue: Venue, *, default: bool) -> bool:
        """Return True if a proposed game is rated.

        By default, games between people follow the default of their place.

        Raises:
            PlayError: if a rated game was requested but is not possible.
        """
        return False

    async def purge(self, now: datetime) -> None:
        """Delete rows that are no longer read."""

    async def event_of(self, row: GameRow) -> GameEvent | None:
        """Return the event that a game belongs to, or None."""
        return None

    async def remind(self, game: Game, deadline: datetime, due_time: datetime) -> bool:
        """Send a due reminder to the player to move. Return True if that set the game's timer."""
        return False


WATCHING_TIME = timedelta(seconds=20)
"""Maximum time that a player is assumed to wait for the machine's reply to their move."""

LONG_THOUGHT = timedelta(seconds=5)
"""Time after which the machine's move counts as slow. The board is then posted without it."""


@dataclass(frozen=True, slots=True)
class GameUpdate:
    """An accepted change, with everything that `bot.play.delivery` needs to announce it."""

    game: Game
    """The game at the revision that the change created."""
    events: tuple[AppliedEvent, ...]
    """Events that have not been announced to the players, oldest first.

    The last one created the revision.
    """
    deliveries: tuple[Delivery, ...]
    """The change's deliveries, which the caller sends."""
    deadline: datetime | None = None
    """When the player to move runs out of time, given the pauses known so far."""
    pause: Pause | None = None
    """The pause to show on the board, if the player's clock is paused."""
    plan_note: PlanNote | None = None
    """The note about the actor's new plan. Nobody else sees it."""
    additions: tuple[BoardAddition, ...] = ()
    familiar: Familiarity = NEWCOMERS
    """The players' common knowledge of the rules."""
    is_long: bool = False
    """True if the machine has been to move for `LONG_THOUGHT`."""
    is_answered: bool = False
    """True if the machine has moved since then, so the board need not say that it is thinking."""

    @property
    def can_wait(self) -> bool:
        """True if the update announces a turn in a slow game."""
        row = self.game.row
        return self.game.is_running and (row.clock is None or not row.clock.is_live)

    @property
    def limit(self) -> Limit | None:
        """The time limit on the update's board, or None if the board has none."""
        return limit_of(self.game, self.deadline, self.pause)

    @property
    def pings(self) -> tuple[UserId, ...]:
        """Users to notify: the player to act, or both players after the end.

        The actor, the machine and teams are never notified, and neither is a player who is still
        watching when the machine replies.
        """
        game, newest = self.game, self.events[-1].event
        next_player = newest.calls(game)
        if not game.is_running:
            users = [game.row.white, game.row.black]
        elif newest.data == OfferDeclined(withdrawn=True) and len(self.events) == 1:
            users = []  # their turn was announced before
        else:
            users = [] if next_player is None else [next_player]
        excluded = (self._watching_actor, game.row.machine)
        return tuple(
            player
            for player in users
            if not (player in excluded or is_team(player) or self._is_watching(player))
        )

    @property
    def _watching_actor(self) -> UserId | None:
        """The player who acted last and is still watching, or None."""
        newest = next(
            (applied.event for applied in reversed(self.events) if not _automatic(applied.event)),
            None,
        )
        # In a new thread, the first ping adds people to it, including the player who has just
        # accepted.
        in_thread = self.game.row.own_thread
        if newest is None or (newest.kind is Started and in_thread):
            return None
        is_claim = newest.kind is TimedOut
        return self.game.opponent(newest.actor) if is_claim else newest.actor

    def _is_watching(self, player: UserId) -> bool:
        """Return True if the machine has replied to a player who is still watching.

        That player has just moved, or has just started the game in its channel.
        """
        row, newest = self.game.row, self.events[-1].event
        started_in_channel = row.is_solo and not row.own_thread
        return newest.actor == row.machine and any(
            newest.at - applied.event.at < WATCHING_TIME
            and (
                (applied.event.actor == player and isinstance(applied.event.data, Moved))
                or (started_in_channel and applied.event.kind is Started)
            )
            for applied in self.events
        )

    @property
    def corrects_board(self) -> bool:
        """True if the update only corrects a board: a move was taken back, and nobody is waiting.

        Against the machine, the player who took back the move already knows.
        """
        is_back = self.events[-1].event.kind is TakenBack
        return is_back and (not self.pings or self.game.row.machine is not None)

    @property
    def follows_placement(self) -> bool:
        """True if the previous board belonged to the placement phase."""
        phase = self.game.position.phase
        return phase is Phase.PLACEMENT or any(
            _fills_board(applied.event) for applied in self.events
        )


def _automatic(event: Event) -> bool:
    match event.data:
        case Moved(why=reason):
            return reason is not None
        case TimedOut():
            return event.source is None  # otherwise the other player has claimed the game
        case Deserted():
            return True
        case _:
            return False


def _fills_board(event: Event) -> bool:
    match event.data:
        case Moved(move):
            return move.source is None
        case RestPlaced():
            return True
        case _:
            return False
