"""A small model learns from docs/data/selfplay.jsonl who wins. You can run it cell by cell.

    pip install scikit-learn numpy
    python docs/learn_values.py [games.jsonl]

The result is the log loss, in nats, on games that were held out: 0 is certain and right, 0.693 is a
coin. For comparison, there are two simpler models, a constant and the material, and a better one,
the search that valued the positions when the games were played.
"""

# %% The games; `python -m dvonn.engine.selfplay` makes more.
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from dvonn import POINTS, Color, Position, neighbours
from dvonn.engine.selfplay import read_games

SAMPLE = Path(__file__).parent / "data" / "selfplay.jsonl"
games = list(read_games(Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE))

# %% A position as numbers. All except the first two are White's count minus Black's.
WORDS = (
    "turn",
    "stacks left",
    "material",
    "stacks",
    "singles",
    "moving",
    "moves",
    "by a red",
    "red",
)


def features(position: Position) -> list[float]:
    """Return the counts of a beginner, one for each of the `WORDS`."""
    stacks = position.stacks
    reds = {point for point, pieces in stacks.items() if "R" in pieces}
    counts = {color: [0] * 7 for color in Color}
    for point, pieces in stacks.items():
        if (owner := position.owner(point)) is None:
            continue
        free = not position.is_surrounded(point)
        values = (
            len(pieces),
            1,
            len(pieces) == 1,
            free,
            free * sum(beside in stacks for beside in neighbours(point)),
            any(beside in reds for beside in neighbours(point)),
            point in reds,
        )
        counts[owner] = [old + new for old, new in zip(counts[owner], values, strict=True)]
    white, black = counts[Color.WHITE], counts[Color.BLACK]
    turn = 1 if position.turn is Color.WHITE else -1
    return [turn, len(stacks), *(count - other for count, other in zip(white, black, strict=True))]


# %% A row for each movement of each won game. One game in five is held out as a whole,
# because a model would recognize the similar positions of one game.
rows, won, values, is_test = [], [], [], []
for game in games:
    if not game.margin:
        continue
    position = Position.initial().after(*game.moves[: len(POINTS)])
    for move, value in zip(game.moves[len(POINTS) :], game.values, strict=True):
        rows.append(features(position))
        won.append(game.margin > 0)
        values.append(value)
        is_test.append(game.seed % 5 == 0)
        position = position.play(move)
x, y, test = np.array(rows), np.array(won), np.array(is_test)
searched = np.clip(np.array(values) / 100, -6, 6)[:, None]
print(f"{len(games)} games, {len(y)} positions, {test.sum()} of them held out")


# %% Five predictors, each fitted to the same games.
def fitted(model: Any, columns: Any) -> Any:
    """Fit a model to the other games, and return its chances for the games held out."""
    return model.fit(columns[~test], y[~test]).predict_proba(columns[test])[:, 1]


material = x[:, [WORDS.index("material")]]
small = HistGradientBoostingClassifier(
    max_iter=150, learning_rate=0.05, max_leaf_nodes=8, min_samples_leaf=200, random_state=0
)
guesses: dict[str, Callable[[], Any]] = {
    "a constant": lambda: np.full(test.sum(), y[~test].mean()),
    "the material": lambda: fitted(LogisticRegression(), material),
    "counts, added up": lambda: fitted(LogisticRegression(max_iter=1000), x / x.std(axis=0)),
    "counts, a small model": lambda: fitted(small, x),
    "a search of 2,000 nodes": lambda: fitted(LogisticRegression(), searched),
}


# %% The loss of each, over all positions and by the number of stacks left.
stacks_left = x[test, WORDS.index("stacks left")]
PARTS = {
    "all": stacks_left > 0,
    "35-49": stacks_left >= 35,
    "20-34": (stacks_left >= 20) & (stacks_left < 35),
    "1-19": stacks_left < 20,
}
print(f"{'log loss by stacks left':28}", *(f"{part:>7}" for part in PARTS))
for name, guess in guesses.items():
    chances = guess()
    losses = [log_loss(y[test][part], chances[part], labels=[0, 1]) for part in PARTS.values()]
    print(f"{name:28}", *(f"{loss:7.3f}" for loss in losses))
