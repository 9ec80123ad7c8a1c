"""Search for even boards: balanced boards on which two searches find equal chances.

    python -m benchmarks.tuning.even_boards --seeds 80000 --found found.jsonl \
        --out dvonn/even_boards.bin

A short search evaluates each board. A long one, which starts with an empty table, evaluates the
boards that the short one finds close to even. The range of the long one is a little below one half,
because a search ten times as long gives White about 2 points more. Boards are evaluated one after
the other and written to `--found`, so that an interrupted run can continue. The limits are numbers
of nodes, so that the same seeds give the same bytes on every machine.
"""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.result import result_line
from benchmarks.tuning.resumable import find_all, games
from dvonn import fairness
from dvonn.engine.estimates import win_probability
from dvonn.engine.matches.starts import STARTS
from dvonn.engine.searcher import Searcher
from dvonn.even_boards import packed

_NAME: Final = "chances"
_SHORT: Final = 200_000
_LONG: Final = 1_000_000
_MAY_BE_EVEN: Final = (0.40, 0.58)
"""White's chances by the short search that justify a second search."""
_EVEN: Final = (0.465, 0.515)
"""White's chances by the long search on an even board."""


def chances(searcher: Searcher, seed: int) -> list[float]:
    """Return White's chances by the short search and, if needed, by the long one."""
    board = STARTS["balanced"](seed)
    if not fairness(board).is_balanced:
        return []
    probabilities: list[float] = []
    for nodes, (least, greatest) in ((_SHORT, _MAY_BE_EVEN), (_LONG, _EVEN)):
        searcher.clear()
        value = searcher.search(board, nodes=nodes).value
        probabilities.append(round(win_probability(value, len(board.stacks)), 4))
        if not least <= probabilities[-1] <= greatest:
            break
    return probabilities


def is_even(probabilities: Sequence[float]) -> bool:
    """Return True if both searches judged a board to be even."""
    return len(probabilities) > 1 and _EVEN[0] <= probabilities[1] <= _EVEN[1]


def main(arguments: Sequence[str] | None = None) -> None:
    """Search boards, and write the file of the even ones."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuning.even_boards")
    parser.add_argument("--seeds", type=int, default=80_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first board; they count up")
    parser.add_argument("--found", type=Path, required=True, help="kept between runs")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)

    seeds = range(options.seed, options.seed + options.seeds)
    find_all(seeds, partial(chances, Searcher()), options.found, name=_NAME)
    even = sorted(
        seed for seed, probabilities in games(options.found, _NAME) if is_even(probabilities)
    )
    options.out.write_bytes(packed(even))
    print(result_line("even_boards", {"boards": len(seeds), "even": len(even)}))


if __name__ == "__main__":
    main()
