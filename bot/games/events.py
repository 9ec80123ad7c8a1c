"""What each kind of event does to a game: here events become positions and clocks."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache

from bot.model.clock import Clock
from bot.model.events import EventKind, EventRow, Offer
from bot.model.game import ONLY, Choosing, Game, GameRow, GameState, Offered, Ply, Told
from bot.model.ids import UserId
from bot.model.terms import Start
from dvonn import (
    Color,
    Move,
    Position,
    balanced_start,
    finish_placement,
    parse_move,
    symmetric_start,
)

_STARTS: dict[Start, Callable[[int], tuple[Move, ...]]] = {
    Start.PLACEMENT: lambda _: (),
    Start.PIE: lambda _: (),
    Start.BALANCED: balanced_start,
    Start.SYMMETRIC: symmetric_start,
}


PICKS = "picks"
"""The detail of a pie's start where its actor, who accepted the challenge, picks the board."""
NO_PLACE = "no place"
"""The detail of an abort: there is no place any more where the game could be played."""

_TALK = (EventKind.OFFER, EventKind.DECLINE, EventKind.DESERT)
"""What leaves the board as it is."""
_NEW_TURN = (
    EventKind.START,
    EventKind.MOVE,
    EventKind.PICK,
    EventKind.SIDE,
    EventKind.TAKEBACK,
    EventKind.FINISH,
    EventKind.CONTINUE,
)


def advance(game: Game, event: EventRow) -> tuple[Told, Game]:
    """Carry out one event: what is to be told, and the game after it."""
    mover = game.position.turn if event.kind is EventKind.MOVE else None
    after = _DO[event.kind](game, event)
    state = after.row.state
    if state is GameState.RUNNING and after.position.turn is None:
        state = GameState.FINISHED
    after = replace(
        after,
        row=replace(after.row, revision=event.revision, state=state),
        board_since=game.board_since if event.kind in _TALK else event.revision,
    )
    if event.kind in _NEW_TURN:
        after = replace(after, turn_since=event.at, left_by=None)
    gone = event.kind is EventKind.MOVE and after.offered is None
    lapsed = game.offered if gone else None
    return Told(event, after.position, mover, _undone(game, event), lapsed), after


def _undone(game: Game, event: EventRow) -> tuple[Ply, ...]:
    if event.kind is EventKind.TAKEBACK:
        plies = int(event.detail or 0)
    elif event.kind is EventKind.OFFER and event.detail == Offer.TAKEBACK:
        plies = back_to_own(game, event.actor)
    else:
        return ()
    return game.line[plies:]


def back_to_own(game: Game, user: UserId) -> int:
    """How many plies stay if a player takes back what he played last; all, if nothing can be.

    What he entered in one text goes together. Only moves go with what he played before them: they
    would come again.
    """
    for number in range(len(game.line) - 1, game.settled - 1, -1):
        ply = game.line[number]
        if ply.actor == user and ply.why != ONLY and not ply.together:
            return number
    return len(game.line)


def _start(game: Game, event: EventRow) -> Game:
    row, choosing, picker = game.row, None, None
    if row.start is Start.PIE:
        # Seats for now: the row's own are those of the end, which the picks will lead to again.
        other = game.opponent(event.actor)
        picker, waits = (event.actor, other) if event.detail == PICKS else (other, event.actor)
        row, choosing = replace(row, white=picker, black=waits), Choosing.BOARD
    position = opening(row.start, row.seed)
    clock = None if row.clock is None else Clock.start(row.clock, event.at)
    return replace(
        game,
        row=row,
        position=position,
        base=position,
        choosing=choosing,
        picker=picker,
        clock=clock,
    )


def _move(game: Game, event: EventRow) -> Game:
    move, turn = parse_move(event.move or ""), game.position.turn
    before = game.line[-1] if game.line else None
    ply = Ply(
        move,
        event.revision,
        event.actor,
        event.at,
        why=event.detail,
        together=(
            event.source is None
            and event.detail is None
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
        position=game.position.play(move),
        last=move,
        line=(*game.line, ply),
        clock=_spent(game, event, turn),
        refused=frozenset(one for one in game.refused if one[1] != event.actor),
        went_back=game.went_back if game.went_back == event.actor else None,
    )
    return after if _still_offered(after, event) else replace(after, offered=None)


def _still_offered(game: Game, event: EventRow) -> bool:
    """Whether an offer outlives a move: until the one who is asked answers, or moves himself."""
    match game.offered:
        case Offered(what=Offer.DRAW | Offer.FINISH as what):
            answered = game.asked == event.actor and event.detail is None
            return not answered and (what is Offer.DRAW or game.is_placing)
        case _:
            return False


def _pick(game: Game, event: EventRow) -> Game:
    seed = pie_seeds(game.row)[int(event.detail or 1) - 1]
    position = opening(Start.BALANCED, seed)
    return replace(
        game,
        position=position,
        base=position,
        board_seed=seed,
        choosing=Choosing.SIDE,
        clock=_spent(game, event, game.turn),
    )


def _side(game: Game, event: EventRow) -> Game:
    clock, row, other = _spent(game, event, game.turn), game.row, game.opponent(event.actor)
    if event.detail == "white":
        row = replace(row, white=event.actor, black=other)
        if clock is not None:
            clock = replace(clock, white=clock.black, black=clock.white)
    return replace(game, row=row, choosing=None, clock=clock)


def _offer(game: Game, event: EventRow) -> Game:
    what = Offer(event.detail or "")
    plies = back_to_own(game, event.actor) if what is Offer.TAKEBACK else None
    offered = Offered(what, event.actor, plies)
    return replace(game, offered=offered, asked_for=_once_more(game, what, event.actor))


def _once_more(game: Game, what: Offer, user: UserId) -> dict[tuple[Offer, UserId], int]:
    return {**game.asked_for, (what, user): game.asked_for.get((what, user), 0) + 1}


def _decline(game: Game, _event: EventRow) -> Game:
    offered = game.offered
    refused = game.refused if offered is None else game.refused | {(offered.what, offered.by)}
    return replace(game, offered=None, refused=refused)


def _takeback(game: Game, event: EventRow) -> Game:
    plies = int(event.detail or 0)
    position, last = game.back_to(plies)
    agreed = game.line[plies].actor != event.actor  # who takes back his own has asked nobody
    return replace(
        game,
        position=position,
        last=last,
        line=game.line[:plies],
        clock=_turned_back(game, plies, event, agreed=agreed),
        offered=None if agreed else game.offered,
        refused=game.refused | game.line[plies].refused,
        went_back=game.went_back if agreed else event.actor,
        asked_for=game.asked_for if agreed else _once_more(game, Offer.TAKEBACK, event.actor),
    )


def _turned_back(game: Game, plies: int, event: EventRow, *, agreed: bool) -> Clock | None:
    """The clocks after going back. Nobody gains time by taking back what he played.

    What he has thought stays thought, and the increment goes; by agreement he keeps what his clock
    shows. The other player's clock goes back.
    """
    first = game.line[plies]
    mover = game.seat(first.actor)
    if game.clock is None or first.clock is None or mover is None:
        return None
    if agreed:
        left = game.clock.left(mover)
    else:
        thought = sum((ply.used for ply in game.line[plies:]), timedelta())
        left = max(first.clock.left(mover) - thought, timedelta())
    if mover is Color.WHITE:
        return replace(first.clock, white=left, since=event.at)
    return replace(first.clock, black=left, since=event.at)


def _finish(game: Game, event: EventRow) -> Game:
    position = game.position
    for move in finish_placement(position, int(event.detail or 0)):
        position = position.play(move)
    return replace(
        game,
        position=position,
        last=None,
        base=position,
        settled=len(game.line),
        clock=_spent(game, event, game.turn, gains=False),
        offered=None,
    )


def _end(state: GameState) -> "_Deed":
    def end(game: Game, _event: EventRow) -> Game:
        return replace(game, row=replace(game.row, state=state), offered=None)

    return end


def _resign(game: Game, event: EventRow) -> Game:
    return _desert(_end(GameState.RESIGNED)(game, event), event)


def _abort(game: Game, event: EventRow) -> Game:
    ended = _end(GameState.ABORTED)(game, event)
    # Without a place nobody goes on with it.
    return replace(ended, left_by=None) if event.detail == NO_PLACE else ended


def _timeout(game: Game, event: EventRow) -> Game:
    if game.may_leave(event.actor):
        return _end(GameState.ABORTED)(game, event)
    return _desert(_end(GameState.TIMED_OUT)(game, event), event)


def _desert(game: Game, event: EventRow) -> Game:
    return replace(game, left_by=event.actor)


def _spent(game: Game, event: EventRow, turn: Color | None, *, gains: bool = True) -> Clock | None:
    control = game.row.clock
    if game.clock is None or control is None or turn is None:
        return None
    if not gains:
        control = replace(control, increment=timedelta())
    return game.clock.spend(turn, event.used or timedelta(), control, event.at)


_Deed = Callable[[Game, EventRow], Game]
_DO: dict[EventKind, _Deed] = {
    EventKind.START: _start,
    EventKind.MOVE: _move,
    EventKind.RESIGN: _resign,
    EventKind.ABORT: _abort,
    EventKind.PICK: _pick,
    EventKind.SIDE: _side,
    EventKind.OFFER: _offer,
    EventKind.DECLINE: _decline,
    EventKind.TAKEBACK: _takeback,
    EventKind.DRAW: _end(GameState.DRAWN),
    EventKind.FINISH: _finish,
    EventKind.TIMEOUT: _timeout,
    EventKind.DESERT: _desert,
    EventKind.CONTINUE: lambda game, _event: game,
}


def pie_seeds(row: GameRow) -> tuple[int, int, int]:
    """What the three boards of a pie start are drawn from."""
    return row.seed, row.seed + 1, row.seed + 2


@lru_cache(maxsize=256)
def opening(start: Start, seed: int) -> Position:
    """The position with which a game begins: the empty board, or one that was drawn."""
    position = Position.initial()
    for placement in _STARTS[start](seed):
        position = position.play(placement)
    return position
