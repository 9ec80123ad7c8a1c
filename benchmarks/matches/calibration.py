"""Maximum-likelihood ratings of the machine's levels, from the games of a ladder.

    python -m benchmarks.matches.calibration [--version 7] [FILE]

This prints the entry for `club/ratings/model.py`, and a RESULT line. FILE was written by `python -m
benchmarks.matches.ladder --out FILE`. With it, the counts for `LADDERS` are also printed. Without
it, the counts in `LADDERS` are used.

A player's chance follows Elo's curve, which Glicko also uses, and a draw is half a win and half a
loss. Only differences between ratings can be measured, so one level's rating is given, as
docs/ratings.md describes. The errors are standard errors of the differences from it. They are
computed with the sandwich estimator of White (1982), because the two games on one board are not
independent of each other: "Maximum Likelihood Estimation of Misspecified Models", Econometrica 50.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.result import result_line

POINTS: Final = (0.0, 0.5, 1.0, 1.5, 2.0)
"""The results of two games on one board."""
LADDERS: Final[dict[int, dict[tuple[int, int], tuple[int, ...]]]] = {
    # `benchmarks.matches.ladder`: 300 games a rung up to level 8 (30 November 2026), 200 and 150
    # above (28 November 2026, with version 6, whose levels from 8 on are the same).
    7: {
        (1, 0): (122, 2, 25, 0, 1),
        (2, 0): (96, 7, 43, 0, 4),
        (2, 1): (14, 0, 62, 6, 68),
        (3, 0): (69, 3, 61, 2, 15),
        (3, 2): (16, 1, 55, 4, 74),
        (4, 0): (26, 4, 71, 7, 42),
        (4, 3): (13, 1, 59, 4, 73),
        (5, 0): (10, 4, 67, 7, 62),
        (5, 4): (11, 1, 56, 4, 78),
        (6, 0): (3, 0, 36, 2, 109),
        (6, 5): (13, 1, 54, 6, 76),
        (7, 6): (13, 3, 59, 6, 69),
        (8, 7): (13, 3, 66, 3, 65),
        (9, 8): (9, 1, 43, 4, 43),
        (10, 9): (5, 2, 33, 8, 52),
        (11, 10): (7, 1, 37, 3, 52),
        (12, 11): (4, 2, 29, 1, 39),
        (13, 12): (3, 0, 26, 2, 29),
        (14, 13): (1, 1, 14, 0, 14),
        (15, 14): (0, 0, 18, 4, 23),
        (16, 15): (2, 2, 31, 1, 24),
    },
}
"""For each version of the machine and each rung: the number of boards with each of `POINTS`."""
ZERO: Final = (11, 2_327.5)
"""The level with a fixed rating, and that rating.

It plays as well as the former level 7, from when level 3 had 1500 by definition.
"""
_SCALE: Final = 400 / math.log(10)
_STEPS: Final = 50
_SURE: Final = 1e-10


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games on one board, with both colors."""

    one: int
    """A level. 0 is the baseline, which looks one ply ahead."""
    other: int
    points: float
    """The points of `one` in both games together."""


def ladder(version: int) -> list[Pair]:
    """Return the pairs of a version's ladder."""
    return [
        Pair(number, other, points)
        for (number, other), counts in LADDERS[version].items()
        for points, count in zip(POINTS, counts, strict=True)
        for _ in range(count)
    ]


def pairs(lines: Iterable[str]) -> list[Pair]:
    """Read the games of a ladder's file."""
    games: dict[tuple[int, int, int], float] = {}
    for line in lines:
        rung = json.loads(line)
        if "margin" in rung and rung["against"] >= 0:
            key = rung["level"], rung["against"], rung["number"] // 2
            won = (rung["margin"] > 0) - (rung["margin"] < 0)
            games[key] = games.get(key, 0.0) + 0.5 + 0.5 * won
    return [Pair(number, other, points) for (number, other, _), points in games.items()]


def counted(games: Iterable[Pair]) -> dict[tuple[int, int], tuple[int, ...]]:
    """Count the boards of each rung, as `LADDERS` does."""
    game_counts = Counter((game.one, game.other, game.points) for game in games)
    rungs = dict.fromkeys((number, other) for number, other, _ in game_counts)
    return {rung: tuple(game_counts[*rung, points] for points in POINTS) for rung in rungs}


def fit(games: Sequence[Pair], zero: tuple[int, float] = ZERO) -> dict[int, tuple[float, float]]:
    """Return the rating of each player and its standard error. The rating of `zero` is given."""
    fixed, fixed_rating = zero
    players = sorted({game.one for game in games} | {game.other for game in games})
    free = [player for player in players if player != fixed]
    column = {player: number for number, player in enumerate(free)}
    design = np.zeros((len(games), len(free)))
    for row, pair in enumerate(games):
        for player, sign in ((pair.one, 1), (pair.other, -1)):
            if player != fixed:
                design[row, column[player]] = sign
    points = np.array([game.points for game in games])
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
    ratings = {fixed: (fixed_rating, 0.0)}
    for player, number in column.items():
        rating = fixed_rating + _SCALE * float(strengths[number])
        ratings[player] = rating, _SCALE * float(spread[number])
    return dict(sorted(ratings.items()))


def entry(version: int, ratings: dict[int, tuple[float, float]]) -> str:
    """Return the line for `club/ratings/model.py`."""
    levels = (ratings[level] for level in sorted(ratings) if level > 0)
    figures = "\n".join(f"        ({rating:.1f}, {error:.1f})," for rating, error in levels)
    return f"    {version}: (\n{figures}\n    ),"


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, and print the entry and the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches.calibration")
    parser.add_argument("--version", type=int, default=max(LADDERS))
    parser.add_argument("file", type=Path, nargs="?", help="a ladder's games")
    options = parser.parse_args(arguments)
    if options.file is None:
        games = ladder(options.version)
    else:
        games = pairs(options.file.read_text(encoding="utf-8").splitlines())
        print("\n".join(map(str, counted(games).items())))
    ratings = fit(games)
    print(entry(options.version, ratings))
    figures: dict[str, float] = {"games": 2 * len(games)}
    for player, (rating, error) in ratings.items():
        name = f"level_{player}" if player else "baseline"
        figures |= {f"{name}_elo": rating, f"{name}_error_elo": error}
    print(result_line("calibration", figures))


if __name__ == "__main__":
    main()
