"""Tests for random tournaments of all formats: each ends with every player accounted for."""

from dataclasses import replace

import pytest

from club.tournaments.model.pairing import next_step
from club.tournaments.model.tournament import Conclude, TournamentFormat, TournamentState, Wait
from tests.club.tournaments.tournament_events import BEGAN, a_tournament, at_random


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("correcting", [0, 0.2])
def test_invariants_hold_in_small_events(seed: int, correcting: float) -> None:
    event = at_random(seed, most_players=10, correcting=correcting)
    assert event.ended
    assert (event.unproven, event.unbalanced) == (0, 0)


def test_the_same_event_is_the_same_in_every_process() -> None:
    assert at_random(3, most_players=8).tournament == at_random(3, most_players=8).tournament


@pytest.mark.parametrize(
    "state", [state for state in TournamentState if state is not TournamentState.RUNNING]
)
def test_only_running_tournaments_are_paired(state: TournamentState) -> None:
    tournament = a_tournament(TournamentFormat.SWISS, 8)
    step = next_step(replace(tournament, state=state), now=BEGAN)
    over = state in {TournamentState.DONE, TournamentState.CANCELLED}
    assert isinstance(step, Conclude if over else Wait)
