"""Deadlines: the results of games that are not over when their round's time is."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from bot.base.ids import GameId
from bot.features.tournaments.model.allowed import is_live
from bot.features.tournaments.model.arena import EXTRA_TIME
from bot.features.tournaments.model.field import deadline_of, ends_at, undecided
from bot.features.tournaments.model.terms import (
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
)
from dvonn import Color

NO_SHOW: Final = timedelta(minutes=5)
"""The time in a live game for a first move, or for the answer that one is there."""
_ANSWER: Final = timedelta(days=1)
"""So long they have in other games to say so."""
_ZERO: Final = timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameProgress:
    """The progress of an unfinished game of a tournament."""

    came: frozenset[Color] = frozenset()
    """The colours whose players have been there (`bot.features.tournaments.model.results.came`)."""
    used: Mapping[Color, timedelta] = field(default_factory=dict)
    """The time that each has been to move, pauses taken off."""


def time_to_answer(terms: TournamentTerms) -> timedelta:
    """Return the time for an answer of a player whose opponent never came."""
    return NO_SHOW if is_live(terms) else _ANSWER


def overdue(
    tournament: Tournament, progress: Mapping[GameId, GameProgress], *, now: datetime
) -> tuple[Pairing, ...]:
    """Return the pairings whose time is over without a result, each with the result that it gets.

    Nobody came: still none, as their game ends by the time of the one to move, and the other is
    asked. One came: they win by forfeit. Both came: the one who has used more time loses, as each
    has half of the round's time; a draw where they have used the same. Without a game, neither
    gets anything.

    An arena's games have no time of their own: what runs ten minutes after its end is left out.
    """
    if tournament.state is not TournamentState.RUNNING:
        return ()
    if tournament.terms.format is TournamentFormat.ARENA:
        ends = ends_at(tournament)
        over = ends is not None and now >= ends + EXTRA_TIME
        late = undecided(tournament) if over else ()
        return tuple(replace(p, result=PairingResult.NEITHER, forfeit=True) for p in late)
    return tuple(
        _decided(pairing, progress.get(pairing.game) if pairing.game is not None else None)
        for pairing in undecided(tournament)
        if (deadline := deadline_of(tournament, pairing)) is not None and deadline <= now
    )


def _decided(pairing: Pairing, progress: GameProgress | None) -> Pairing:
    if progress is None:
        return replace(pairing, result=PairingResult.NEITHER, forfeit=True)
    if not progress.came:
        return pairing
    if len(progress.came) == 1:
        only = next(iter(progress.came))
        return replace(pairing, result=PairingResult.won_by(only), forfeit=True)
    white, black = (progress.used.get(color, _ZERO) for color in Color)
    if white == black:
        return replace(pairing, result=PairingResult.DRAW)
    winner = Color.WHITE if white < black else Color.BLACK
    return replace(pairing, result=PairingResult.won_by(winner))
