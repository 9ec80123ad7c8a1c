"""A small neural net that learns DVONN by self-play.

    python -m benchmarks.learning.train net.npz --minutes 20
    python -m benchmarks.learning.play net.npz --opponent "level 3" --games 200

It needs the extra `engine`, and nothing else. The net estimates the result of a position. It is
trained by temporal differences, as TD-Gammon was. It plays the action that leads to the position
that it likes best, and looks no further ahead. docs/engine.md has its scores.
"""

import argparse
import time
from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.result import result_line
from dvonn._rules.board import COLUMNS, POINTS, column_row
from dvonn.arrays import PLANES
from dvonn.batch import BLACK, Batch

_CELLS: Final = [row * COLUMNS + column for column, row in map(column_row, POINTS)]
_OWN, _OTHER, _RED, _HEIGHT, _STUCK = map(PLANES.index, ("own", "other", "red", "height", "stuck"))
_FLAGS: Final = slice(PLANES.index("placing"), len(PLANES))
_TALL: Final = 4.0
_SIZES: Final = (9 * len(POINTS) + 3, 96, 32, 1)
_GAMES: Final = 256
_PART: Final = 512
_RATE, _DECAYS, _TINY = 1e-3, (0.9, 0.999), 1e-8
_LAMBDA: Final = 0.95
_TIMES: Final = 2  # number of times that the net learns from each position
_AHEAD: Final = 8.0  # a lead of this many pieces gets 76% of the largest bonus for a lead
_NOISE: Final = (0.02, 0.06, 0.2)


def features(planes: Any) -> Any:
    """Return the net's inputs [n, 444] for planes [n, 9, 5, 11]."""
    cells = planes.reshape(len(planes), len(PLANES), -1)[:, :, _CELLS].astype(np.float32)
    own, other, red, stuck = cells[:, _OWN], cells[:, _OTHER], cells[:, _RED] > 0, cells[:, _STUCK]
    tall = cells[:, _HEIGHT] / _TALL
    parts = (own, other, own * tall, other * tall, own * red, other * red, own * stuck)
    flags = planes[:, _FLAGS, 0, 0].astype(np.float32)
    return np.concatenate((*parts, other * stuck, red * (1 - own - other), flags), axis=1)


class Net:
    """A fully connected neural net, trained by Adam."""

    def __init__(self, weights: Sequence[Any]) -> None:
        self.weights = [np.asarray(weight, np.float32) for weight in weights]
        self._means = [np.zeros_like(weight) for weight in self.weights]
        self._squares = [np.zeros_like(weight) for weight in self.weights]
        self._steps = 0

    @classmethod
    def fresh(cls, rng: Any) -> "Net":
        """Return an untrained net with random weights."""
        weights = list[Any]()
        for before, after in pairwise(_SIZES):
            weights += [rng.normal(0, sqrt(2 / before), (before, after)), np.zeros(after)]
        weights[-2] *= 0.1
        return cls(weights)

    @classmethod
    def load(cls, file: Path) -> "Net":
        """Return the net in a file."""
        with np.load(file) as arrays:
            return cls([arrays[name] for name in arrays.files])

    def save(self, file: Path) -> None:
        """Write the net to a file, with 3 digits for each weight."""
        np.savez_compressed(file, *[weight.astype(np.float16) for weight in self.weights])

    def layers(self, inputs: Any) -> list[Any]:
        """Return the values of all layers, from the inputs to the estimates [n, 1]."""
        values = [inputs]
        for at in range(0, len(self.weights), 2):
            summed = values[-1] @ self.weights[at] + self.weights[at + 1]
            is_last = at + 2 == len(self.weights)
            values.append(np.tanh(summed) if is_last else np.maximum(summed, 0))
        return values

    def estimate(self, planes: Any) -> Any:
        """Return the expected results for the player to move, from -1 (loss) to 1 (win)."""
        parts = range(0, len(planes), _PART)
        estimates = [self.layers(features(planes[at : at + _PART]))[-1][:, 0] for at in parts]
        return np.concatenate(estimates) if estimates else np.zeros(0, np.float32)

    def gradients(self, inputs: Any, targets: Any) -> list[Any]:
        """Return the slopes of half the mean squared error, in the order of the weights."""
        values, slopes = self.layers(inputs), list[Any]()
        error = (values[-1][:, 0] - targets)[:, None] / len(targets) * (1 - values[-1] ** 2)
        for at in range(len(self.weights) - 2, -1, -2):
            below = values[at // 2]
            slopes += [error.sum(axis=0), below.T @ error]
            error = (error @ self.weights[at].T) * (below > 0)
        return slopes[::-1]

    def train(self, inputs: Any, targets: Any) -> None:
        """Change the weights by one step of Adam."""
        self._steps += 1
        slow, slower = _DECAYS
        for at, slope in enumerate(self.gradients(inputs, targets)):
            self._means[at] += (1 - slow) * (slope - self._means[at])
            self._squares[at] += (1 - slower) * (slope**2 - self._squares[at])
            mean = self._means[at] / (1 - slow**self._steps)
            square = self._squares[at] / (1 - slower**self._steps)
            self.weights[at] -= _RATE * mean / (np.sqrt(square) + _TINY)


def results(batch: Batch) -> Any:
    """Return White's result in each finished game, -1 to 1. It grows with the lead."""
    return (batch.outcomes + np.tanh(batch.margins / _AHEAD)) / 2


def signs_of(batch: Batch) -> Any:
    """Return -1 for each game in which Black is to move, and 1 for the others."""
    return np.where(batch.turns == BLACK, -1, 1)


def choose(net: Net, batch: Batch, games: Any, noise: Any = 0.0) -> Any:
    """Return an action for each of the given running games. Noise makes the games differ."""
    at, actions = np.nonzero(batch.masks[games])
    children = batch.select(games[at])
    children.step(actions)
    estimates = net.estimate(children.planes) * signs_of(children)
    for_white = np.where(children.over, results(children), estimates)
    order = np.lexsort((for_white * signs_of(batch)[games[at]] + noise, at))
    return actions[order[np.searchsorted(at, np.arange(len(games)), side="right") - 1]]


def self_play(net: Net, rng: Any) -> tuple[Any, Any]:
    """Play games, and return their planes and training targets.

    In most of them, pieces are placed at random.
    """
    batch, history = Batch(_GAMES), list[Any]()
    places_at_random, reach = rng.random(_GAMES) < 0.75, rng.choice(_NOISE, _GAMES)
    while not batch.over.all():
        running = np.flatnonzero(~batch.over)
        positions, signs = batch.planes[running].copy(), signs_of(batch)[running]
        thinks = ~(places_at_random[running] & (positions[:, _FLAGS.start, 0, 0] == 1))
        actions = batch.random_actions(int(rng.integers(2**62)))[running]
        counts = batch.masks[running[thinks]].sum(axis=1)
        noise = rng.gumbel(size=counts.sum()) * np.repeat(reach[running[thinks]], counts)
        actions[thinks] = choose(net, batch, running[thinks], noise)
        history.append((running, positions, signs))
        batch.step(actions, running)
    inputs, targets, later = list[Any](), list[Any](), results(batch)
    after = later.copy()
    for running, positions, signs in reversed(history):
        later[running] += (1 - _LAMBDA) * (after[running] - later[running])
        after[running] = net.estimate(positions) * signs
        inputs.append(positions)
        targets.append(later[running] * signs)
    return np.concatenate(inputs), np.concatenate(targets).astype(np.float32)


def train(net: Net, minutes: float, seed: int) -> int:
    """Train a net for some minutes of processor time, and return the number of games."""
    rng, games, end = np.random.default_rng(seed), 0, time.process_time() + 60 * minutes
    while time.process_time() < end:
        positions, targets = self_play(net, rng)
        games += _GAMES
        order = np.concatenate([rng.permutation(len(positions)) for _ in range(_TIMES)])
        for part in np.split(order, range(_PART, len(order), _PART)):
            net.train(features(positions[part]), targets[part])
        print(f"{games} games, error {np.std(net.estimate(positions) - targets):.3f}", flush=True)
    return games


def main(arguments: Sequence[str] | None = None) -> None:
    """Train a net, and write it to a file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learning.train")
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=20, help="of processor time")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    net = Net.fresh(np.random.default_rng(options.seed))
    games = train(net, options.minutes, options.seed)
    net.save(options.file)
    print(result_line("learn", {"games": games, "processor_min": options.minutes}))


if __name__ == "__main__":
    main()
