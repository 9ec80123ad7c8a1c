"""DVONN for programs that learn by playing: the extra `gym` (PettingZoo, Gymnasium, numpy).

>>> from dvonn.gym import dvonn_v0
>>> env = dvonn_v0.env()
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

`dvonn_v0` is the environment of PettingZoo, for two agents that play each other. `solo` is one of
Gymnasium, for one agent against a player of `players`: `gymnasium.make("dvonn.gym.solo:Dvonn-v0")`,
or "Dvonn-v0" once `solo` is imported. Since its 1.0 Gymnasium looks for no entry points of others.
`vector` plays many games of one agent at once.
`openspiel` is the game for OpenSpiel, which is installed apart: `pip install open_spiel`.

Actions are the numbers of `dvonn.actions`, observations the planes of `dvonn.arrays`. Nobody ever
passes by an action: a player who cannot move is passed over, so an agent may be asked twice in a
row.
"""
