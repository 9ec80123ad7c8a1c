"""How true the chances of reviews are, and how far off their margins.

    python -m dvonn.engine.tuning.calibrate r.npz ... --out dvonn/engine/margins.json

The data is that of `dvonn.engine.tuning.reviewed`. Printed is, for each tenth of the chance to win,
what was said on average and what came of it; proven positions are left out, for they are right.
Written are the margins between which eight games in ten ended, by stacks left and by chance,
from games that are not held out; how many of the held-out ones end between them is printed.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dvonn.engine.estimates import Margins
from dvonn.engine.tuning.fit import Floats

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


@dataclass(frozen=True, slots=True)
class Forecasts:
    """Columns: what was said of positions, and how their games ended, from White's eye."""

    game: Floats
    stacks: Floats
    chance: Floats
    exact: Floats
    margin: Floats

    def __getitem__(self, rows: NDArray[np.bool_]) -> "Forecasts":
        return Forecasts(**{name: getattr(self, name)[rows] for name in self.__dataclass_fields__})

    def both_eyes(self) -> "Forecasts":
        """The same again from Black's eye."""
        other = Forecasts(self.game, self.stacks, 1 - self.chance, self.exact, -self.margin)
        return Forecasts(
            **{
                name: np.concatenate([getattr(self, name), getattr(other, name)])
                for name in self.__dataclass_fields__
            }
        )


def read(paths: Sequence[Path]) -> Forecasts:
    """Read files one after another."""
    files = [np.load(path) for path in paths]
    return Forecasts(
        **{
            name: np.concatenate([file[name] for file in files])
            for name in Forecasts.__dataclass_fields__
        }
    )


def table(said: Forecasts) -> list[tuple[float, int, float, float]]:
    """By tenths of White's chance: from where, how many, what was said, and what came of it."""
    came = (np.sign(said.margin) + 1) / 2
    rows = []
    for number in range(_BINS):
        low, high = number / _BINS, (number + 1) / _BINS
        part = (said.chance >= low) & (said.chance < high)
        if part.any():
            rows.append((low, int(part.sum()), said.chance[part].mean(), came[part].mean()))
    return rows


def margins(said: Forecasts) -> Margins:
    """The ranges, from positions whose outcome is open; and from those whose winner is proven."""
    decided = (said.chance == 0) | (said.chance == 1)
    still, won = said[~decided].both_eyes(), said[said.chance == 1]
    cells = np.zeros((len(_SHARES), len(STACKS), len(CHANCES)))
    most = []
    for row, (fewest, many) in enumerate(pairwise(_STACK_EDGES)):
        here = (still.stacks >= fewest) & (still.stacks < many)
        for column, (low, high) in enumerate(pairwise(_CHANCE_EDGES)):
            part = here & (still.chance >= low) & (still.chance < high)
            cells[:, row, column] = np.quantile(still.margin[part], _SHARES)
        # At evens both are alike, and who is ahead by more ends no worse.
        cells[:, row, 0] = np.mean(np.abs(cells[:, row, 0])) * np.array([-1, 1])
        cells[:, row] = np.maximum.accumulate(cells[:, row], axis=1)
        part = (won.stacks >= fewest) & (won.stacks < many)
        most.append(round(float(np.quantile(won.margin[part], _SHARES[1])), 1))
    lows, highs = np.round(cells, 1).tolist()
    return Margins(STACKS, CHANCES, lows, highs, most)


def covered(found: Margins, said: Forecasts) -> float:
    """The share of games that end within the range."""
    still = said[(said.chance > 0) & (said.chance < 1)].both_eyes()
    ahead = still[still.chance >= 1 / 2]
    inside = [
        low <= margin <= high
        for stacks, chance, margin in zip(ahead.stacks, ahead.chance, ahead.margin, strict=True)
        for low, high in [found.open(float(chance), int(stacks))]
    ]
    return float(np.mean(inside))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, and write the ranges; `arguments` are those of the command line."""
    parser = argparse.ArgumentParser(prog="python -m dvonn.engine.tuning.calibrate")
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(arguments)

    said = read(options.data)
    unproven = said[(said.exact == 0) & (said.chance > 0) & (said.chance < 1)]
    print(f"{len(np.unique(said.game))} games, {len(said.game)} positions")
    for low, count, chance, came in table(unproven):
        print(f"| {low:.1f} | {count} | {chance:.3f} | {came:.3f} | {came - chance:+.3f} |")
    inexact = said[said.exact == 0]
    held = inexact.game % _HELD_OUT == 0
    found = margins(inexact[~held])
    print(f"held out, between the margins: {covered(found, inexact[held]):.3f}")
    if options.out:
        options.out.write_text(as_json(found), encoding="utf-8")


def as_json(found: Margins) -> str:
    """The file's text: a line for each row."""
    rows = [f' "{name}": {json.dumps(value)}' for name, value in asdict(found).items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    main()
