"""Find puzzles that are judged by searches: fights and placements.

    python -m benchmarks.tuning.judged_puzzles --of fight --seed 30000 --games 9000 \
        --found fights.jsonl \
        --kept dvonn_lessons/puzzles/puzzles.json --out dvonn_lessons/puzzles/puzzles.json
    python -m benchmarks.tuning.judged_puzzles --of placement --seed 50000 --games 9000 \
        --found placements.jsonl \
        --kept dvonn_lessons/puzzles/puzzles.json --out dvonn_lessons/puzzles/puzzles.json

**Fights** are positions with 24 to 42 stacks, from games of weak players on boards that the engine
placed. Three searches for the two best moves, each longer than the one before and the last two with
an empty table, must agree on the one move that keeps the lead. Every other move must lose it.

**Placements** come from boards on which some pieces were placed at random, and 6 to 8 are left to
place. All full boards that can follow are searched. One point must be better than any other, both
on average over the boards and if both players go on to place as well as they can.

Puzzles are left out if a player who looks two plies ahead, or places by a simple count, solves them
at once. Games are searched one after the other and written to `--found`, so that an interrupted run
can continue.
"""

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.tuning.judging import BestPlacements, Judgment, beside, full_boards, means, two_best
from benchmarks.tuning.puzzles import choose, read_earlier_puzzles, read_puzzles, report, write
from benchmarks.tuning.resumable import find_all
from dvonn import POINTS, Color, Move, Phase, Point, Position, position_to_text
from dvonn._rules.packed_moves import packed
from dvonn.engine.baseline import Baseline
from dvonn.engine.estimates import win_probability
from dvonn.engine.placement import choose_placement
from dvonn.engine.placement_worth import outlook
from dvonn.engine.searcher import Searcher
from dvonn_lessons.likeness import name_of
from dvonn_lessons.puzzle_search import FoundPuzzle, rating_of
from dvonn_lessons.puzzles import Aim, Puzzle, PuzzleTheme
from dvonn_lessons.puzzles.puzzle import NOT_STORED, WRONG
from dvonn_lessons.shallow import ShallowPlayer
from dvonn_lessons.solver import lead
from dvonn_lessons.themes import first_move_themes

_NAME: Final = "puzzles"
_LEAST, _GAP = 0.6, 0.2
"""Minimum chance with a fight's best move, and the minimum difference to each other move."""
_STACKS: Final = (24, 42)
_GLANCE, _AT_A_GLANCE, _GOOD_AT_A_GLANCE = 3, 0.45, 0.68
"""Depth of the first search, minimum chance of its best move, maximum of any other move."""
_QUICK: Final = 1_000
_FIRST: Final = 50_000
_NODES: Final = (500_000, 4_000_000, 6_000_000)
"""The positions of a fight's searches, each with an empty table."""
_LEAST_JUDGED: Final = 1_000_000
"""Minimum number of positions that a judged puzzle must require. Puzzles that take fewer are proven
instead."""
_REPLY, _FOLLOWING = 40_000, 8_000
"""Node limits for the reply to a move, and for each later move of its line."""
_PLIES: Final = 7
"""Number of plies of a line, including the first move."""
_LEAST_CHOICES: Final = 5
PLAYERS: Final = (30, 100, 300)
_RANDOM_MOVES: Final = (0.03, 0.1, 0.2)
_SAMPLES: Final = (50, 400)
_DEEPEST: Final = 6

_LEFT: Final = (8, 7, 6)
_BY_CHANCE: Final = (0.5, 0.75, 1.0)
"""Shares of randomly placed pieces. A board has one of them."""
_OUTLOOK: Final = (400, 4_000)
"""Numbers of full boards for judging placements before any is searched."""
_HINTS: Final = (0.045, 0.07)
"""Minimum leads of the best point, if a simple count misses it and if it finds it."""
_BETTER: Final = 0.1
_ERRORS: Final = 3
_BOARD_NODES: Final = (20_000, 200_000)
"""Number of positions searched for each full board."""
_LIVELY: Final = (0.1, 0.9)


def fights_of(seed: int, players: Sequence[int] = PLAYERS) -> list[dict[str, Any]]:
    """Return at most one fight puzzle from a self-play game.

    Args:
        seed: Seed of the game.
        players: Numbers of positions that a player may search for a move. Each gets a random one.
    """
    searcher = Searcher(megabytes=64)
    for ply, position in game(seed, players):
        if _STACKS[0] <= len(position.stacks) <= _STACKS[1]:
            fight = _fight(seed, ply, position, searcher)
            if fight is not None and fight.puzzle.judged >= _LEAST_JUDGED:
                return [asdict(fight) | {"puzzle": fight.puzzle.to_json()}]
    return []


def game(seed: int, players: Sequence[int]) -> Iterator[tuple[int, Position]]:
    """Yield the positions of a game's movement phase, as long as they may be fights."""
    rng = random.Random(seed)
    searcher, position = Searcher(megabytes=1), Position.initial()
    samples = rng.choice(_SAMPLES)
    while position.phase is Phase.PLACEMENT:
        position = position.play(choose_placement(position, rng, samples=samples))
    nodes, ply = {color: rng.choice(players) for color in Color}, 0
    by_chance = rng.choice(_RANDOM_MOVES)
    while position.turn is not None and len(position.stacks) >= _STACKS[0]:
        yield ply, position
        move = searcher.search(position, nodes=nodes[position.turn]).move
        if rng.random() < by_chance:
            move = rng.choice(position.legal_moves())
        position, ply = position.play(move), ply + 1


def _fight(seed: int, ply: int, position: Position, searcher: Searcher) -> FoundPuzzle | None:
    if not _may_be_sharp(position, searcher):
        return None
    judgment = _confirmed(position, searcher)
    if judgment is None:
        return None
    depth = ShallowPlayer().depth_needed(position, judgment.best, _DEEPEST)
    puzzle = _fight_puzzle(seed, ply, position, judgment, searcher, depth)
    choices = len(position.legal_moves())
    return FoundPuzzle(puzzle=puzzle, choices=choices, two_plies=False, depth=depth)


def _may_be_sharp(position: Position, searcher: Searcher) -> bool:
    """Return True if a shallow search finds a single good move that a greedy player would miss."""
    if len(position.legal_moves()) < _LEAST_CHOICES:
        return False
    judgment = two_best(searcher, position, _FIRST, depth=_GLANCE)
    if judgment.chance < _AT_A_GLANCE or judgment.beside > _GOOD_AT_A_GLANCE:
        return False
    return Baseline(depth=1).choose(position) is not judgment.best


def _confirmed(position: Position, searcher: Searcher) -> Judgment | None:
    """Return the longest search's result, if all find the same move and a greedy player doesn't."""
    if not two_best(searcher, position, _QUICK).keeps(_LEAST - 0.05, _GAP / 2):
        return None
    judgment = two_best(searcher, position, _FIRST)
    if not judgment.keeps(_LEAST - 0.02, _GAP - 0.03):
        return None
    move = judgment.best
    if any(Baseline(depth=depth).choose(position) is move for depth in (1, 2)):
        return None
    for nodes in _NODES:
        searcher.clear()
        judgment = two_best(searcher, position, nodes)
        if judgment.best is not move or not judgment.keeps(_LEAST, _GAP):
            return None
    return judgment


def _fight_puzzle(
    seed: int, ply: int, position: Position, judgment: Judgment, searcher: Searcher, depth: int
) -> Puzzle:
    other_lines, nodes = "", judgment.nodes
    for move in position.legal_moves():
        if move is not judgment.best:
            chance, line, looked = _play_out(position, move, searcher)
            nodes += looked
            # The long search of all moves has shown that no other move is better than the second.
            chance = judgment.beside if move is judgment.second else min(chance, judgment.beside)
            other_lines += (
                f"{WRONG}{_percent(chance):02}{packed(position.play(move), line)}{NOT_STORED}"
            )
    _, line, _ = _play_out(position, judgment.best, searcher)
    wrong = judgment.second
    return Puzzle(
        id=name_of(position),
        text=position_to_text(position),
        aim=Aim.FIGHT,
        goal=50,
        best=_percent(judgment.chance),
        rating=rating_of(position, judgment.best, 1, depth),
        themes=(*first_move_themes(position, judgment.best, wrong), PuzzleTheme.FIGHT),
        moves=1,
        seed=seed,
        ply=ply,
        line=packed(position, (judgment.best, *line)),
        others=other_lines,
        book="",
        judged=nodes,
    )


def _play_out(
    position: Position, move: Move, searcher: Searcher
) -> tuple[float, tuple[Move, ...], int]:
    """Return the chance with a move, the continuation, and the number of positions searched."""
    after, line, looked = position.play(move), list[Move](), 0
    chance = 0.0
    while after.turn is not None and len(line) < _PLIES - 1:
        result = searcher.search(after, nodes=_FOLLOWING if line else _REPLY)
        if not line:
            chance = win_probability(result.value, len(after.stacks))
            chance = chance if after.turn is position.turn else 1 - chance
        looked += result.nodes
        line.append(result.move)
        after = after.play(result.move)
    if not line:
        chance = float(lead(after, position.turn or Color.WHITE) > 0)
    return chance, tuple(line), looked


def _percent(chance: float) -> int:
    return min(max(round(100 * chance), 0), 99)


def placements_of(seed: int) -> list[dict[str, Any]]:
    """Return at most one placement puzzle from a random board."""
    rng = random.Random(seed)
    position, by_chance = Position.initial(), rng.choice(_BY_CHANCE)
    while position.phase is Phase.PLACEMENT:
        if len(POINTS) - position.plies in _LEFT and (placement := _placement(seed, position)):
            return [asdict(placement) | {"puzzle": placement.puzzle.to_json()}]
        if rng.random() < by_chance:
            position = position.play(rng.choice(position.legal_moves()))
        else:
            position = position.play(choose_placement(position, rng, samples=_SAMPLES[0]))
    return []


def _placement(seed: int, position: Position) -> FoundPuzzle | None:
    simple = Baseline().choose(position).target
    for samples in _OUTLOOK:
        estimate = outlook(position, samples=samples)
        first, second, *_ = sorted(estimate.points, key=estimate.points.__getitem__, reverse=True)
        better = estimate.points[first] - estimate.points[second]
        if better < _HINTS[first == simple] or not _LIVELY[0] < estimate.chance < _LIVELY[1]:
            return None
    searcher, best = Searcher(megabytes=16), None
    for nodes in _BOARD_NODES:
        searcher.clear()
        boards = full_boards(searcher, position, nodes)
        confirmed = best_point(boards)
        if confirmed is None or confirmed[0] != (best or confirmed[0]):
            return None
        best = confirmed[0]
    if best is None or confirmed is None:
        return None
    chances, lines, (_, error) = means(boards), BestPlacements(boards), confirmed[1]
    other_lines = ""
    for move in position.legal_moves():
        if move.target != best:
            _, line = lines.line(move.target)
            rest = packed(position.play(move), map(_placing, line[1:]))
            other_lines += f"{WRONG}{_percent(chances[move.target]):02}{rest}{NOT_STORED}"
    _, line = lines.line(best)
    puzzle = Puzzle(
        id=name_of(position),
        text=position_to_text(position),
        aim=Aim.PLACEMENT,
        goal=_percent(chances[best]) - round(100 * _BETTER) + 1,
        best=_percent(chances[best]),
        rating=_placement_rating(position, best, is_simple=best == simple),
        themes=(PuzzleTheme.PLACEMENT,),
        moves=1,
        seed=seed,
        ply=position.plies,
        line=packed(position, map(_placing, line)),
        others=other_lines,
        book="",
        judged=len(boards) * _BOARD_NODES[-1],
        error=math.ceil(100 * error),
    )
    return FoundPuzzle(puzzle=puzzle, choices=len(chances), two_plies=False, depth=0)


def best_point(
    boards: dict[frozenset[Point], float],
) -> tuple[Point, tuple[float, float]] | None:
    """Return the clearly best point and its lead over the next (see `beside`), or None.

    It must also be best if both players go on to place as well as they can.
    """
    best, *other_points = means(boards)
    gains = [beside(boards, best, other) for other in other_points]
    if any(gain < _BETTER or gain <= _ERRORS * error for gain, error in gains):
        return None
    lines = BestPlacements(boards)
    chance, _ = lines.line(best)
    if any(lines.line(other)[0] >= chance - _BETTER / 2 for other in other_points):
        return None
    return best, gains[0]


def _placing(point: Point) -> Move:
    return Move(target=point)


def _placement_rating(position: Position, best: Point, *, is_simple: bool) -> int:
    """Return a rating by the quick searches that miss the point, and by the number of points."""
    missed = sum(
        choose_placement(position, random.Random(0), samples=samples).target != best
        for samples in (20, 100, 1_000, 8_000)
    )
    return 900 + 150 * (not is_simple) + 100 * missed + 60 * len(position.legal_moves())


def main(arguments: Sequence[str] | None = None) -> None:
    """Find puzzles, and add them to the file of all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuning.judged_puzzles")
    parser.add_argument("--of", choices=[Aim.FIGHT.value, Aim.PLACEMENT.value], required=True)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, required=True, help="of the first game")
    parser.add_argument("--players", type=int, nargs="+", default=PLAYERS, help="see `fights_of`")
    parser.add_argument("--found", type=Path, required=True, help="kept between runs")
    parser.add_argument("--kept", type=Path, required=True, help="the file of earlier puzzles")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)

    seeds = range(options.seed, options.seed + options.games)
    fights = partial(fights_of, players=options.players)
    find = fights if options.of == Aim.FIGHT else placements_of
    find_all(seeds, find, options.found, name=_NAME)
    earlier = read_earlier_puzzles(options.kept)
    earlier_puzzles = [puzzle for puzzle in earlier if puzzle.puzzle.themes]
    chosen = choose(earlier_puzzles, read_puzzles(options.found, seeds))
    named = {puzzle.puzzle.id: puzzle.puzzle for puzzle in (*earlier, *chosen)}
    write([puzzle for _, puzzle in sorted(named.items())], options.out)
    print(report([puzzle for puzzle in chosen if puzzle.puzzle.judged]))


if __name__ == "__main__":
    main()
