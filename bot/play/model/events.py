"""The events of a game: a class per kind, with its data and its effect on the game.

A game is the result of its events, applied one at a time (`apply_event`). Each class defines the
effects of its kind. Code that distinguishes kinds uses `match`, so that mypy reports each place
that doesn't handle one. To add a kind, add a class here, a member of `AnyEventData`, and a sentence
in `bot.play.words.events`. The players' agreements are in `bot.play.model.offer_events`, and their
changes to clocks in `bot.play.model.time_events`.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, TypeAlias, get_args

from bot.base.ids import UserId
from bot.play.model import compat_0_1_0, offer_events, time_events
from bot.play.model.clock import Clock
from bot.play.model.game import (
    AutoMoveReason,
    EventData,
    EventHeader,
    Game,
    Offer,
    PendingOffer,
    Ply,
    clock_after,
)
from bot.play.model.openings import opening
from bot.play.model.pauses import AgreedPause
from bot.play.model.terms import EndReason, Outcome, Start
from dvonn import Move, Position


@dataclass(frozen=True, slots=True)
class Started(EventData):
    """A challenge was accepted."""

    name = "start"
    begins_turn = changes_position = True

    picks: bool = False
    """In games from 0.1.0, True if the player who accepted picks the board of a pie start."""
    position: Position | None = None
    """The start position, if one was chosen."""

    def apply(self, game: Game, event: EventHeader) -> Game:
        row = game.row
        if row.start is Start.PIE:
            row = compat_0_1_0.provisional_seats(game, event.actor, picks=self.picks)
        position = self.position or opening(row.start, row.seed)
        return replace(
            game,
            row=row,
            position=position,
            origin=self.position or game.origin,
            base=position,
            clock=None if row.clock is None else Clock.start(row.clock, event.at),
        )


@dataclass(frozen=True, slots=True)
class Moved(EventData):
    """A placement or a movement."""

    name = "move"
    clock_runs = begins_turn = changes_position = True

    move: Move
    why: AutoMoveReason | None = None
    """Reason for an automatic move, or None if a player made it."""

    def apply(self, game: Game, event: EventHeader) -> Game:
        before = game.line[-1] if game.line else None
        ply = Ply(
            self.move,
            event.revision,
            event.actor,
            event.at,
            reason=self.why,
            together=(
                event.source is None
                and self.why is None
                and before is not None
                and (before.actor, before.revision, before.at)
                == (event.actor, event.revision - 1, event.at)
            ),
            is_own=game.position.to_place != "R",
            used=event.used or timedelta(),
            clock=game.clock,
            refused=game.refused,
        )
        after = replace(
            game,
            position=game.position.play(self.move),
            last=self.move,
            line=(*game.line, ply),
            clock=clock_after(game, event, game.position.turn),
            # Share one empty set. Each ply stores it, and a new set would take as much memory as
            # the rest of a ply.
            refused=game.refused
            and frozenset(offer for offer in game.refused if offer[1] != event.actor),
            went_back=game.went_back if game.went_back == event.actor else None,
            pause=self._pause_after(game, event),
        )
        return after if self._keeps_offer(after, event.actor) else replace(after, offered=None)

    def _pause_after(self, game: Game, event: EventHeader) -> AgreedPause | None:
        """Return the agreed pause after a move, which ends the pause if the player made it now."""
        pause = game.pause
        if pause is None or (pause.ends is not None and pause.ends <= event.at):
            return None
        return pause.ended(event.actor, event.at) if self.why is None else pause

    def _keeps_offer(self, game: Game, actor: UserId) -> bool:
        """Return True if an offer stays pending after an event."""
        match game.offered:
            case PendingOffer(offer=Offer.DRAW | Offer.FINISH | Offer.HINTS | Offer.PAUSE as offer):
                is_answered = game.asked == actor and self.why is None
                return not is_answered and (offer is not Offer.FINISH or game.is_placing)
            case _:
                return False


@dataclass(frozen=True, slots=True)
class Resigned(EventData):
    """A player resigned."""

    name = "resign"

    def apply(self, game: Game, event: EventHeader) -> Game:
        return _with_left_by(_lost(game, event, EndReason.RESIGNATION), event)


MOST_EMPTY: Final = 3
"""Maximum number of votes in a row without voters before a team game ends without a result."""


@dataclass(frozen=True, slots=True)
class Aborted(EventData):
    """The game ended without a result."""

    name = "abort"

    no_place: bool = False
    """True if the game's channel was deleted."""
    no_votes: bool = False
    """True if nobody on the team to move voted, several times in a row."""
    decided: bool = False
    """True if the tournament set the result, because the round's time was up or an organizer
    decided.
    """

    def apply(self, game: Game, _event: EventHeader) -> Game:
        aborted = game.ended(Outcome(EndReason.ABORT))
        return replace(aborted, left_by=None) if self.no_place else aborted


@dataclass(frozen=True, slots=True)
class TimedOut(EventData):
    """The actor ran out of time. If there is a source, the other player claimed the game."""

    name = "timeout"
    clock_runs = True

    round_over: bool = False
    """True if the tournament decided it at the end of the round, because the actor had used more
    time.
    """

    def apply(self, game: Game, event: EventHeader) -> Game:
        if game.may_leave(event.actor):
            return game.ended(Outcome(EndReason.ABORT))
        return _with_left_by(_lost(game, event, EndReason.TIME), event)


@dataclass(frozen=True, slots=True)
class Deserted(EventData):
    """The actor has left the game, until they play again. The other player may end it now."""

    name = "desert"
    keeps_board = True

    from_server: bool = False
    """True if the actor left the server. Otherwise they were inactive or out of time."""

    def apply(self, game: Game, event: EventHeader) -> Game:
        return replace(_with_left_by(game, event), is_member_gone=self.from_server)

    def next_player(self, game: Game, actor: UserId) -> UserId | None:
        """Return the other player if they now decide what happens, otherwise the player to move."""
        decides = self.from_server or game.clock is not None
        return game.opponent(actor) if decides else game.to_move


@dataclass(frozen=True, slots=True)
class Continued(EventData):
    """The machine continues another game. The moves before this event are from that game."""

    name = "continue"
    begins_turn = True

    def apply(self, game: Game, _event: EventHeader) -> Game:
        return game


AnyEventData: TypeAlias = (
    Started
    | Moved
    | Resigned
    | Aborted
    | compat_0_1_0.BoardPicked
    | compat_0_1_0.SidePicked
    | offer_events.OfferMade
    | offer_events.OfferDeclined
    | offer_events.TakenBack
    | offer_events.DrawAgreed
    | offer_events.HintsAgreed
    | offer_events.RestPlaced
    | time_events.TimeGiven
    | time_events.VacationTaken
    | time_events.PauseAgreed
    | time_events.PauseEnded
    | TimedOut
    | Deserted
    | Continued
)

KINDS: Final[dict[str, type[AnyEventData]]] = {kind.name: kind for kind in get_args(AnyEventData)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(EventHeader):
    """An accepted change of a game."""

    data: AnyEventData

    @property
    def kind(self) -> type[AnyEventData]:
        return type(self.data)

    def calls(self, after: Game) -> UserId | None:
        """Return the player who has to answer or move if this is the game's newest event."""
        return self.data.next_player(after, self.actor)


@dataclass(frozen=True, slots=True)
class AppliedEvent:
    """An event and its results."""

    event: Event
    before: Position
    """The position before the event."""
    position: Position
    """The position after the event."""
    undone_plies: tuple[Ply, ...] = ()
    """Plies that a takeback removes, or would remove, oldest first."""
    lapsed_offer: PendingOffer | None = None
    """The offer that lapsed because of it."""


def apply_event(game: Game, event: Event) -> tuple[AppliedEvent, Game]:
    """Apply one event. Return it with its results, and the game after it."""
    data = event.data
    after = data.apply(game, event)
    outcome = after.row.outcome
    if outcome is None and after.position.turn is None:
        outcome = Outcome.counted(after.position)
    after = replace(
        after,
        row=replace(after.row, revision=event.revision, outcome=outcome),
        board_since=game.board_since if data.keeps_board else event.revision,
        turn_since=event.at if data.begins_turn else after.turn_since,
        left_by=None if data.begins_turn else after.left_by,
        is_member_gone=after.is_member_gone and not data.begins_turn,
        was_saved=after.was_saved and not data.begins_turn,
    )
    lapsed = game.offered if isinstance(data, Moved) and after.offered is None else None
    return AppliedEvent(
        event, game.position, after.position, data.undoes(game, event.actor), lapsed
    ), after


def _lost(game: Game, event: EventHeader, reason: EndReason) -> Game:
    """Return the game after the actor has lost it."""
    return game.ended(Outcome(reason, winner=game.seat(game.opponent(event.actor))))


def _with_left_by(game: Game, event: EventHeader) -> Game:
    return replace(game, left_by=event.actor)
