"""What becomes of games that are not over when their round's time is."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.model.ids import GameId
from bot.model.tournaments.arena import EXTRA_TIME
from bot.model.tournaments.field import deadline_of, ends_at, undecided
from bot.model.tournaments.terms import (
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from dvonn import Color

_ZERO = timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameProgress:
    """How far an unfinished game of a tournament is."""

    came: frozenset[Color] = frozenset()
    """Whose players have been there: they have moved, or said so in the game's thread."""
    used: Mapping[Color, timedelta] = field(default_factory=dict)
    """How long each has been to move, pauses taken off."""


def overdue(
    tournament: Tournament, progress: Mapping[GameId, GameProgress], *, now: datetime
) -> tuple[Pairing, ...]:
    """The pairings whose time is over without a result, each with the result that it gets.

    Nobody came: neither gets anything. One came: they win by forfeit. Both came: whoever has used
    more time loses, as each has half of the round's time; a draw where they have used the same.
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
    came = progress.came if progress is not None else frozenset()
    if progress is None or not came:
        return replace(pairing, result=PairingResult.NEITHER, forfeit=True)
    if len(came) == 1:
        return replace(pairing, result=PairingResult.won_by(next(iter(came))), forfeit=True)
    white, black = (progress.used.get(color, _ZERO) for color in Color)
    if white == black:
        return replace(pairing, result=PairingResult.DRAW)
    winner = Color.WHITE if white < black else Color.BLACK
    return replace(pairing, result=PairingResult.won_by(winner))
