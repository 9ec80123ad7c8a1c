"""Fit the weights by which the placement values full boards.

    python -m benchmarks.tuning.fit_placement d.npz ... --out dvonn/engine/placement.json

The data is that of `dvonn.engine.selfplay`, of which only the full boards are read; a few
ten thousand are enough. The fit is that of `benchmarks.tuning.fit`, for one number of stacks.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.tuning.fit import POINTS_PER_LOGIT, Floats, fit, goals, loss
from benchmarks.tuning.rows import describe_rows, read
from dvonn.engine.evaluate import Count
from dvonn.engine.memory import STACKS
from dvonn.engine.tables import Int64s

_HELD_OUT = 10
"""One game in so many is kept to measure the fit."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuning.fit_placement")
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)

    columns = read(options.data)
    stacks = (columns.pieces > 0).sum(axis=1)
    full = stacks == STACKS
    features, stacks, ended = describe_rows(columns)[full], stacks[full], goals(columns, 0.0)[full]
    held = columns.game[full] % _HELD_OUT == 0
    weights = fit(features[~held], stacks[~held], ended[~held])
    for name, part in (("fitted", ~held), ("held out", held)):
        found = loss(weights, features[part], stacks[part], ended[part])
        print(f"{name}: {found:.4f} of {part.sum()}")
    options.out.write_text(as_json(weights[-1], features), encoding="utf-8")


def as_json(weights: Floats, features: Int64s) -> str:
    """Return the file's text: a line for each feature that full boards have."""
    seen = [feature for feature in Count if features[:, feature].any()]
    lines = [f' "{f.name}": {weights[f] * POINTS_PER_LOGIT:.2f}' for f in seen]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    main()
