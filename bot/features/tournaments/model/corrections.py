"""Corrections: an organiser sets a result, and the tournament follows."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from bot.base.ids import GameId, UserId
from bot.features.tournaments.model.knockout import (
    called_off,
    hanging_on,
    is_called_off,
    match,
    match_of,
    winner_of,
)
from bot.features.tournaments.model.terms import (
    BYE,
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from bot.features.tournaments.refusals import (
    CannotCorrect,
    CorrectionProblem,
    NotOpen,
    NotOpenProblem,
)

LONGEST_NOTE: Final = 200


@dataclass(frozen=True, slots=True)
class Correction:
    """The consequences of a correction."""

    after: Tournament
    pairing: Pairing
    """With its new result."""
    called_off: tuple[Pairing, ...] = ()
    """The later games that are called off by it, and paired anew."""
    stops: Pairing | None = None
    """The pairing as it was, where its own game runs."""

    @property
    def ends(self) -> tuple[Pairing, ...]:
        """The pairings to confirm first: running games, and what is called off."""
        return (*(() if self.stops is None else (self.stops,)), *self.called_off)


def in_question(tournament: Tournament, place: tuple[int, int]) -> tuple[GameId, ...]:
    """Return the running games that a correction at a board depends on, if they are young."""
    found = _at(tournament, place)
    if found is None or tournament.terms.format is not TournamentFormat.KNOCKOUT:
        return ()
    hanging = hanging_on(tournament, found)
    return tuple(one.game for one in hanging if one.result is None and one.game is not None)


def corrected(
    tournament: Tournament,
    place: tuple[int, int],
    result: PairingResult,
    note: str,
    by: UserId,
    *,
    young: Collection[GameId] = (),
) -> Correction:
    """Return a tournament once an organiser has set the result of a round's board.

    In a knockout the next round may be paired from it already. As long as what hangs on it is young
    it is called off, and the player who has come to it now plays in it.

    Args:
        tournament: As it stands.
        place: Which round and board.
        result: What it is to be.
        note: Why, for everybody to read.
        by: Who says so.
        young: The games that have hardly begun.

    Raises:
        NotOpen: if it has not begun, or was cancelled.
        CannotCorrect: if it cannot be set.
    """
    if tournament.state not in (TournamentState.RUNNING, TournamentState.DONE):
        cancelled = tournament.state is TournamentState.CANCELLED
        raise NotOpen(NotOpenProblem.OVER if cancelled else NotOpenProblem.NOT_BEGUN)
    if not 1 <= len(note) <= LONGEST_NOTE:
        raise CannotCorrect(CorrectionProblem.NOTE, most=LONGEST_NOTE)
    found = _at(tournament, place)
    if found is None:
        raise CannotCorrect(CorrectionProblem.NO_PAIRING)
    if found.black is BYE or result.is_bye:
        raise CannotCorrect(CorrectionProblem.BYE)
    if (found.result, found.note) == (result, note):
        return Correction(tournament, found)
    new = replace(
        found,
        result=result,
        forfeit=found.result is None or found.forfeit,
        margin=found.margin if found.result is result else None,
        corrected_by=by,
        note=note,
    )
    off: tuple[Pairing, ...] = ()
    if tournament.terms.format is TournamentFormat.KNOCKOUT:
        off = _hanging(tournament, found, new, young)
    changed = {found: new} | {one: called_off(one, by, note) for one in off}
    pairings = tuple(changed.get(one, one) for one in tournament.pairings)
    runs = found.result is None and found.game is not None and found.ended_at is None
    return Correction(
        replace(tournament, pairings=pairings), new, off, stops=found if runs else None
    )


def _at(tournament: Tournament, place: tuple[int, int]) -> Pairing | None:
    return next((one for one in tournament.pairings if (one.round, one.board) == place), None)


def _hanging(
    tournament: Tournament, found: Pairing, new: Pairing, young: Collection[GameId]
) -> tuple[Pairing, ...]:
    """Return the pairings to be called off in a knockout.

    Raises:
        CannotCorrect: if nobody would go on, or it is too late.
    """
    if new.result is None or new.result.winner is None:
        raise CannotCorrect(CorrectionProblem.NEEDS_WINNER)
    if is_called_off(tournament, found):
        raise CannotCorrect(CorrectionProblem.TOO_LATE)
    games = match(tournament, found.round, match_of(tournament, found))
    goes_on = new.white if new.result is PairingResult.WHITE else new.black
    if winner_of(tournament, games) == goes_on and games[-1] == found:
        return ()
    hanging = hanging_on(tournament, found)
    passed = found.round < tournament.round
    is_late = passed and (
        found.round < tournament.round - 1 or tournament.state is TournamentState.DONE
    )
    if is_late or not all(_is_young(one, young) for one in hanging):
        raise CannotCorrect(CorrectionProblem.TOO_LATE)
    return hanging


def _is_young(pairing: Pairing, young: Collection[GameId]) -> bool:
    """Tell whether hardly anything is lost by calling a game off."""
    return pairing.game is None or (pairing.result is None and pairing.game in young)
