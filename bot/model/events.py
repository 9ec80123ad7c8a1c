"""What can happen in a game: a class for each kind, with its data and what it does to the game.

A game is its events, carried out one after the other (`advance`). What follows from a kind of event
is said on its class; where kinds must be told apart, they are matched so that mypy names every
place that forgets one. A new kind is a class here, a member of `Happening`, and a sentence in
`bot.messages.happened`.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import ClassVar, Final, TypeAlias, get_args

from bot.model.clock import Clock
from bot.model.game import Choosing, Game, Offer, Offered, Ply, Why
from bot.model.ids import GameId, Revision, SourceId, UserId
from bot.model.openings import opening, pie_seeds
from bot.model.outcome import How, Outcome
from bot.model.terms import Start
from dvonn import Color, Move, Position, finish_placement


class Happened(ABC):
    """One kind of event, with its own data."""

    __slots__ = ()
    name: ClassVar[str]
    """What the database calls it; at most 20 letters."""
    clock_runs: ClassVar[bool] = False
    """The time until it counts on the clock of the player to move."""
    begins_turn: ClassVar[bool] = False
    """Somebody's turn begins with it. Of such events the board is made."""
    brings_position: ClassVar[bool] = False
    """It brings about a position that was not there before: on it somebody may have to pass, and
    what players have listed and only moves follow."""
    is_talk: ClassVar[bool] = False
    """It leaves the board as it is."""
    agrees_to: ClassVar[Offer | None] = None
    """What it carries out, where the other player has offered that."""

    @abstractmethod
    def apply(self, game: Game, event: "Event") -> Game:
        """The game after it."""

    def undoes(self, _game: Game, _actor: UserId) -> tuple[Ply, ...]:
        """What it takes back, or would, oldest first; asked for before it is carried out."""
        return ()

    def calls(self, game: Game, _actor: UserId) -> UserId | None:
        """Whom it calls, as its newest event: who is to answer or to move; after it."""
        return game.to_move


@dataclass(frozen=True, slots=True)
class Started(Happened):
    """A challenge is accepted."""

    name = "start"
    begins_turn = brings_position = True

    picks: bool = False
    """Whoever accepted it picks the board of a pie start."""

    def apply(self, game: Game, event: "Event") -> Game:
        """Set the board up, and the clocks."""
        row, choosing, picker = game.row, None, None
        if row.start is Start.PIE:
            # Seats for now: the row's own are those of the end, which the picks will lead to again.
            other = game.opponent(event.actor)
            picker, waits = (event.actor, other) if self.picks else (other, event.actor)
            row, choosing = replace(row, white=picker, black=waits), Choosing.BOARD
        position = opening(row.start, row.seed)
        return replace(
            game,
            row=row,
            position=position,
            base=position,
            choosing=choosing,
            picker=picker,
            clock=None if row.clock is None else Clock.start(row.clock, event.at),
        )


@dataclass(frozen=True, slots=True)
class Moved(Happened):
    """A placement or a movement."""

    name = "move"
    clock_runs = begins_turn = brings_position = True

    move: Move
    why: Why | None = None
    """Why it came by itself; None where a player entered it."""

    def apply(self, game: Game, event: "Event") -> Game:
        """Play the move; what was declined to the player can be offered again."""
        before = game.line[-1] if game.line else None
        ply = Ply(
            self.move,
            event.revision,
            event.actor,
            event.at,
            why=self.why,
            together=(
                event.source is None
                and self.why is None
                and before is not None
                and (before.actor, before.revision, before.at)
                == (event.actor, event.revision - 1, event.at)
            ),
            own=game.position.to_place != "R",
            used=event.used or timedelta(),
            clock=game.clock,
            refused=game.refused,
        )
        after = replace(
            game,
            position=game.position.play(self.move),
            last=self.move,
            line=(*game.line, ply),
            clock=_spent(game, event, game.position.turn),
            refused=frozenset(one for one in game.refused if one[1] != event.actor),
            went_back=game.went_back if game.went_back == event.actor else None,
        )
        return after if self._leaves_offered(after, event.actor) else replace(after, offered=None)

    def _leaves_offered(self, game: Game, actor: UserId) -> bool:
        """Whether an offer outlives it: until the one who is asked answers, or moves themselves."""
        match game.offered:
            case Offered(what=Offer.DRAW | Offer.FINISH | Offer.HINTS as what):
                answered = game.asked == actor and self.why is None
                return not answered and (what is not Offer.FINISH or game.is_placing)
            case _:
                return False


@dataclass(frozen=True, slots=True)
class Resigned(Happened):
    """A player gives the game up."""

    name = "resign"

    def apply(self, game: Game, event: "Event") -> Game:
        """The other player wins."""
        return _left(_lost(game, event, How.RESIGNATION), event)


@dataclass(frozen=True, slots=True)
class Aborted(Happened):
    """The game is ended without a result."""

    name = "abort"

    no_place: bool = False
    """There is no place any more where it could be played."""

    def apply(self, game: Game, _event: "Event") -> Game:
        """Nobody wins; and without a place nobody goes on with it."""
        ended = game.ended(Outcome(How.ABORT))
        return replace(ended, left_by=None) if self.no_place else ended


@dataclass(frozen=True, slots=True)
class BoardPicked(Happened):
    """One of the boards of a pie start is picked."""

    name = "pick"
    clock_runs = begins_turn = True

    number: int
    """Which, from 1."""

    def apply(self, game: Game, event: "Event") -> Game:
        """Now the other player picks their colour."""
        seed = pie_seeds(game.row)[self.number - 1]
        position = opening(Start.BALANCED, seed)
        return replace(
            game,
            position=position,
            base=position,
            board_seed=seed,
            choosing=Choosing.SIDE,
            clock=_spent(game, event, game.turn),
        )


@dataclass(frozen=True, slots=True)
class SidePicked(Happened):
    """The other player of a pie start picks their colour."""

    name = "side"
    clock_runs = begins_turn = brings_position = True

    color: Color

    def apply(self, game: Game, event: "Event") -> Game:
        """Settle the seats."""
        clock, row, other = _spent(game, event, game.turn), game.row, game.opponent(event.actor)
        if self.color is Color.WHITE:
            row = replace(row, white=event.actor, black=other)
            if clock is not None:
                clock = replace(clock, white=clock.black, black=clock.white)
        return replace(game, row=row, choosing=None, clock=clock)


@dataclass(frozen=True, slots=True)
class OfferMade(Happened):
    """Something is offered to the other player."""

    name = "offer"
    is_talk = True

    what: Offer

    def apply(self, game: Game, event: "Event") -> Game:
        """Let it stand offered."""
        plies = game.back_to_own(event.actor) if self.what is Offer.TAKEBACK else None
        offered = Offered(self.what, event.actor, plies)
        return replace(game, offered=offered, asked_for=_once_more(game, self.what, event.actor))

    def undoes(self, game: Game, actor: UserId) -> tuple[Ply, ...]:
        """What would be taken back."""
        return game.line[game.back_to_own(actor) :] if self.what is Offer.TAKEBACK else ()

    def calls(self, game: Game, _actor: UserId) -> UserId | None:
        """Whoever is to answer."""
        return game.asked


@dataclass(frozen=True, slots=True)
class OfferDeclined(Happened):
    """What stood offered is declined, or taken back by whoever offered it."""

    name = "decline"
    is_talk = True

    withdrawn: bool = False
    """Whoever offered it takes it back."""

    def apply(self, game: Game, _event: "Event") -> Game:
        """It is not offered again until whoever offered it has moved."""
        offered = game.offered
        refused = game.refused if offered is None else game.refused | {(offered.what, offered.by)}
        return replace(game, offered=None, refused=refused)

    def calls(self, game: Game, actor: UserId) -> UserId | None:
        """Whoever is to move, unless they have just done this."""
        return None if actor == game.to_move else game.to_move


@dataclass(frozen=True, slots=True)
class TakenBack(Happened):
    """The game goes back, by agreement or because nobody need be asked."""

    name = "takeback"
    begins_turn = True
    agrees_to = Offer.TAKEBACK

    plies: int
    """How many of the plies that were played stay."""

    def apply(self, game: Game, event: "Event") -> Game:
        """Bring the position back."""
        position, last = game.back_to(self.plies)
        first = game.line[self.plies]
        agreed = first.actor != event.actor  # who takes back their own has asked nobody
        return replace(
            game,
            position=position,
            last=last,
            line=game.line[: self.plies],
            clock=self._turned_back(game, event, agreed=agreed),
            offered=None if agreed else game.offered,
            refused=game.refused | first.refused,
            went_back=game.went_back if agreed else event.actor,
            asked_for=(game.asked_for if agreed else _once_more(game, Offer.TAKEBACK, event.actor)),
        )

    def _turned_back(self, game: Game, event: "Event", *, agreed: bool) -> Clock | None:
        """The clocks after going back. Nobody gains time by taking back what they played.

        What they have thought stays thought, and the increment goes; by agreement they keep what
        their clock shows. The other player's clock goes back.
        """
        first = game.line[self.plies]
        mover = game.seat(first.actor)
        if game.clock is None or first.clock is None or mover is None:
            return None
        if agreed:
            left = game.clock.left(mover)
        else:
            thought = sum((ply.used for ply in game.line[self.plies :]), timedelta())
            left = max(first.clock.left(mover) - thought, timedelta())
        if mover is Color.WHITE:
            return replace(first.clock, white=left, since=event.at)
        return replace(first.clock, black=left, since=event.at)

    def undoes(self, game: Game, _actor: UserId) -> tuple[Ply, ...]:
        """What is taken back."""
        return game.line[self.plies :]

    def calls(self, game: Game, actor: UserId) -> UserId | None:
        """Whoever is to move, unless they have just done this."""
        return None if actor == game.to_move else game.to_move


@dataclass(frozen=True, slots=True)
class DrawAgreed(Happened):
    """The players agree on a draw."""

    name = "draw"
    agrees_to = Offer.DRAW

    def apply(self, game: Game, _event: "Event") -> Game:
        """Nobody wins."""
        return game.ended(Outcome(How.AGREEMENT))


@dataclass(frozen=True, slots=True)
class HintsAgreed(Happened):
    """The players agree that each may ask the machine for hints, until the game's end."""

    name = "hints"
    is_talk = True
    agrees_to = Offer.HINTS

    def apply(self, game: Game, _event: "Event") -> Game:
        """From now on whoever is to move may ask."""
        return replace(game, hints_agreed=True, offered=None)

    def calls(self, game: Game, actor: UserId) -> UserId | None:
        """Whoever is to move, unless they have just done this."""
        return None if actor == game.to_move else game.to_move


@dataclass(frozen=True, slots=True)
class RestPlaced(Happened):
    """The rest of the pieces is placed at random."""

    name = "finish"
    clock_runs = begins_turn = brings_position = True
    agrees_to = Offer.FINISH

    seed: int

    def apply(self, game: Game, event: "Event") -> Game:
        """What was placed before stays."""
        position = game.position
        for move in finish_placement(position, self.seed):
            position = position.play(move)
        return replace(
            game,
            position=position,
            last=None,
            base=position,
            board_seed=self.seed,
            settled=len(game.line),
            clock=_spent(game, event, game.turn, gains=False),
            offered=None,
        )


@dataclass(frozen=True, slots=True)
class TimedOut(Happened):
    """The actor's time is up."""

    name = "timeout"
    clock_runs = True

    def apply(self, game: Game, event: "Event") -> Game:
        """The other player wins; nobody does where the actor could still have left."""
        if game.may_leave(event.actor):
            return game.ended(Outcome(How.ABORT))
        return _left(_lost(game, event, How.TIME), event)


@dataclass(frozen=True, slots=True)
class Deserted(Happened):
    """The actor has let a game without a clock lie: they count as gone until they play."""

    name = "desert"
    is_talk = True

    def apply(self, game: Game, event: "Event") -> Game:
        """The other player may end it now."""
        return _left(game, event)


@dataclass(frozen=True, slots=True)
class Continued(Happened):
    """What stands before it was played in another game, with the machine's opponent of now."""

    name = "continue"
    begins_turn = True

    def apply(self, game: Game, _event: "Event") -> Game:
        """Change nothing: its row says who plays."""
        return game


Happening: TypeAlias = (
    Started
    | Moved
    | Resigned
    | Aborted
    | BoardPicked
    | SidePicked
    | OfferMade
    | OfferDeclined
    | TakenBack
    | DrawAgreed
    | HintsAgreed
    | RestPlaced
    | TimedOut
    | Deserted
    | Continued
)
"""Every kind of event there is."""

KINDS: Final[dict[str, type[Happening]]] = {kind.name: kind for kind in get_args(Happening)}
"""Each kind by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One accepted change of a game."""

    game: GameId
    revision: Revision
    what: Happening
    actor: UserId
    source: SourceId | None
    """None where it came by itself, from a list or a clock."""
    used: timedelta | None = None
    """How long the clock of the player to move ran for it, where they have one."""
    at: datetime

    @property
    def kind(self) -> type[Happening]:
        """Which kind it is of."""
        return type(self.what)

    def calls(self, after: Game) -> UserId | None:
        """Whom it calls as a game's newest event: who is to answer or to move."""
        return self.what.calls(after, self.actor)


@dataclass(frozen=True, slots=True)
class Told:
    """One event, and what it led to, as players are told of it."""

    event: Event
    position: Position
    undone: tuple[Ply, ...] = ()
    """What a takeback takes back, or would, oldest first."""
    lapsed: Offered | None = None
    """What stood offered before it and is out of date by it."""


def advance(game: Game, event: Event) -> tuple[Told, Game]:
    """Carry out one event: what is to be told, and the game after it."""
    what = event.what
    after = what.apply(game, event)
    outcome = after.row.outcome
    if outcome is None and after.position.turn is None:
        outcome = Outcome.counted(after.position)
    after = replace(
        after,
        row=replace(after.row, revision=event.revision, outcome=outcome),
        board_since=game.board_since if what.is_talk else event.revision,
        turn_since=event.at if what.begins_turn else after.turn_since,
        left_by=None if what.begins_turn else after.left_by,
    )
    lapsed = game.offered if isinstance(what, Moved) and after.offered is None else None
    return Told(event, after.position, what.undoes(game, event.actor), lapsed), after


def _lost(game: Game, event: Event, how: How) -> Game:
    """The game once the actor has lost it."""
    return game.ended(Outcome(how, winner=game.seat(game.opponent(event.actor))))


def _left(game: Game, event: Event) -> Game:
    return replace(game, left_by=event.actor)


def _once_more(game: Game, what: Offer, user: UserId) -> dict[tuple[Offer, UserId], int]:
    return {**game.asked_for, (what, user): game.asked_for.get((what, user), 0) + 1}


def _spent(game: Game, event: Event, turn: Color | None, *, gains: bool = True) -> Clock | None:
    control = game.row.clock
    if game.clock is None or control is None or turn is None:
        return None
    if not gains:
        control = replace(control, increment=timedelta())
    return game.clock.spend(turn, event.used or timedelta(), control, event.at)
