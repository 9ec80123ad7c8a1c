"""DVONN for reinforcement learning: the extra `gym` (PettingZoo, Gymnasium, numpy).

>>> from dvonn.gym import dvonn_v0
>>> env = dvonn_v0.env()
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

`dvonn_v0` is a PettingZoo environment for two agents that play each other. `solo` is a Gymnasium
environment for one agent against a player from `players`:
`gymnasium.make("dvonn.gym.solo:Dvonn-v0")`. `vector`
plays many games of one agent at once. `openspiel` is the game for OpenSpiel, which is installed
separately: `pip install open_spiel`.

Actions are the numbers of `dvonn.actions`, and observations are the planes of `dvonn.arrays`. There
is no action for a pass: a player who cannot move is skipped, so an agent may have to act twice in a
row.
"""
