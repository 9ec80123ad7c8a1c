"""Every puzzle looked at again by a plain search on the rules, without the engine.

    python -m benchmarks.puzzles [--limit 20000] [--every 1]

The search gives up on a puzzle that takes more than `--limit` positions. `wrong` must be 0: it
counts the puzzles in which another move, or none, reaches the goal. `two_plies_ratio` is the share
that a player finds who looks two plies ahead.
"""

import argparse
from collections.abc import Sequence

from benchmarks.result import result_line
from dvonn.engine.baseline import Baseline
from dvonn.puzzles import Puzzle, load
from tests.dvonn.plain_search import GaveUpError, moves_that_reach


def is_confirmed(puzzle: Puzzle, limit: int) -> bool | None:
    """Whether its first move alone reaches the goal; None if that takes too long."""
    try:
        found = moves_that_reach(puzzle.position, puzzle.goal, limit=limit)
    except GaveUpError:
        return None
    return found == [puzzle.solution[0]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Look at them, and print the RESULT line; `arguments` are those of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.puzzles")
    parser.add_argument("--limit", type=int, default=20_000, help="positions for a puzzle at most")
    parser.add_argument("--every", type=int, default=1, help="every so many puzzles")
    options = parser.parse_args(arguments)
    puzzles = load()[:: options.every]
    said = [is_confirmed(one, options.limit) for one in puzzles]
    two_plies = [Baseline(depth=2).choose(one.position) is one.solution[0] for one in puzzles]
    figures = {
        "puzzles": len(puzzles),
        "confirmed": said.count(True),
        "wrong": said.count(False),
        "given_up": said.count(None),
        "two_plies_ratio": sum(two_plies) / len(two_plies),
    }
    print(result_line("puzzles", figures))


if __name__ == "__main__":
    main()
