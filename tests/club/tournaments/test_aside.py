"""Tests for the separate process for slow pairings."""

from dataclasses import replace

import pytest

from club.tournaments.model.tournament import PairingResult, Tournament, TournamentFormat
from club.tournaments.use_cases.director import is_costly
from tests.club.tournaments.toured import round_of, running, tournament

SWISS = TournamentFormat.SWISS


def paired(players: int, format_: TournamentFormat, *, undecided: int) -> Tournament:
    """A tournament of a single round with a number of running games."""
    found = running(players, rounds=1, format=format_)
    over = round_of(1, players, PairingResult.WHITE)
    return replace(found, pairings=(*found.pairings[:undecided], *over[undecided:]))


def without(found: Tournament, leaving: int) -> Tournament:
    """The same tournament after a number of its last players have left."""
    stay = len(found.entrants) - leaving
    gone = (replace(entrant, withdrawn=True) for entrant in found.entrants[stay:])
    return replace(found, entrants=(*found.entrants[:stay], *gone))


@pytest.mark.parametrize(
    ("found", "costly"),
    [
        (tournament(8), False),
        (tournament(9), True),
        (without(tournament(9), 1), False),
        (paired(16, SWISS, undecided=0), True),
        (paired(40, SWISS, undecided=1), False),
        *((tournament(64, format=item), False) for item in set(TournamentFormat) - {SWISS}),
    ],
)
def test_many_who_are_free_take_long_to_pair_by_how_they_stand(
    found: Tournament, costly: bool
) -> None:
    assert is_costly(found) is costly
