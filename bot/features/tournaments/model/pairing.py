"""The next step of a tournament, in all formats."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.features.tournaments.model.arena import next_arena_step
from bot.features.tournaments.model.field import active, next_deadline, starters, undecided
from bot.features.tournaments.model.knockout import knockout_rounds, next_knockout_step
from bot.features.tournaments.model.ladder import next_ladder_step
from bot.features.tournaments.model.round_robin import round_robin, round_robin_rounds
from bot.features.tournaments.model.steps import Finished, PairUp, Step, Wait
from bot.features.tournaments.model.swiss import swiss
from bot.features.tournaments.model.terms import (
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
)

__all__ = [
    "Finished",
    "PairUp",
    "Step",
    "Wait",
    "as_played",
    "next_step",
    "rounds_of",
]

FEWEST: Final = 2
"""Fewer players make no round."""


def most_swiss_rounds(players: int) -> int:
    """Return the longest Swiss of a field: one round more than a knockout of it.

    So many rounds single out a winner; after many more those in front have all met each other.
    """
    return knockout_rounds(players) + 1


def as_played(terms: TournamentTerms, players: int) -> TournamentFormat:
    """Return the format of a field: a Swiss of too many rounds is a round robin.

    It stays a Swiss, with fewer rounds, where the round robin would take more than twice the
    rounds that the organiser has asked for.
    """
    if terms.format is not TournamentFormat.SWISS:
        return terms.format
    whole = round_robin_rounds(players)
    asked = knockout_rounds(players) if terms.rounds is None else terms.rounds
    too_many = asked > most_swiss_rounds(players) and whole <= 2 * asked
    return TournamentFormat.ROUND_ROBIN if too_many or asked >= whole else TournamentFormat.SWISS


def rounds_of(terms: TournamentTerms, players: int) -> int:
    """Count the rounds of a field; 1 in an arena and a ladder, which go on for a time."""
    match as_played(terms, players):
        case TournamentFormat.ROUND_ROBIN:
            return round_robin_rounds(players)
        case TournamentFormat.KNOCKOUT:
            return knockout_rounds(players)
        case TournamentFormat.SWISS:
            asked = knockout_rounds(players) if terms.rounds is None else terms.rounds
            return max(1, min(asked, most_swiss_rounds(players)))
        case _:
            return 1


def next_step(tournament: Tournament, *, now: datetime) -> Step:
    """Return the next step of a tournament: always the same answer, until it is changed.

    A round of a Swiss takes up to seconds to pair: ask in a thread.
    """
    if tournament.state in {TournamentState.DONE, TournamentState.CANCELLED}:
        return Finished()
    if tournament.state is not TournamentState.RUNNING:
        return Wait(tournament.terms.begins_at)
    step = _next_step(tournament, as_played(tournament.terms, len(starters(tournament))), now)
    if not isinstance(step, PairUp):
        return step
    return PairUp(step.round, tuple(replace(pairing, paired_at=now) for pairing in step.pairings))


def _next_step(tournament: Tournament, played: TournamentFormat, now: datetime) -> Step:
    match played:
        case TournamentFormat.KNOCKOUT:
            return next_knockout_step(tournament)
        case TournamentFormat.ARENA:
            return next_arena_step(tournament, now=now)
        case TournamentFormat.LADDER:
            return next_ladder_step(tournament, now=now)
        case _:
            return _next_round(tournament, played)


def _next_round(tournament: Tournament, played: TournamentFormat) -> Step:
    """Round robin and Swiss: once a round is over the next is paired."""
    number = tournament.round + 1
    if undecided(tournament):
        return Wait(next_deadline(tournament))
    over = tournament.round >= rounds_of(tournament.terms, len(starters(tournament)))
    if over or len(active(tournament, number)) < FEWEST:
        return Finished()
    pair = round_robin if played is TournamentFormat.ROUND_ROBIN else swiss
    return PairUp(number, pair(tournament, number))
