"""What the end of a game brings to the pairing for which it was played, and to its tournament."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from bot.base.ids import GameId, UserId
from bot.features.tournaments.model.deadlines import time_to_answer
from bot.features.tournaments.model.rules import can_come_back, no_show_leaves
from bot.features.tournaments.model.terms import (
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from bot.play.model.events import Aborted, Event, TimedOut
from bot.play.model.game import Choosing, Game, Why
from dvonn import Color


@dataclass(frozen=True, slots=True)
class PairingEnd:
    """How a pairing is decided."""

    result: PairingResult | None
    """None: not yet, as somebody is asked whether they are there."""
    margin: int | None = None
    """By how many pieces, where they were counted."""
    forfeit: bool = False
    """Without a game that counts."""
    absent: frozenset[UserId] = frozenset()
    """Who never came to it."""
    asks: UserId | None = None
    """Who had no turn in it: they win if they are there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceQuestion:
    """What somebody is asked whose opponent never came: whether they are there themselves."""

    player: UserId
    until: datetime
    """How long they have for it, unless the bot is away, or they are on vacation."""
    goes_on_without: bool
    """Whether the tournament goes on without them if they don't answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What a game that has ended has brought in its tournament, as that stands now."""

    name: str
    """What the tournament is called."""
    state: TournamentState
    result: PairingResult | None
    """None: it does not count there, as the tournament was over before it; or somebody is asked."""
    question: PresenceQuestion | None = None
    can_be_set: bool = False
    """Whether nobody gets anything for it, but an organiser can still say otherwise."""
    missed: tuple[UserId, ...] = ()
    """Who never came to it and is paired no more for that, but can come back."""


def brought(tournament: Tournament, game: GameId, end: PairingEnd) -> Brought:
    """What a game that has ended has brought in its tournament.

    Args:
        tournament: As it stands.
        game: The game, once it has ended.
        end: What its end brings.
    """
    pairing = next((one for one in tournament.pairings if one.game == game), None)
    missed: Iterable[UserId] = ()
    if pairing is not None and pairing.corrected_by is None and can_come_back(tournament):
        gone = {one.player for one in tournament.entrants if one.withdrawn}
        missed = (who for who in pairing.players if who in gone and who in end.absent)
    return Brought(
        name=tournament.terms.name,
        state=tournament.state,
        result=None if pairing is None else pairing.result,
        question=None if pairing is None else _question(tournament, pairing, end),
        can_be_set=pairing is not None and can_be_set(tournament, pairing),
        missed=tuple(missed),
    )


def _question(tournament: Tournament, pairing: Pairing, end: PairingEnd) -> PresenceQuestion | None:
    goes_on = tournament.state is TournamentState.RUNNING
    if end.asks is None or pairing.ended_at is None or not (pairing.asks and goes_on):
        return None
    return PresenceQuestion(
        player=end.asks,
        until=pairing.ended_at + time_to_answer(tournament.terms),
        goes_on_without=no_show_leaves(tournament),
    )


def can_be_set(tournament: Tournament, pairing: Pairing) -> bool:
    """Whether nobody gets anything for a pairing, but an organiser can still say otherwise."""
    is_open = tournament.state in (TournamentState.RUNNING, TournamentState.DONE)
    is_knockout = tournament.terms.format is TournamentFormat.KNOCKOUT
    is_passed = is_knockout and pairing.round < tournament.round
    has_none = pairing.result is PairingResult.NEITHER and pairing.corrected_by is None
    return is_open and has_none and not is_passed


def came(game: Game) -> frozenset[Color]:
    """Whose players have done something in a game by themselves; the machine always is there."""
    return frozenset(color for color in Color if _is_there(game, game.player(color)))


def _is_there(game: Game, player: UserId) -> bool:
    moved = any(ply.actor == player and ply.why is not Why.ONLY for ply in game.line)
    return player == game.row.machine or moved or _has_picked(game, player)


def _has_picked(game: Game, player: UserId) -> bool:
    """Whether somebody has picked the board of a pie start, or their colour."""
    if game.picker is None or game.choosing is Choosing.BOARD:
        return False
    return player == game.picker or game.choosing is None


def _absent(game: Game, newest: Event) -> frozenset[UserId]:
    """Who never came to a game that no player has ended."""
    away = frozenset(game.player(color) for color in frozenset(Color) - came(game))
    match newest.what:
        case TimedOut():
            return away & {newest.actor}
        case Aborted(decided=True):
            return away
        case Aborted() if game.left_by not in (None, newest.actor):
            return away & {game.left_by}
        case _:
            return frozenset()


def decided_by(game: Game, newest: Event) -> PairingEnd:
    """What a game that has ended brings to its pairing.

    A game can end early on without a result; in a tournament whoever leaves it then has lost, and
    so has whoever had let it lie before. Where nobody did it, or somebody who does not play in it,
    neither gets anything, until an organiser says otherwise. Nobody wins by the other's time who
    has done nothing themselves: they may have had no turn, so they are asked first.

    Args:
        game: The game once it has ended.
        newest: The event by which it did.
    """
    outcome = game.outcome
    assert outcome is not None  # it has ended  # noqa: S101
    if outcome.is_draw:
        return PairingEnd(PairingResult.DRAW, outcome.margin)
    if outcome.winner is not None:
        return PairingEnd(PairingResult.won_by(outcome.winner), outcome.margin)
    loser = _left_by(game, newest)
    seat = None if loser is None else game.seat(loser)
    if seat is None:
        return PairingEnd(PairingResult.NEITHER, forfeit=True, absent=_absent(game, newest))
    absent = _absent(game, newest)
    if isinstance(newest.what, TimedOut) and seat.opponent not in came(game):
        return PairingEnd(None, absent=absent, asks=game.player(seat.opponent))
    return PairingEnd(PairingResult.won_by(seat.opponent), forfeit=True, absent=absent)


def asked_in(game: Game) -> UserId | None:
    """Who had no turn in a game that ended by the other's time."""
    turn = game.last_turn
    return None if turn is None else game.player(turn.opponent)


def _left_by(game: Game, newest: Event) -> UserId | None:
    """Who has left a game that has no result; None: nobody who plays in it."""
    match newest.what:
        case Aborted(no_place=False, no_votes=False, decided=False):
            return game.left_by or newest.actor
        case TimedOut():
            return newest.actor
        case _:
            return None
