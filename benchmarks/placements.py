"""Placements that are searched against those that are only dealt out.

    python -m benchmarks.placements [--boards 200] [--seed 5000] [--boards-searched 40]

Each seed makes two full boards, one with each colour for the side that searches. A board counts
what White's chance to win is by a search of 100,000 positions: so few boards tell what many games
would. `searched_ratio` is the mean for the side that searches, `error_ratio` half of its 95%
interval over pairs of boards, `ms` the processor time of a searched placement.
"""

import argparse
import random
import time
from collections.abc import Sequence
from statistics import fmean
from typing import Final

from benchmarks.matches.statistics import estimate
from benchmarks.result import result_line
from dvonn import Color, Phase, Position
from dvonn.engine.estimates import SearchedValue
from dvonn.engine.placement import choose_placement
from dvonn.engine.placement_search import search_placement
from dvonn.engine.searcher import Searcher

_JUDGED: Final = 100_000
_PLACEMENTS: Final = 23
"""Those of a side, without the red pieces."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Place, and print a RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.placements")
    parser.add_argument("--boards", type=int, default=200, help="an even number")
    parser.add_argument("--seed", type=int, default=5000)
    parser.add_argument("--boards-searched", type=int, default=40, help="in the first round")
    options = parser.parse_args(arguments)

    judge, searcher = Searcher(), Searcher()
    took = 0.0

    def chance(seed: int, side: Color) -> float:
        nonlocal took
        rng, position = random.Random(seed), Position.initial()
        while position.phase is Phase.PLACEMENT:
            if position.turn is not side:
                move = choose_placement(position, rng)
            else:
                began = time.process_time()
                move = search_placement(
                    position, rng, searcher, boards=options.boards_searched, seconds=None
                )
                took += time.process_time() - began
            position = position.play(move)
        judge.clear()
        found = judge.search(position, nodes=_JUDGED)
        return SearchedValue(found.value, len(position.stacks), found.exact).chance(side)

    chance(0, Color.WHITE)  # the engine is compiled
    took, seeds = 0.0, range(options.seed, options.seed + options.boards // 2)
    score = estimate([fmean(chance(seed, side) for side in Color) for seed in seeds])
    figures = {
        "boards": options.boards,
        "searched_ratio": score.score,
        "error_ratio": score.error,
        "ms": took / options.boards / _PLACEMENTS * 1000,
    }
    print(result_line("placements", figures))


if __name__ == "__main__":
    main()
