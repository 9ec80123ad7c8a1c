"""Results of positions of known value, when the engine plays them on with itself.

    python -m benchmarks.tuning.played_on --games 2000 --seed 2000000 --found searched.jsonl
    python -m benchmarks.tuning.played_on --games 100 --seed 3000000 --found r.jsonl --review

Each game begins as those of `dvonn.engine.selfplay`, on a full board; each player is of one
of the levels, by chance. Positions of it, at random, are valued: by a search with an empty table
and as many nodes as a review first gives to each move, or as the review of the game says. Then two
players of one level, strangers to the game, play each of them on to its end. How the game itself
ended does not matter: that is one result for all of its positions, these are one for each.

Games are added to `--found`, where a run that was broken off goes on. For `calibrate` a line holds
a game's seed and its positions, those left out that are proven, each as four numbers:

    ply      of the next move
    stacks   on the board where the value was found; in a review perhaps later in the game
    points   for White
    margin   how it ended when it was played on, in pieces for White
"""

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.tuning.kept import find_all
from benchmarks.tuning.reviewed import play
from dvonn import POINTS, Color, GameRecord, Position
from dvonn.engine.estimates import SearchedValue
from dvonn.engine.player import player_at
from dvonn.engine.reviewing import SHARE, Walk
from dvonn.engine.searcher import Searcher

LEVELS: Final = (5, 7, 8, 10, 11)
"""Levels of the players whose games the positions come from: people err as often."""
PLAYED_ON_BY: Final = 11
"""The level by which the chance to win is defined."""
_POSITIONS: Final = 6

NAME: Final = "positions"
"""The key that holds them in a line."""

Row = tuple[int, int, int, int]
Valued = Iterator[tuple[int, SearchedValue]]


def rows(seed: int, value: Callable[[GameRecord, list[int]], Valued], most: int) -> list[Row]:
    """Positions of a game, what they are worth, and what came of them.

    Args:
        seed: of the game.
        value: values the positions before which so many plies were played.
        most: how many positions are taken.
    """
    record, _ = play(seed, LEVELS)
    positions = record.positions()
    numbers = [n for n in range(len(POINTS), len(record.moves)) if _has_choice(positions[n])]
    rng = random.Random(seed)
    chosen = sorted(rng.sample(numbers, min(most, len(numbers))))
    return [
        (number + 1, found.stacks, found.points, margin_from(positions[number]))
        for number, found in value(record, chosen)
        if not found.exact
    ]


def searched(record: GameRecord, numbers: list[int], *, nodes: int) -> Valued:
    """Return the values that a search finds for positions, knowing nothing of the game."""
    searcher, positions = Searcher(), record.positions()
    for number in numbers:
        position = positions[number]
        searcher.clear()
        found = searcher.search(position, nodes=nodes // SHARE)
        points = found.value if position.turn is Color.WHITE else -found.value
        yield number, SearchedValue(points, len(position.stacks), found.exact)


def reviewed(record: GameRecord, numbers: list[int], *, nodes: int) -> Valued:
    """Return the values that the review of the game gives to positions."""
    walk = Walk(record.positions(), record.moves, nodes, stopped=lambda: False)
    walk.look_back()
    walk.look_again()
    for number in numbers:
        yield number, walk.values[number]


def margin_from(position: Position) -> int:
    """Return the margin when players of the level play a position on, in pieces for White."""
    players = {color: player_at(PLAYED_ON_BY, seed=0) for color in Color}
    while position.turn is not None:
        position = position.play(players[position.turn].choose(position))
    return position.score(Color.WHITE) - position.score(Color.BLACK)


def _has_choice(position: Position) -> bool:
    return len(position.legal_moves()) > 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, value and play on."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuning.played_on")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, required=True, help="of the first game; they count up")
    parser.add_argument("--nodes", type=int, default=100_000, help="of a review, for each move")
    parser.add_argument("--positions", type=int, default=_POSITIONS, help="of a game, at most")
    parser.add_argument("--review", action="store_true", help="value positions by reviews")
    parser.add_argument("--found", type=Path, required=True, help="kept between runs")
    options = parser.parse_args(arguments)

    value = partial(reviewed if options.review else searched, nodes=options.nodes)
    find = partial(rows, value=value, most=options.positions)
    find_all(range(options.seed, options.seed + options.games), find, options.found, name=NAME)


if __name__ == "__main__":
    main()
