"""Every puzzle looked at again by a plain search on the rules, without the engine.

    python -m benchmarks.puzzles [--limit 5000] [--every 20]

`wrong` must be 0: it counts the puzzles in which another move, or none, reaches the goal.
`given_up` counts those that take the search more than `--limit` positions. `undefended` must be 0:
it counts those in which some defence to the first move is not answered up to the goal. `answer_ms`
are of an answer to a first or a second move, and `two_plies_ratio` is the share that a player finds
who looks two plies ahead.
"""

import argparse
import time
from collections.abc import Sequence
from statistics import median

from benchmarks.result import result_line
from dvonn.engine.baseline import Baseline
from dvonn.motifs import positions
from dvonn.puzzles import Puzzle, load
from tests.dvonn.plain_search import GaveUpError, lead, moves_that_reach


def is_confirmed(puzzle: Puzzle, limit: int) -> bool | None:
    """Tell if its first move alone reaches the goal; None if that takes too long."""
    try:
        found = moves_that_reach(puzzle.position, puzzle.goal, limit=limit)
    except GaveUpError:
        return None
    return found == [puzzle.solution[0]]


def is_defended(puzzle: Puzzle) -> bool:
    """Tell if the goal is reached after each defence to the first move."""
    first = puzzle.solution[0]
    after = puzzle.position.play(first)
    if after.turn is puzzle.solver:
        return True  # the opponent has to pass
    for defence in after.legal_moves():
        line = (first, defence, *puzzle.play_on((first, defence)))
        if lead(positions(puzzle.position, line)[-1], puzzle.solver) < puzzle.goal:
            return False
    return True


def answer_seconds(puzzle: Puzzle) -> list[float]:
    """Time the answers to each first move, and to each second one after the best defence."""
    answer = puzzle.answer((), puzzle.solution[0])
    took = []
    for before, here in (
        ((), puzzle.position),
        ((puzzle.solution[0], *answer.replies), answer.position),
    ):
        for move in here.legal_moves():
            start = time.process_time()
            puzzle.answer(before, move)
            took.append(time.process_time() - start)
    return took


def main(arguments: Sequence[str] | None = None) -> None:
    """Look at the puzzles, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.puzzles")
    parser.add_argument("--limit", type=int, default=5_000, help="positions for a puzzle at most")
    parser.add_argument("--every", type=int, default=20, help="one of so many puzzles")
    options = parser.parse_args(arguments)
    puzzles = load()[:: options.every]
    said = [is_confirmed(one, options.limit) for one in puzzles]
    two_plies = [Baseline(depth=2).choose(one.position) is one.solution[0] for one in puzzles]
    took = [seconds * 1000 for one in puzzles for seconds in answer_seconds(one)]
    figures = {
        "puzzles": len(puzzles),
        "confirmed": said.count(True),
        "wrong": said.count(False),
        "given_up": said.count(None),
        "undefended": sum(not is_defended(one) for one in puzzles),
        "answer_ms_median": median(took),
        "answer_ms_max": max(took),
        "two_plies_ratio": sum(two_plies) / len(two_plies),
    }
    print(result_line("puzzles", figures))


if __name__ == "__main__":
    main()
