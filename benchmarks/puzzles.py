"""An independent check of all puzzles, which searches proven ones with the plain rules.

    python -m benchmarks.puzzles [--limit 5000] [--every 20] [--nodes 2000000]
    python -m benchmarks.puzzles --games 50 [--every 7]

`wrong` must be 0: it counts the puzzles in which another first move, or none, reaches the goal.
`given_up` counts the puzzles that would need a search of more than `--limit` positions.
`undefended` must be 0: it counts the puzzles whose stored answers miss the goal after some defense
to the first move. `answer_ms` is the time of an answer to a first or a second move.
`two_plies_ratio` is the share of the puzzles that a player who looks two plies ahead solves.
`depth_rank_correlation` correlates the ratings of proven puzzles with the depth that a
piece-counting player must search, and `levels_rank_correlation` with the number of levels from 3 to
14 that find the first move. Judged puzzles are judged again, by searches of a different size:
`doubted` counts the puzzles in which another move is best, or in which the best one leads by less
than half the required amount.

With `--games`, players of level 10 play on from the best point of placement puzzles, and from the
next best: `best_ratio` and `next_ratio` are the scores of the placing player, `gain_error` is the
standard error of the difference, and `better` counts the placements in which the best point scored
more.
"""

import argparse
import time
from collections.abc import Sequence
from statistics import mean, median, variance
from typing import Final

from benchmarks.result import result_line
from benchmarks.tuning.judging import beside, full_boards, means, two_best
from dvonn import Color, Position
from dvonn.engine.baseline import Baseline
from dvonn.engine.matches.statistics import rank_correlation
from dvonn.engine.player import player_at
from dvonn.engine.searcher import Searcher
from dvonn.reviews.lines import positions
from dvonn_lessons.puzzles import Aim, Puzzle, load
from dvonn_lessons.shallow import ShallowPlayer
from tests.dvonn.plain_search import GaveUpError, lead, moves_that_reach

_AHEAD, _GAP = 0.5, 0.1
"""Minimum chance with a fight's best move, and its minimum lead over any other move."""
_BOARDS: Final = 40
"""Divisor that gives the number of positions searched per full board."""
_LEVEL: Final = 10
_LEVELS: Final = range(3, 15)
_DEEPEST: Final = 6


def is_confirmed(puzzle: Puzzle, limit: int) -> bool | None:
    """Return True if only its first move reaches the goal, or None if that takes too long."""
    try:
        solutions = moves_that_reach(puzzle.position, puzzle.goal, limit=limit)
    except GaveUpError:
        return None
    return solutions == [puzzle.solution[0]]


def is_defended(puzzle: Puzzle) -> bool:
    """Return True if the goal is reached after each defense to the first move."""
    first = puzzle.solution[0]
    after = puzzle.position.play(first)
    if after.turn is puzzle.solver:
        return True  # the opponent has to pass
    for defence in after.legal_moves():
        line = (first, defence, *puzzle.play_on((first, defence)))
        if lead(positions(puzzle.position, line)[-1], puzzle.solver) < puzzle.goal:
            return False
    return True


def is_judged_alike(puzzle: Puzzle, nodes: int) -> bool:
    """Return True if another search finds the same move, with at least half the required lead."""
    searcher, best = Searcher(megabytes=64), puzzle.solution[0]
    if puzzle.aim is Aim.FIGHT:
        judgment = two_best(searcher, puzzle.position, nodes)
        return judgment.best == best and judgment.keeps(_AHEAD, _GAP)
    boards = full_boards(searcher, puzzle.position, nodes // _BOARDS)
    first, second, *_ = means(boards)
    return first == best.target and beside(boards, first, second)[0] >= _GAP / 2


def scores(puzzle: Puzzle, games: int) -> tuple[list[float], list[float]]:
    """Return the scores of games that are played on from the best placement, and from the next."""
    best, first = puzzle.solution[0], puzzle.position
    second = max((move for move in first.legal_moves() if move != best), key=puzzle.chance)
    scores_of_points = [
        [_score(first.play(move), puzzle.solver, seed) for seed in range(games)]
        for move in (best, second)
    ]
    return scores_of_points[0], scores_of_points[1]


def _score(position: Position, color: Color, seed: int) -> float:
    players = {color: player_at(_LEVEL, 2 * seed + (color is Color.BLACK)) for color in Color}
    while position.turn is not None:
        position = position.play(players[position.turn].choose(position))
    margin = lead(position, color)
    return (margin > 0) + (margin == 0) / 2


def found_by(puzzle: Puzzle) -> int:
    """Count the levels that play the first move of the solution."""
    right = puzzle.solution[0]
    return sum(player_at(level, level).choose(puzzle.position) == right for level in _LEVELS)


def answer_seconds(puzzle: Puzzle) -> list[float]:
    """Time the answers to each first move, and to each second one after the best defense."""
    answer = puzzle.answer((), puzzle.solution[0])
    took = []
    for before, position in (
        ((), puzzle.position),
        ((puzzle.solution[0], *answer.replies), answer.position),
    ):
        for move in position.legal_moves():
            start = time.process_time()
            puzzle.answer(before, move)
            took.append(time.process_time() - start)
    return took


def main(arguments: Sequence[str] | None = None) -> None:
    """Check the puzzles, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.puzzles")
    parser.add_argument("--limit", type=int, default=5_000, help="positions for a puzzle at most")
    parser.add_argument("--every", type=int, default=20, help="one of so many puzzles")
    parser.add_argument("--nodes", type=int, default=2_000_000, help="for a judged puzzle")
    parser.add_argument("--games", type=int, default=0, help="to play from each point")
    options = parser.parse_args(arguments)
    if options.games:
        placements = [puzzle for puzzle in load() if puzzle.aim is Aim.PLACEMENT][:: options.every]
        played = [scores(placement, options.games) for placement in placements]
        print(result_line("placements", played_figures(played)))
        return
    chosen = load()[:: options.every]
    puzzles = [puzzle for puzzle in chosen if not puzzle.judged]
    judged = [is_judged_alike(puzzle, options.nodes) for puzzle in chosen if puzzle.judged]
    confirmations = [is_confirmed(puzzle, options.limit) for puzzle in puzzles]
    two_plies = [
        Baseline(depth=2).choose(puzzle.position) is puzzle.solution[0] for puzzle in puzzles
    ]
    ratings, counting = [puzzle.rating for puzzle in puzzles], ShallowPlayer()
    depths = [
        counting.depth_needed(puzzle.position, puzzle.solution[0], _DEEPEST) for puzzle in puzzles
    ]
    took = [seconds * 1000 for puzzle in puzzles for seconds in answer_seconds(puzzle)]
    figures = {
        "puzzles": len(puzzles),
        "confirmed": confirmations.count(True),
        "wrong": confirmations.count(False),
        "given_up": confirmations.count(None),
        "undefended": sum(not is_defended(puzzle) for puzzle in puzzles),
        "judged": len(judged),
        "doubted": judged.count(False),
        "answer_ms_median": median(took),
        "answer_ms_max": max(took),
        "two_plies_ratio": sum(two_plies) / len(two_plies),
        "depth_rank_correlation": rank_correlation(ratings, depths),
        "levels_rank_correlation": rank_correlation(ratings, [*map(found_by, puzzles)]),
    }
    print(result_line("puzzles", figures))


def played_figures(played: Sequence[tuple[list[float], list[float]]]) -> dict[str, float]:
    """Return the scores of all games together, separately for each of the two points."""
    best, other = ([score for pair in played for score in pair[at]] for at in (0, 1))
    better = [mean(first) - mean(second) for first, second in played]
    return {
        "placements": len(played),
        "best_ratio": mean(best),
        "next_ratio": mean(other),
        "gain_error": ((variance(best) + variance(other)) / len(best)) ** 0.5,
        "better": sum(gain > 0 for gain in better),
    }


if __name__ == "__main__":
    main()
