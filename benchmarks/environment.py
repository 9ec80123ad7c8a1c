"""Speed of the environment for learners, beside the bare rules over the same games.

    python -m benchmarks.environment [--games 20] [--rounds 5]

The rules list the legal moves and play one, ply by ply. The environment of PettingZoo observes,
masks and steps, once without its wrappers and once with them; `ratio` says how many plies the rules
play in the time of one step with wrappers. They take turns, and processor time is counted.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from benchmarks.result import result_line
from dvonn import Move, Position
from dvonn.actions import action_of
from dvonn.gym import dvonn_v0
from tests.games import random_game


def play_all(games: list[list[Move]]) -> None:
    """Play the games by the rules alone."""
    for moves in games:
        position = Position.initial()
        for move in moves:
            assert position.legal_moves()
            position = position.play(move)


def step_all(env: Any, games: list[list[int]]) -> None:
    """Play the games by the environment, looking at each observation as an agent does."""
    for actions in games:
        env.reset()
        for action in actions:
            observation = env.last()[0]
            assert observation["action_mask"][action]
            env.step(action)


def seconds(work: Callable[[], None]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.environment")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)

    games = [random_game(seed) for seed in range(options.games)]
    numbers = [[action_of(move) for move in moves] for moves in games]
    plies = sum(map(len, games))
    bare, wrapped = dvonn_v0.DvonnEnv(), dvonn_v0.env()
    works: dict[str, Callable[[], None]] = {
        "rules": lambda: play_all(games),
        "bare": lambda: step_all(bare, numbers),
        "wrapped": lambda: step_all(wrapped, numbers),
    }
    rounds = [{name: seconds(work) for name, work in works.items()} for _ in range(options.rounds)]
    took = {name: median(one[name] for one in rounds) for name in works}
    print(f"{options.games} games, {plies} plies, {options.rounds} rounds")
    figures = {
        "rules_plies_per_s": plies / took["rules"],
        "bare_steps_per_s": plies / took["bare"],
        "steps_per_s": plies / took["wrapped"],
        "bare_ratio": took["bare"] / took["rules"],
        "ratio": took["wrapped"] / took["rules"],
    }
    print(result_line("environment", figures))


if __name__ == "__main__":
    main()
