"""Speed of the rules: whole random games, with the legal moves listed at each ply.

    python -m benchmarks.rules [--games 40] [--rounds 9]

The baseline plays the same games by the plain rules that the tests compare with: a dict from points
to strings, neighbors by arithmetic, a flood fill over the whole board, and nothing cached. Both
check each move and return a new position. They are measured in turn, so that a noisy machine
affects both equally, and each figure is the median of the rounds.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from statistics import median

from benchmarks.result import result_line
from dvonn import Move, Position
from tests.dvonn.plain_rules import Move as PlainMove
from tests.dvonn.plain_rules import PlainPosition, move_of
from tests.games import random_game


def play_all(games: list[list[Move]]) -> int:
    """Play the games, and return the total number of legal moves listed."""
    listed = 0
    for moves in games:
        position = Position.initial()
        listed += len(position.legal_moves())
        for move in moves:
            position = position.play(move)
            listed += len(position.legal_moves())
    return listed


def play_all_plainly(games: list[list[PlainMove]]) -> int:
    """Play all games by the plain rules."""
    listed = 0
    for moves in games:
        position = PlainPosition()
        listed += len(position.legal_moves())
        for move in moves:
            position = position.play(move)
            listed += len(position.legal_moves())
    return listed


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args(arguments)

    games = [random_game(seed) for seed in range(options.games)]
    plain_games = [[move_of(str(move)) for move in moves] for moves in games]
    plies = sum(map(len, games))
    listed, plainly_listed = play_all(games), play_all_plainly(plain_games)
    assert listed == plainly_listed, "the two sides do not play the same game"
    print(f"{options.games} games, {plies} plies, {listed} legal moves listed")

    own_s, plain_s = [], []
    for number in range(options.rounds):
        own_s.append(seconds(lambda: play_all(games)))
        plain_s.append(seconds(lambda: play_all_plainly(plain_games)))
        print(f"round {number + 1}: {plies / own_s[-1]:.0f} and {plies / plain_s[-1]:.0f} plies/s")
    figures = {
        "plies_per_s": plies / median(own_s),
        "plain_plies_per_s": plies / median(plain_s),
        "ratio": median(plain_s) / median(own_s),
    }
    print(result_line("rules", figures))


if __name__ == "__main__":
    main()
