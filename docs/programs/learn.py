"""Train an agent in a minute. It plays against random moves, and learns where to land."""

import gymnasium
import numpy as np

from dvonn.actions import action_of

env = gymnasium.make("dvonn.gym.solo:Dvonn-v0", start="balanced")
rng, likes, results = np.random.default_rng(1), np.zeros(2), [0.0]
for seed in range(600):
    _, push = env.reset(seed=seed), np.zeros(2)
    while (board := env.unwrapped.position).turn:
        ends = [(move, board.owner(move.target)) for move in board.legal_moves()]
        facts = np.array([(owner is board.turn, board.height(move.target)) for move, owner in ends])
        odds = np.exp(facts @ likes) / np.exp(facts @ likes).sum()
        chosen = rng.choice(len(ends), p=odds)
        push += facts[chosen] - odds @ facts
        _, result, *_ = env.step(action_of(ends[chosen][0]))
    likes, results = likes + 0.02 * result * push, [*results, result]
print(f"won of the last 200: {results[-200:].count(1)}; likes own stacks, high ones: {likes}")
