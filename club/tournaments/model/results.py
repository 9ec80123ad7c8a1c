"""The results of pairings, set by ended games, deadlines or corrections."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from bot.base.ids import MessageId, UserId
from bot.play.model.events import Aborted, Event, TimedOut
from bot.play.model.game import AutoMoveReason, Game, GameRow
from bot.play.model.refusals import OwnRatedGame
from club.tournaments import refusals
from club.tournaments.model import knockout
from club.tournaments.model.ladder import ladder_order
from club.tournaments.model.rules import decided, takes_entrants
from club.tournaments.model.tournament import (
    BYE,
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
)
from dvonn import Color

NO_SHOW: Final = timedelta(minutes=5)
"""Time for a first move, or for confirming presence, in live games."""
_ANSWER: Final = timedelta(days=1)
"""Time for confirming presence, in other games."""
_ZERO: Final = timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameProgress:
    """The progress of an unfinished tournament game."""

    came: frozenset[Color] = frozenset()
    """Colors of the players who have shown up."""
    used: Mapping[Color, timedelta] = field(default_factory=dict)
    """Time that each player has been to move, not counting pauses."""
    verdict: PairingResult | None = None
    """The result if a league's season is over, or None in other tournaments."""


def time_to_answer(terms: TournamentTerms) -> timedelta:
    """Return how long a player has to confirm their presence if the opponent never showed up."""
    return NO_SHOW if terms.is_live else _ANSWER


@dataclass(frozen=True, slots=True)
class PairingEnd:
    """The end of a pairing, by its game or at a deadline."""

    result: PairingResult | None
    """The result, or None while a player is asked to confirm their presence."""
    margin: int | None = None
    """The margin in pieces, if they were counted."""
    forfeit: bool = False
    """True if it was decided without a game that counts."""
    adjudicated: bool = False
    """True if its game was unfinished when a league's season ended."""
    absent: frozenset[UserId] = frozenset()
    """Players who never showed up."""
    asks: UserId | None = None
    """The player who had no turn, and who wins by confirming their presence."""

    def apply_to(self, pairing: Pairing) -> Pairing:
        """Return a pairing with this end."""
        return replace(
            pairing,
            result=self.result,
            margin=self.margin,
            forfeit=self.forfeit,
            adjudicated=self.adjudicated,
        )


NOBODY_WINS: Final = PairingEnd(PairingResult.NEITHER, forfeit=True)


def at_deadline(pairing: Pairing, progress: GameProgress | None) -> PairingEnd:
    """Return the end of an undecided pairing whose deadline has passed.

    Without a game, neither gets points. If nobody showed up, there is no result yet: the player to
    move loses on time, and the other is asked to confirm their presence. If only one player showed
    up, they win by forfeit. If both did, the player who has used more time loses, and equal times
    are a draw. In a league, the game is adjudicated instead.
    """
    if progress is None:
        return NOBODY_WINS
    if not progress.came:
        return PairingEnd(None)
    if len(progress.came) == 1:
        (only,) = progress.came
        absent = {player for player in pairing.players if pairing.color_of(player) is not only}
        won = PairingResult.won_by(only)
        return PairingEnd(won, forfeit=True, absent=frozenset(absent))
    if progress.verdict is not None:
        return PairingEnd(progress.verdict, adjudicated=True)
    white, black = (progress.used.get(color, _ZERO) for color in Color)
    if white == black:
        return PairingEnd(PairingResult.DRAW)
    return PairingEnd(PairingResult.won_by(Color.WHITE if white < black else Color.BLACK))


def asked_until(tournament: Tournament, pairing: Pairing, end: PairingEnd) -> datetime | None:
    """Return the deadline for a player to confirm their presence, or None if nobody is asked.

    Outages and vacations extend it.
    """
    goes_on = tournament.state is TournamentState.RUNNING
    if end.asks is None or pairing.ended_at is None or not (pairing.asks and goes_on):
        return None
    return pairing.ended_at + time_to_answer(tournament.terms)


def missed_by(tournament: Tournament, pairing: Pairing, end: PairingEnd) -> tuple[UserId, ...]:
    """Return the players who are withdrawn because they never showed up, and can come back."""
    if pairing.corrected_by is not None or not takes_entrants(tournament, are_new=False):
        return ()
    return tuple(
        player for player in pairing.players if player in tournament.withdrawn & end.absent
    )


def climb(tournament: Tournament, pairing: Pairing) -> tuple[UserId, int, int] | None:
    """Return the winner of a ladder's game, with their place before and after it, if it changes."""
    if tournament.terms.format is not TournamentFormat.LADDER or pairing.result is None:
        return None
    if (won := pairing.result.winner) is None or pairing.black is None:
        return None
    games = [game for game in tournament.pairings if game.place <= pairing.place]
    winner = pairing.white if won is Color.WHITE else pairing.black
    before, after = (
        ladder_order(replace(tournament, pairings=tuple(counted_games))).index(winner) + 1
        for counted_games in (games[:-1], games)
    )
    return None if before == after else (winner, before, after)


def can_be_set(tournament: Tournament, pairing: Pairing) -> bool:
    """Return True if a pairing has no winner yet, but an organizer can still set a result."""
    is_open = tournament.state in (TournamentState.RUNNING, TournamentState.DONE)
    is_knockout = tournament.terms.format is TournamentFormat.KNOCKOUT
    is_passed = is_knockout and pairing.round < tournament.round
    has_none = pairing.result is PairingResult.NEITHER and pairing.corrected_by is None
    return is_open and has_none and not is_passed


def colors_present(game: Game) -> frozenset[Color]:
    """Return the colors whose players have acted."""
    actors = {ply.actor for ply in game.line if ply.reason is not AutoMoveReason.ONLY}
    return frozenset(color for color in Color if game.player(color) in actors)


def _absent(game: Game, newest: Event) -> frozenset[UserId]:
    """Return the players who never showed up, unless a player ended the game."""
    away = frozenset(game.player(color) for color in frozenset(Color) - colors_present(game))
    match newest.data:
        case TimedOut():
            return away & {newest.actor}
        case Aborted(decided=True):
            return away
        case Aborted() if game.left_by not in (None, newest.actor):
            return away & {game.left_by}
        case _:
            return frozenset()


def decided_by(game: Game, newest: Event) -> PairingEnd:
    """Return how a pairing ended, given its ended game and that game's newest event.

    If a game ends early without a result, the player who left or abandoned it loses in the
    tournament. If nobody or a third person ended it, neither gets points, unless an organizer
    decides otherwise. A player who had no turn before the other ran out of time is first asked to
    confirm their presence.
    """
    outcome = game.outcome
    assert outcome is not None  # the game has ended # noqa: S101
    if outcome.is_draw:
        return PairingEnd(PairingResult.DRAW, outcome.margin)
    if outcome.winner is not None:
        return PairingEnd(PairingResult.won_by(outcome.winner), outcome.margin)
    loser = _left_by(game, newest)
    seat = None if loser is None else game.seat(loser)
    if seat is None:
        return replace(NOBODY_WINS, absent=_absent(game, newest))
    absent = _absent(game, newest)
    if isinstance(newest.data, TimedOut) and seat.opponent not in colors_present(game):
        return PairingEnd(None, absent=absent, asks=game.player(seat.opponent))
    return PairingEnd(PairingResult.won_by(seat.opponent), forfeit=True, absent=absent)


def record_game_end(
    tournament: Tournament, row: GameRow, end: PairingEnd, *, counts: bool
) -> Tournament:
    """Return a running tournament after the end of one of its games.

    Absent players are not paired again if no-shows are withdrawn. A ladder's game has no pairing
    yet. It gets one if it `counts`, and asks nobody to confirm their presence.
    """
    if tournament.terms.format is not TournamentFormat.LADDER:
        pairing = tournament.pairing_of(row.id)
        if pairing is None or pairing.result is not None:
            return tournament
        return decided(tournament, [end.apply_to(pairing)], end.absent)
    if not counts or not {row.white, row.black} <= tournament.by_player.keys():
        return tournament  # or a player's data was deleted
    pairing = Pairing(
        round=1,
        board=max((pairing.board for pairing in tournament.pairings), default=0) + 1,
        white=row.white,
        black=row.black,
        result=end.result or PairingResult.NEITHER,
        margin=end.margin,
        forfeit=end.forfeit or end.result is None,
        game=row.id,
        # A thread has the id of its first message.
        message=MessageId(row.channel) if row.own_thread else None,
    )
    return replace(tournament, pairings=(*tournament.pairings, pairing))


def asked_in(game: Game) -> UserId | None:
    """Return the player who had no turn in a game that the other lost on time, or None."""
    turn = game.last_turn
    return None if turn is None else game.player(turn.opponent)


def _left_by(game: Game, newest: Event) -> UserId | None:
    """Return the player who left a game without a result, or None."""
    match newest.data:
        case Aborted(no_place=False, no_votes=False, decided=False):
            return game.left_by or newest.actor
        case TimedOut():
            return newest.actor
        case _:
            return None


LONGEST_NOTE: Final = 200


@dataclass(frozen=True, slots=True)
class Correction:
    """The consequences of a correction."""

    after: Tournament
    pairing: Pairing
    called_off: tuple[Pairing, ...] = ()
    """Later games that are called off and paired again."""
    ends: tuple[Pairing, ...] = ()
    """The pairings that require a confirmation: a running game, and games to call off."""


def corrected(
    tournament: Tournament,
    place: tuple[int, int] | None,
    result: PairingResult,
    note: str,
    by: UserId,
) -> Correction:
    """Return a tournament after an organizer has set the result of a board.

    In a knockout, the pairings of the next round may depend on it. Dependent games that are still
    running are called off and paired again.

    Raises:
        TournamentRefusal: if the result can't be set.
        OwnRatedGame: if that would end one of the organizer's own rated games.
    """
    if tournament.state not in (TournamentState.RUNNING, TournamentState.DONE):
        raise refusals.TournamentRefusal(tournament.problem)
    if not 1 <= len(note) <= LONGEST_NOTE:
        raise refusals.TournamentRefusal(refusals.Problem.NOTE, LONGEST_NOTE)
    before = tournament.pairing_at(place)
    if before is None:
        raise refusals.TournamentRefusal(refusals.Problem.NO_PAIRING)
    if before.black is BYE or result.is_bye:
        raise refusals.TournamentRefusal(refusals.Problem.BYE)
    if (before.result, before.note) == (result, note):
        return Correction(tournament, before)
    after = replace(
        before,
        result=result,
        forfeit=before.result is None or before.forfeit,
        margin=before.margin if before.result is result else None,
        corrected_by=by,
        note=note,
    )
    obsolete: tuple[Pairing, ...] = ()
    if tournament.terms.format is TournamentFormat.KNOCKOUT:
        obsolete = _obsolete_games(tournament, before, after)
    is_running = before.result is None and before.game is not None and before.ended_at is None
    ends = (before, *obsolete) if is_running else obsolete
    if tournament.terms.rated and any(
        by in pairing.players and pairing.game is not None for pairing in ends
    ):
        raise OwnRatedGame
    changed = {before: after} | {
        pairing: knockout.called_off(pairing, by, note) for pairing in obsolete
    }
    pairings = tuple(changed.get(pairing, pairing) for pairing in tournament.pairings)
    return Correction(replace(tournament, pairings=pairings), after, obsolete, ends)


def _obsolete_games(tournament: Tournament, before: Pairing, after: Pairing) -> tuple[Pairing, ...]:
    """Return the pairings to call off in a knockout because another player advances.

    Raises:
        TournamentRefusal: if nobody would advance, or a dependent game is over.
    """
    if after.result is None or after.result.winner is None:
        raise refusals.TournamentRefusal(refusals.Problem.NEEDS_WINNER)
    if knockout.is_called_off(tournament, before):
        raise refusals.TournamentRefusal(refusals.Problem.NEXT_IS_OVER)
    games = knockout.match(tournament, before.round, knockout.match_of(tournament, before))
    advances = after.white if after.result is PairingResult.WHITE else after.black
    if knockout.winner_of(tournament, games) == advances and games[-1] == before:
        return ()
    dependent = knockout.dependent_games(tournament, before)
    is_last = before.round == tournament.round
    is_open = tournament.state is TournamentState.RUNNING and before.round >= tournament.round - 1
    if not (is_last or is_open) or not all(_can_end(pairing) for pairing in dependent):
        raise refusals.TournamentRefusal(refusals.Problem.NEXT_IS_OVER)
    return dependent


def _can_end(pairing: Pairing) -> bool:
    """Return True if a pairing has not been decided by a game."""
    return pairing.result is None or pairing.game is None
