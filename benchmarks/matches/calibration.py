"""The ratings of the machine's levels, by maximum likelihood from the games of a ladder.

    python -m benchmarks.matches.calibration [--version 2] [FILE]

prints the entry for `bot/features/ratings/model/machine.py`, and a RESULT line. FILE is what
`python -m benchmarks.matches.ladder --out FILE` has written; without it, the version's own.

A player's chance is that of Elo's curve, which is Glicko's as well, and a draw is half a win and
half a loss. The zero is free: level 3 is 1500, as docs/ratings.md tells. The errors are those of
the differences to it, by the sandwich of White (1982), as the two games on one board are not
independent of each other: "Maximum Likelihood Estimation of Misspecified Models", Econometrica 50.
"""

import argparse
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.result import result_line
from bot.features.ratings.model.glicko import START

RESULTS: Final = Path(__file__).parent / "results"
LADDERS: Final = {
    2: RESULTS / "2026-11-22-ladder.jsonl",
    3: RESULTS / "2026-11-23-ladder.jsonl",
}
"""The ladder of each version of the machine."""
ZERO: Final = 3
"""The level that a new player is taken to be as strong as: the one that is played where nothing was
chosen."""
_SCALE: Final = 400 / math.log(10)
_STEPS: Final = 50
_SURE: Final = 1e-10


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games on one board, with both colours."""

    one: int
    """A level; 0 is the baseline, which looks one ply ahead."""
    other: int
    points: float
    """Of the first, in both games together."""


def pairs(lines: Iterable[str]) -> list[Pair]:
    """The games of a ladder's file."""
    games: dict[tuple[int, int, int], float] = {}
    for line in lines:
        rung = json.loads(line)
        if "margin" in rung:
            key = rung["level"], rung["against"], rung["number"] // 2
            won = (rung["margin"] > 0) - (rung["margin"] < 0)
            games[key] = games.get(key, 0.0) + 0.5 + 0.5 * won
    return [Pair(one, other, points) for (one, other, _), points in games.items()]


def fit(games: Sequence[Pair]) -> dict[int, tuple[float, float]]:
    """The rating of each player and its standard error, `ZERO` at `START`."""
    players = sorted({one.one for one in games} | {one.other for one in games})
    free = [player for player in players if player != ZERO]
    column = {player: number for number, player in enumerate(free)}
    design = np.zeros((len(games), len(free)))
    for row, one in enumerate(games):
        for player, sign in ((one.one, 1), (one.other, -1)):
            if player != ZERO:
                design[row, column[player]] = sign
    points = np.array([one.points for one in games])
    strengths = np.zeros(len(free))
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-design @ strengths))
        information = design.T @ (design * (2 * chance * (1 - chance))[:, None])
        step = np.linalg.solve(information, design.T @ (points - 2 * chance))
        strengths += step
        if np.abs(step).max() < _SURE:
            break
    scores = design * (points - 2 * chance)[:, None]
    bread = np.linalg.inv(information)
    spread = np.sqrt(np.diag(bread @ (scores.T @ scores) @ bread))
    found = {ZERO: (START, 0.0)}
    for player, number in column.items():
        rating = START + _SCALE * float(strengths[number])
        found[player] = rating, _SCALE * float(spread[number])
    return dict(sorted(found.items()))


def entry(version: int, found: dict[int, tuple[float, float]]) -> str:
    """The line of `bot/features/ratings/model/machine.py`."""
    levels = (found[level] for level in sorted(found) if level > 0)
    figures = "\n".join(f"        ({rating:.1f}, {error:.1f})," for rating, error in levels)
    return f"    {version}: (\n{figures}\n    ),"


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, and print; `arguments` are those of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches.calibration")
    parser.add_argument("--version", type=int, default=max(LADDERS))
    parser.add_argument("file", type=Path, nargs="?", help="a ladder's games")
    options = parser.parse_args(arguments)
    file = options.file or LADDERS[options.version]
    games = pairs(file.read_text(encoding="utf-8").splitlines())
    found = fit(games)
    print(entry(options.version, found))
    figures = {"games": 2.0 * len(games)}
    for player, (rating, error) in found.items():
        name = f"level_{player}" if player else "baseline"
        figures |= {f"{name}_elo": rating, f"{name}_error_elo": error}
    print(result_line("calibration", figures))


if __name__ == "__main__":
    main()
