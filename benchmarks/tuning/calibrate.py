"""Truth of the chances to win, and the ranges of the margins.

    python -m benchmarks.tuning.calibrate searched.jsonl ... [--out dvonn/engine/margins.json]

The data is that of `benchmarks.tuning.played_on`: positions that are not proven, what they are
worth in points, and what came of them. Printed is, for each tenth of White's chance to win, what is
said on average and what came of it; how far the difference between the two may come from chance
(one standard error, of games picked anew: positions of one game are alike); and which curve these
positions would have, for `dvonn.engine.estimates`. Positions
with a proven win, of which it is open by how much, have a line of their own.

Written are the margins between which eight games in ten ended, by stacks left and by chance,
from games that are not held out; how many of the held-out ones end between them, and between those
that stand now, is printed.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.tuning.fit import Floats
from benchmarks.tuning.kept import games
from benchmarks.tuning.played_on import NAME
from dvonn.engine.estimates import MIDDLE, POINTS_PER_LOGIT, Margins, measured, win_probability
from dvonn.engine.memory import WIN

STACKS: Final = (22, 34, 45)
"""Rows of the table: about the middles of these."""
_STACK_EDGES: Final = (0, 29, 40, 50)
CHANCES: Final = (0.5, 0.62, 0.73, 0.82, 0.89, 0.953, 0.989)
"""Columns, and where each begins and the last one ends."""
_CHANCE_EDGES: Final = (0.44, 0.56, 0.68, 0.78, 0.85, 0.925, 0.97, 1)
_SHARES: Final = (0.1, 0.9)
_HELD_OUT: Final = 5
"""One game in so many is kept to measure the ranges."""
_BINS: Final = 10
_RESAMPLES: Final = 1000
"""The number of times that games are picked anew for the errors."""
_STEPS: Final = 12


@dataclass(frozen=True, slots=True)
class Forecasts:
    """Columns: what positions are worth, and how they ended when they were played on, for White.

    Attributes:
        game: its seed.
        stacks: on the board where the value was found.
        points: the value.
        margin: in pieces.
    """

    game: Floats
    stacks: Floats
    points: Floats
    margin: Floats

    def __getitem__(self, rows: NDArray[np.bool_]) -> "Forecasts":
        return Forecasts(**{name: getattr(self, name)[rows] for name in self.__dataclass_fields__})

    @property
    def is_won(self) -> NDArray[np.bool_]:
        """True if one of the two has a proven win; its margin is open."""
        return np.abs(self.points) >= WIN

    @property
    def chance(self) -> Floats:
        """The chance that is said."""
        pairs = zip(self.points, self.stacks, strict=True)
        return np.array([win_probability(int(points), int(stacks)) for points, stacks in pairs])

    @property
    def came(self) -> Floats:
        """The result: 1 a win of White, 1/2 a draw."""
        return np.asarray((np.sign(self.margin) + 1) / 2)

    def both_eyes(self) -> "Forecasts":
        """Add the positions as Black sees them."""
        other = Forecasts(self.game, self.stacks, -self.points, -self.margin)
        return Forecasts(
            **{
                name: np.concatenate([getattr(self, name), getattr(other, name)])
                for name in self.__dataclass_fields__
            }
        )


@dataclass(frozen=True, slots=True)
class Bin:
    """Positions with about the same chance.

    Attributes:
        low: the least chance, a tenth.
        count: of positions.
        said: the mean chance.
        came: the share of wins.
        error: one standard error of the difference.
    """

    low: float
    count: int
    said: float
    came: float
    error: float

    def __str__(self) -> str:
        """Return a row of a table."""
        said, came = 100 * self.said, 100 * self.came
        name = f"{100 * self.low:.0f}–{100 * self.low + 10:.0f}%"
        difference = f"{came - said:+.1f}".replace("-", "−")
        return (
            f"| {name} | {self.count:,} | {said:.1f}% | {came:.1f}% "
            f"| {difference} ± {100 * self.error:.1f} |"
        )


def read(paths: Sequence[Path]) -> Forecasts:
    """Read files one after another."""
    rows = [
        (seed, stacks, points, margin)
        for path in paths
        for seed, positions in games(path, NAME)
        for _, stacks, points, margin in positions
    ]
    return Forecasts(*np.array(rows, dtype=np.float64).T)


def table(said: Forecasts) -> Iterator[Bin]:
    """Group the positions by tenths of White's chance."""
    chance, came = said.chance, said.came
    numbers = np.minimum(chance * _BINS, _BINS - 1).astype(np.int64)
    for number in np.unique(numbers):
        part = numbers == number
        error = error_of(said.game[part], came[part] - chance[part])
        yield Bin(
            low=float(number / _BINS),
            count=int(part.sum()),
            said=float(chance[part].mean()),
            came=float(came[part].mean()),
            error=error,
        )


def error_of(game: Floats, differences: Floats) -> float:
    """Return the standard error of a mean; differences of one game are alike."""
    _, index = np.unique(game, return_inverse=True)
    sums, counts = np.bincount(index, differences), np.bincount(index)
    rng = np.random.default_rng(0)
    taken = rng.multinomial(len(counts), np.full(len(counts), 1 / len(counts)), size=_RESAMPLES)
    return float(np.std(taken @ sums / (taken @ counts)))


def curve(said: Forecasts) -> tuple[float, float]:
    """Return the logits of 100 points at MIDDLE stacks, and the logits added by each stack."""
    logits = said.points / POINTS_PER_LOGIT
    columns = np.stack([logits, logits * (said.stacks - MIDDLE)], axis=1)
    weights = np.zeros(2)
    for _ in range(_STEPS):
        guess = 1 / (1 + np.exp(-(columns @ weights)))
        curvature = (columns * (guess * (1 - guess))[:, None]).T @ columns
        weights += np.linalg.solve(curvature, columns.T @ (said.came - guess))
    return float(weights[0]), float(weights[1])


def margins(said: Forecasts) -> Margins:
    """Return the ranges, from positions whose outcome is open; and from proven wins."""
    still, both = said[~said.is_won].both_eyes(), said.both_eyes()
    won, chance = both[both.points >= WIN], still.chance
    cells = np.zeros((len(_SHARES), len(STACKS), len(CHANCES)))
    for row, (fewest, many) in enumerate(pairwise(_STACK_EDGES)):
        here = (still.stacks >= fewest) & (still.stacks < many)
        for column, (low, high) in enumerate(pairwise(_CHANCE_EDGES)):
            part = here & (chance >= low) & (chance < high)
            cells[:, row, column] = np.quantile(still.margin[part], _SHARES)
        # At evens both are alike, and who is ahead by more ends no worse.
        cells[:, row, 0] = np.mean(np.abs(cells[:, row, 0])) * np.array([-1, 1])
        cells[:, row] = np.maximum.accumulate(cells[:, row], axis=1)
    lows, highs = np.round(cells, 1).tolist()
    # Few wins are proven while many stacks are left: all count together.
    most = round(float(np.quantile(won.margin, _SHARES[1])), 1)
    return Margins(STACKS, CHANCES, lows, highs, most)


def covered(found: Margins, said: Forecasts) -> float:
    """Return the share of games that end within the range."""
    still = said[~said.is_won].both_eyes()
    ahead = still[still.points > 0]
    inside = [
        low <= margin <= high
        for stacks, chance, margin in zip(ahead.stacks, ahead.chance, ahead.margin, strict=True)
        for low, high in [found.open(float(chance), int(stacks))]
    ]
    return float(np.mean(inside))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, and write the ranges."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuning.calibrate")
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(arguments)

    said = read(options.data)
    still, won = said[~said.is_won], said[said.is_won]
    print(f"{len(np.unique(said.game))} games, {len(said.game)} positions")
    print("\n".join(map(str, table(still))))
    if len(won.game):
        kept = float(np.mean(np.where(won.points > 0, won.came, 1 - won.came)))
        print(f"proven wins, by how much is open: {len(won.game)}, of which {kept:.3f} were won")
    slope, per_stack = curve(still)
    print(f"the curve of these positions: {slope:.3f} + {per_stack:.4f} for each stack more")
    held = said.game % _HELD_OUT == 0
    print(f"held out, between the margins that stand: {covered(measured(), said[held]):.3f}")
    if options.out:
        found = margins(said[~held])
        print(f"held out, between the margins of the others: {covered(found, said[held]):.3f}")
        options.out.write_text(as_json(found), encoding="utf-8")


def as_json(found: Margins) -> str:
    """Return the file's text: a line for each row."""
    rows = [f' "{name}": {json.dumps(value)}' for name, value in asdict(found).items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    main()
