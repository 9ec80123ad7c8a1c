"""Play 1,000 games at once."""

import numpy as np

from dvonn.batch import Batch

rng = np.random.default_rng(1)
batch, steps = Batch(1000), 0
while not batch.over.all():
    steps += int(np.count_nonzero(~batch.over))
    wishes = rng.random(batch.masks.shape) * batch.masks
    batch.step(wishes.argmax(axis=1))
print(f"{len(batch)} games, {steps} moves; White won {np.count_nonzero(batch.outcomes > 0)}")
