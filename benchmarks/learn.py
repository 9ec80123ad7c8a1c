"""A small net that learns DVONN by playing against itself, and its games against the machine.

    python -m benchmarks.learn train net.npz --minutes 20
    python -m benchmarks.learn play net.npz --opponent "level 3" --games 200

It needs the extra `engine`, and nothing else. The net estimates the result of a position: one
hidden layer of each of the sizes below, trained by temporal differences as in TD-Gammon. It plays
the action after which it likes the position best, and looks no further ahead. docs/engine.md has
its scores.
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
from dvonn import Color, Position
from dvonn._rules.board import COLUMNS, POINTS, column_row
from dvonn.actions import move_of
from dvonn.arrays import PLANES
from dvonn.batch import BLACK, Batch
from dvonn.gym.players import player

_CELLS: Final = [row * COLUMNS + column for column, row in map(column_row, POINTS)]
_OWN, _OTHER, _RED, _HEIGHT, _STUCK = map(PLANES.index, ("own", "other", "red", "height", "stuck"))
_FLAGS: Final = slice(PLANES.index("placing"), len(PLANES))
_TALL: Final = 4.0
_SIZES: Final = (9 * len(POINTS) + 3, 96, 32, 1)
_GAMES: Final = 256
_PART: Final = 512
_RATE, _DECAYS, _TINY = 1e-3, (0.9, 0.999), 1e-8
_LAMBDA: Final = 0.8
_AHEAD: Final = 8.0
"""A lead of so many pieces counts as 76% of the greatest one."""


def features(planes: Any) -> Any:
    """Return the net's inputs [n, 444] for planes [n, 9, 5, 11]."""
    cells = planes.reshape(len(planes), len(PLANES), -1)[:, :, _CELLS].astype(np.float32)
    own, other, red, stuck = cells[:, _OWN], cells[:, _OTHER], cells[:, _RED] > 0, cells[:, _STUCK]
    tall = cells[:, _HEIGHT] / _TALL
    parts = (own, other, own * tall, other * tall, own * red, other * red, own * stuck)
    flags = planes[:, _FLAGS, 0, 0].astype(np.float32)
    return np.concatenate((*parts, other * stuck, red * (1 - own - other), flags), axis=1)


class Net:
    """A net of fully connected layers, and its training by Adam."""

    def __init__(self, weights: Sequence[Any]) -> None:
        self.weights = [np.asarray(one, np.float32) for one in weights]
        self._means = [np.zeros_like(one) for one in self.weights]
        self._squares = [np.zeros_like(one) for one in self.weights]
        self._steps = 0

    @classmethod
    def fresh(cls, rng: Any) -> "Net":
        """Return an untrained net."""
        weights = list[Any]()
        for before, after in pairwise(_SIZES):
            weights += [rng.normal(0, sqrt(2 / before), (before, after)), np.zeros(after)]
        weights[-2] *= 0.1
        return cls(weights)

    @classmethod
    def load(cls, file: Path) -> "Net":
        """Return the net in a file."""
        with np.load(file) as kept:
            return cls([kept[name] for name in kept.files])

    def save(self, file: Path) -> None:
        """Write the net to a file, with 3 digits for each weight."""
        np.savez_compressed(file, *[one.astype(np.float16) for one in self.weights])

    def layers(self, inputs: Any) -> list[Any]:
        """Return the values of all layers, from the inputs to the estimates [n, 1]."""
        values = [inputs]
        for at in range(0, len(self.weights), 2):
            summed = values[-1] @ self.weights[at] + self.weights[at + 1]
            is_last = at + 2 == len(self.weights)
            values.append(np.tanh(summed) if is_last else np.maximum(summed, 0))
        return values

    def estimate(self, planes: Any) -> Any:
        """Return what the player to move may expect: -1 for a lost game to 1 for a won one."""
        parts = range(0, len(planes), _PART)
        found = [self.layers(features(planes[at : at + _PART]))[-1][:, 0] for at in parts]
        return np.concatenate(found) if found else np.zeros(0, np.float32)

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


def values(net: Net, batch: Batch) -> Any:
    """Return what White may expect in each game."""
    signs = np.where(batch.turns == BLACK, -1, 1)
    return np.where(batch.over, results(batch), net.estimate(batch.planes) * signs)


def choose(net: Net, batch: Batch, games: Any, noise: Any = 0.0) -> tuple[Any, Any]:
    """Return an action for each of some running games, and what White may then expect.

    `noise` is how much a player errs, by which the games differ.
    """
    at, actions = np.nonzero(batch.masks[games])
    children = batch.select(games[at])
    children.step(actions)
    expected = values(net, children)
    signs = np.where(batch.turns[games[at]] == BLACK, -1, 1)
    order = np.lexsort((expected * signs + noise * np.ones(len(at)), at))
    best = order[np.searchsorted(at, np.arange(len(games)), side="right") - 1]
    return actions[best], expected[best]


def self_play(net: Net, rng: Any) -> tuple[Any, Any]:
    """Return the inputs and targets of some games. In half of them, pieces are placed at random."""
    batch, history = Batch(_GAMES), list[Any]()
    places_alike, reach = rng.random(_GAMES) < 0.5, rng.choice([0.02, 0.06, 0.2], _GAMES)
    while not batch.over.all():
        running = np.flatnonzero(~batch.over)
        seen, turns = batch.planes[running].copy(), batch.turns[running].copy()
        is_random = places_alike[running] & (seen[:, _FLAGS, 0, 0][:, 0] == 1)
        actions = batch.random_actions(int(rng.integers(2**62)))[running]
        thinking = running[~is_random]
        if len(thinking):
            count = int(batch.masks[thinking].sum())
            owners = np.repeat(reach[thinking], batch.masks[thinking].sum(axis=1))
            noise = rng.gumbel(size=count).astype(np.float32) * owners
            actions[~is_random], _ = choose(net, batch, thinking, noise)
        history.append((running, seen, turns))
        batch.step(actions, running)
    inputs, targets, later = list[Any](), list[Any](), results(batch)
    after = later.copy()
    for running, seen, turns in reversed(history):
        signs = np.where(turns == BLACK, -1, 1)
        later[running] = _LAMBDA * later[running] + (1 - _LAMBDA) * after[running]
        after[running] = net.estimate(seen) * signs
        inputs.append(seen)
        targets.append(later[running] * signs)
    return np.concatenate(inputs), np.concatenate(targets).astype(np.float32)


def train(minutes: float, seed: int, file: Path) -> None:
    """Train a net for some minutes of processor time."""
    rng = np.random.default_rng(seed)
    net, games, end = Net.fresh(rng), 0, time.process_time() + 60 * minutes
    while time.process_time() < end:
        seen, targets = self_play(net, rng)
        games += _GAMES
        order = rng.permutation(len(seen))
        for part in np.split(order, range(_PART, len(order), _PART)):
            net.train(features(seen[part]), targets[part])
        if games % (8 * _GAMES) == 0:
            print(f"{games} games, error {np.std(net.estimate(seen) - targets):.3f}", flush=True)
            net.save(file)
    net.save(file)
    print(result_line("learn", {"games": games, "processor_min": minutes}))


def play(net: Net, opponent: str, games: int, seed: int) -> float:
    """Return the net's share of points against a player. They take turns to be White."""
    points = 0.0
    for game in range(games):
        own, choose_other = tuple(Color)[game % 2], player(opponent, seed + game)
        # The first two pieces are placed at random, so that the games differ.
        position, rng = Position.initial(), np.random.default_rng(seed + game // 2)
        while not position.is_over:
            if position.plies < 2:
                move = position.legal_moves()[rng.integers(len(position.legal_moves()))]
            elif position.turn is own:
                action, _ = choose(net, Batch(1, [position]), np.zeros(1, np.int64))
                move = move_of(int(action[0]), position)
            else:
                move = choose_other(position)
            position = position.play(move)
        points += 0.5 if position.winner is None else float(position.winner is own)
    return points / games


def main(arguments: Sequence[str] | None = None) -> None:
    """Train a net, or let it play."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learn")
    parser.add_argument("what", choices=["train", "play"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=20, help="of processor time")
    parser.add_argument("--opponent", default="random", help="a name of dvonn.gym.players")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.what == "train":
        train(options.minutes, options.seed, options.file)
        return
    share = play(Net.load(options.file), options.opponent, options.games, options.seed)
    print(result_line("learn_play", {"games": options.games, "score_percent": 100 * share}))


if __name__ == "__main__":
    main()
