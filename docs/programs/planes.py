"""Make arrays of a game for a neural network: planes, masks and results."""

import numpy as np

from dvonn import Color, Position
from dvonn.actions import action_mask
from dvonn.arrays import planes
from dvonn.simulation import at_random, simulate

(game,) = simulate([Position.initial()], at_random(seed=1))
positions = [Position.initial().after(*game.moves[:ply]) for ply in range(len(game.moves))]
inputs = np.stack([np.asarray(planes(position)) for position in positions])
masks = np.stack([np.frombuffer(action_mask(position), np.uint8) for position in positions])
margin = game.position.score(Color.WHITE) - game.position.score(Color.BLACK)
sides = np.array([1 if position.turn is Color.WHITE else -1 for position in positions])
print("inputs", inputs.shape, "masks", masks.shape, "values", np.sign(sides * margin).shape)
