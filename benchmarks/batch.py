"""Speed of `dvonn.batch`: random games with masks and planes, on one core.

    python -m benchmarks.batch [--size 1024] [--rounds 9]

A step is one action in one running game, its choice at random, and the new mask and planes. The
baseline does the same with `Position`, `action_mask` and `planes`, one game after another. Both are
measured in turn by processor time, and each figure is the median of the rounds.
"""

import argparse
import random
import time
from collections.abc import Sequence
from statistics import median

from benchmarks.result import result_line
from dvonn import Position
from dvonn.actions import action_mask
from dvonn.arrays import planes
from dvonn.batch import Batch


def batch_rate(batch: Batch, seed: int) -> float:
    """Play all games of a batch to their ends, and return the steps per second."""
    batch.reset()
    started_at, played = time.process_time(), 0
    while not batch.over.all():
        played += int((~batch.over).sum())
        batch.step(batch.random_actions(seed + played))
    return played / (time.process_time() - started_at)


def position_rate(seed: int, games: int = 4) -> float:
    """Play some games with positions, and return the steps per second."""
    rng, started_at, played = random.Random(seed), time.process_time(), 0
    for _ in range(games):
        position = Position.initial()
        while not position.is_over:
            position = position.play(rng.choice(position.legal_moves()))
            action_mask(position)
            planes(position)
            played += 1
    return played / (time.process_time() - started_at)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch")
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args(arguments)

    batch = Batch(options.size)
    batch_rate(batch, 0)  # compiles
    batch_rates, position_rates = [], []
    for seed in range(options.rounds):
        batch_rates.append(batch_rate(batch, seed))
        position_rates.append(position_rate(seed))
        print(f"round {seed + 1}: {batch_rates[-1]:.0f} and {position_rates[-1]:.0f} steps/s")
    figures = {
        "steps_per_s": median(batch_rates),
        "position_steps_per_s": median(position_rates),
        "ratio": median(batch_rates) / median(position_rates),
    }
    print(result_line("batch", figures))


if __name__ == "__main__":
    main()
