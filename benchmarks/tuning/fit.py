"""Fit the weights of the evaluation to games.

    python -m benchmarks.tuning.fit d.npz ... --out dvonn/engine/weights.json

The estimate in points is POINTS_PER_LOGIT times the logarithm of the odds of winning. Each feature
has a weight at each of some numbers of stacks (KNOTS), interpolated between. They are fitted by
logistic regression, Newton's method with a small penalty on large weights, to how the games ended,
a draw counting half, mixed with what the searches of those games said (`--trust`).
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.tuning.rows import Columns, describe_rows, read
from dvonn.engine.evaluate import Count
from dvonn.engine.memory import WIN
from dvonn.engine.tables import Int64s

KNOTS: Final = (4, 8, 12, 18, 24, 30, 36, 42, 49)
POINTS_PER_LOGIT: Final = 100
_PENALTY: Final = 20.0
_STEPS: Final = 12
_CHUNK: Final = 20_000
_LEAST_SCALE: Final = 1e-3
_SMALL: Final = 1e-3
"""A step at which the weights are good enough: a thousandth of a logit for a usual difference."""
_HELD_OUT: Final = 10
"""One game in so many is kept to measure the fit."""

Floats = NDArray[np.float64]


def bases(stacks: Int64s) -> Floats:
    """[rows, knots]: how much each knot counts for so many stacks."""
    return np.array([np.interp(stacks, KNOTS, row) for row in np.eye(len(KNOTS))]).T


def fit(features: Int64s, stacks: Int64s, goal: Floats) -> Floats:
    """[knots, features]: the weights in logits."""
    used = features.shape[1]
    size = len(KNOTS) * used
    weights = np.zeros(size)
    # Few stacks mean large numbers of some features: scale all alike for the penalty.
    scale = np.maximum(features.std(axis=0), _LEAST_SCALE)
    scales = np.tile(scale, len(KNOTS))
    scaled, basis = (features / scale).astype(np.float32), bases(stacks)
    for _ in range(_STEPS):
        gradient = -_PENALTY * weights
        curvature = _PENALTY * np.eye(size)
        # Each position lies between two knots, and says nothing of the others.
        for knot in range(len(KNOTS) - 1):
            between = _between(stacks, knot)
            columns = slice(knot * used, (knot + 2) * used)
            for start in range(0, len(between), _CHUNK):
                part = between[start : start + _CHUNK]
                share = basis[part, knot : knot + 2].astype(np.float32)
                rows = (share[:, :, None] * scaled[part][:, None, :]).reshape(len(part), -1)
                guess = 1 / (1 + np.exp(-(rows @ weights[columns].astype(np.float32))))
                gradient[columns] += rows.T @ (goal[part] - guess).astype(np.float32)
                slope = (guess * (1 - guess))[:, None]
                curvature[columns, columns] += (rows * slope).T @ rows
        step = np.linalg.solve(curvature, gradient)
        weights += step
        if np.abs(step).max() < _SMALL:
            break
    return np.asarray((weights / scales).reshape(len(KNOTS), used))


def _between(stacks: Int64s, knot: int) -> Int64s:
    """The rows from one knot up to the next; those at the last knot belong to the last interval."""
    low = KNOTS[knot] if knot > 0 else 0
    high = KNOTS[knot + 1]
    last = knot == len(KNOTS) - 2
    return np.flatnonzero((stacks >= low) & ((stacks < high) | last))


def goals(columns: Columns, trust: float) -> Floats:
    """[rows]: the share of the win that each position is worth, 0 to 1."""
    ended = (np.sign(columns.margin) + 1) / 2
    said = 1 / (1 + np.exp(-np.clip(columns.value, -WIN, WIN) / POINTS_PER_LOGIT))
    return np.asarray(trust * said + (1 - trust) * ended)


def loss(weights: Floats, features: Int64s, stacks: Int64s, goal: Floats) -> float:
    """Return the mean cross-entropy."""
    logits = (features @ weights.T * bases(stacks)).sum(axis=1)
    return float(np.mean(np.logaddexp(0, logits) - goal * logits))


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuning.fit")
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--trust", type=float, default=0.0, help="in the searches, 0 to 1")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)

    columns = read(options.data)
    features = describe_rows(columns)[:, : len(Count)]
    stacks = (columns.pieces > 0).sum(axis=1)
    held = columns.game % _HELD_OUT == 0
    ended = goals(columns, 0.0)
    goal = goals(columns, options.trust)
    weights = fit(features[~held], stacks[~held], goal[~held])
    for name, part in (("fitted", ~held), ("held out", held)):
        found = loss(weights, features[part], stacks[part], ended[part])
        print(f"{name}: {found:.4f} of {part.sum()}")
    for least, most in ((40, 49), (30, 39), (20, 29), (10, 19), (1, 9)):
        part = held & (stacks >= least) & (stacks <= most)
        if part.any():
            found = loss(weights, features[part], stacks[part], ended[part])
            print(f"held out, {least} to {most} stacks: {found:.4f} of {part.sum()}")
    options.out.write_text(as_json(weights), encoding="utf-8")


def as_json(weights: Floats) -> str:
    """Return the file's text: a line for each feature."""
    points = np.round(weights * POINTS_PER_LOGIT, 2)
    rows = [f'  "{feature.name}": {points[:, feature].tolist()}' for feature in Count]
    lines = ",\n".join(rows)
    return f'{{\n "knots": {list(KNOTS)},\n "weights": {{\n{lines}\n }}\n}}\n'


if __name__ == "__main__":
    main()
