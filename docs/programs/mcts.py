"""Play OpenSpiel's Monte Carlo tree search against random moves, from a full board."""

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import dvonn.gym.openspiel  # noqa: F401 - it registers the game

game = pyspiel.load_game("python_dvonn(start=balanced,seed=7)")
rng = np.random.RandomState(1)
bot = mcts.MCTSBot(game, 2.0, 60, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
state = game.new_initial_state()
while not state.is_terminal():
    legal = state.legal_actions()
    state.apply_action(bot.step(state) if state.current_player() == 0 else rng.choice(legal))
print("MCTS played White:", state.returns()[0])
