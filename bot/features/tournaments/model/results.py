"""The results that ends of games bring to their pairings and tournaments."""

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
    """The end of a pairing."""

    result: PairingResult | None
    """None: not yet, as a player is asked whether they are there."""
    margin: int | None = None
    """The margin in pieces, where they were counted."""
    forfeit: bool = False
    """Without a game that counts."""
    absent: frozenset[UserId] = frozenset()
    """The players who never came to it."""
    asks: UserId | None = None
    """The player who had no turn in it: they win if they are there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceQuestion:
    """The question to a player whose opponent never came: whether they are there themselves."""

    player: UserId
    until: datetime
    """The last moment for the answer, unless the bot is away, or they are on vacation."""
    goes_on_without: bool
    """True if the tournament goes on without them if they don't answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """The effect of a game that has ended on its tournament, as that stands now."""

    name: str
    """The name of the tournament."""
    state: TournamentState
    result: PairingResult | None
    """None: it does not count there, as the tournament was over before it; or a player is asked."""
    question: PresenceQuestion | None = None
    can_be_set: bool = False
    """True if nobody gets anything for it, but an organiser can still say otherwise."""
    missed: tuple[UserId, ...] = ()
    """The players who never came to it and are paired no more for that, but can come back."""


def brought(tournament: Tournament, game: GameId, end: PairingEnd) -> Brought:
    """Return the effect of a game that has ended on its tournament.

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
    """Tell whether nobody gets anything for a pairing, but an organiser can still say otherwise."""
    is_open = tournament.state in (TournamentState.RUNNING, TournamentState.DONE)
    is_knockout = tournament.terms.format is TournamentFormat.KNOCKOUT
    is_passed = is_knockout and pairing.round < tournament.round
    has_none = pairing.result is PairingResult.NEITHER and pairing.corrected_by is None
    return is_open and has_none and not is_passed


def came(game: Game) -> frozenset[Color]:
    """Return the colours whose players have done something; the machine always is there."""
    return frozenset(color for color in Color if _is_there(game, game.player(color)))


def _is_there(game: Game, player: UserId) -> bool:
    moved = any(ply.actor == player and ply.why is not Why.ONLY for ply in game.line)
    return player == game.row.machine or moved or _has_picked(game, player)


def _has_picked(game: Game, player: UserId) -> bool:
    """Tell whether a player has picked the board of a pie start, or their colour."""
    if game.picker is None or game.choosing is Choosing.BOARD:
        return False
    return player == game.picker or game.choosing is None


def _absent(game: Game, newest: Event) -> frozenset[UserId]:
    """Return the players who never came to a game that no player has ended."""
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
    """Return the end of a pairing by a game that has ended.

    A game can end early on without a result; in a tournament the player who leaves it then has
    lost, and so has one who had let it lie before. Where nobody did it, or a third did, neither
    gets anything, until an organiser says otherwise. Nobody wins by the other's time who has done
    nothing themselves: they may have had no turn, so they are asked first.

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
    """Return the player who had no turn in a game that ended by the other's time."""
    turn = game.last_turn
    return None if turn is None else game.player(turn.opponent)


def _left_by(game: Game, newest: Event) -> UserId | None:
    """Return the player who has left a game that has no result; None: neither has."""
    match newest.what:
        case Aborted(no_place=False, no_votes=False, decided=False):
            return game.left_by or newest.actor
        case TimedOut():
            return newest.actor
        case _:
            return None
