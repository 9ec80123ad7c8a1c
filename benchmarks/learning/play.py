"""Games between a trained net and a player, such as a level of the machine.

    python -m benchmarks.learning.play net.npz --opponent "level 3" --games 200

The first two pieces of each game are placed at random, so that the games differ. The net plays each
such beginning once as White and once as Black.
"""

import argparse
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.learning.train import Net, choose
from benchmarks.result import result_line
from dvonn import Color, Position
from dvonn.actions import move_of
from dvonn.batch import Batch
from dvonn.gym.players import player

_RANDOM_PLIES: Final = 2


def play(net: Net, opponent: str, games: int, seed: int) -> list[float]:
    """Return the net's points in each game: 1, 0.5 or 0."""
    points = list[float]()
    for game in range(games):
        color, choose_other = tuple(Color)[game % 2], player(opponent, seed + game)
        rng, position = np.random.default_rng(seed + game // 2), Position.initial()
        while not position.is_over:
            moves = position.legal_moves()
            if position.plies < _RANDOM_PLIES:
                move = moves[rng.integers(len(moves))]
            elif position.turn is color:
                (action,) = choose(net, Batch(1, [position]), np.zeros(1, np.int64))
                move = move_of(int(action), position)
            else:
                move = choose_other(position)
            position = position.play(move)
        points.append(0.5 if position.winner is None else float(position.winner is color))
    return points


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the RESULT line with the score and its standard error."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learning.play")
    parser.add_argument("file", type=Path)
    parser.add_argument("--opponent", default="random", help="a name of dvonn.gym.players")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    points = play(Net.load(options.file), options.opponent, options.games, options.seed)
    figures = {
        "games": options.games,
        "score_percent": 100 * float(np.mean(points)),
        "error_percent": 100 * float(np.std(points)) / sqrt(options.games),
    }
    print(result_line("learned", figures))


if __name__ == "__main__":
    main()
