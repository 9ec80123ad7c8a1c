"""Tests for the game for OpenSpiel, by its simulations and its playthrough."""

from typing import Any

import pytest

pyspiel: Any = pytest.importorskip("pyspiel", reason="open_spiel comes at night: locks/nightly.txt")

import numpy as np
from open_spiel.python.algorithms import generate_playthrough, mcts

from dvonn import DvonnError, Position, balanced_start
from dvonn._rules.board import POINTS
from dvonn.actions import ACTIONS
from dvonn.gym.openspiel import DvonnGame
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


@pytest.mark.parametrize(
    "start", ["empty", "balanced", "9/10/3WR6/2BWW5/9 W move", "9/10/11/10/9 W place"]
)
def test_a_game_takes_its_start_as_a_parameter(start: str) -> None:
    game = pyspiel.load_game("python_dvonn", {"start": start, "seed": 7})
    position = game.new_initial_state().position
    if start == "balanced":
        assert position == Position.initial().after(*balanced_start(7))
        other = pyspiel.load_game("python_dvonn(start=balanced,seed=8)").new_initial_state()
        assert other.position != position
        assert len(other.position.stacks) == len(POINTS)
        assert min(other.legal_actions()) >= len(POINTS)  # a movement at once
    elif start != "empty":
        assert position == Position.from_text(start)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    again = pyspiel.load_game(str(game))
    assert again.new_initial_state().position == position


def test_openspiels_own_search_plays_on_a_full_board() -> None:
    game = pyspiel.load_game("python_dvonn(start=balanced)")
    state = game.new_initial_state()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2.0, 3, evaluator, random_state=np.random.RandomState(1))
    for _ in range(3):
        state.apply_action(bot.step(state))
    assert state.position.plies == len(POINTS) + 3


def test_an_unknown_start_is_refused() -> None:
    with pytest.raises(DvonnError):
        DvonnGame({"start": "chess"})


def test_a_scripted_game_follows_the_rules() -> None:
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
