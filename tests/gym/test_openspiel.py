"""Tests of the game for OpenSpiel, by its simulations and its playthrough."""

from typing import Any

import pytest

pyspiel: Any = pytest.importorskip("pyspiel", reason="open_spiel comes at night: locks/nightly.txt")

from open_spiel.python.algorithms import generate_playthrough

import dvonn.gym.openspiel  # noqa: F401 - it registers the game
from dvonn.actions import ACTIONS
from dvonn.board import POINTS
from tests.games import random_game


def test_its_simulations_pass() -> None:
    game = pyspiel.load_game("python_dvonn")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    assert (game.num_distinct_actions(), game.num_players()) == (ACTIONS, 2)


def test_a_playthrough_is_the_same_when_it_is_played_again() -> None:
    lines = generate_playthrough.playthrough_lines("python_dvonn", alsologtostdout=False, seed=1)
    actions = [int(line.split()[-1]) for line in lines if line.startswith("action: ")]
    again = generate_playthrough.playthrough_lines(
        "python_dvonn", alsologtostdout=False, action_sequence=actions, seed=1
    )
    assert len(actions) >= len(POINTS)
    assert lines == again
    assert any(line.startswith("Returns() = ") for line in lines)


def test_it_goes_as_the_rules_do() -> None:
    state = pyspiel.load_game("python_dvonn").new_initial_state()
    for move in random_game(4):
        assert state.current_player() == "WB".index(str(state.position.turn.value))
        legal = {state.action_to_string(action): action for action in state.legal_actions()}
        assert sorted(legal) == sorted(map(str, state.position.legal_moves()))
        copy = state.clone()
        state.apply_action(legal[str(move)])
        assert copy.position != state.position
    lead = {None: 0.0, "W": 1.0, "B": -1.0}[state.position.winner]
    assert state.is_terminal()
    assert state.returns() == [lead, -lead]
