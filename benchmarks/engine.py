"""Speed of the engine, compared with a search in plain Python.

    python -m benchmarks.engine [--rounds 5]

- The search is measured in positions per second. It is compared with alpha-beta on
  `dvonn.Position`, which evaluates by counting pieces.
- A worker process is started with nothing compiled, and again with everything compiled. The figures
  are the time until its first move, and its peak memory.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from statistics import median

from benchmarks.matches.settings import ROOT
from benchmarks.result import result_line
from dvonn import Color, Position
from dvonn.engine.bench import positions, signature

_PLAIN_DEPTH = 2
_FIRST_MOVE = """
import random
from dvonn import Position
from dvonn.engine.player import EnginePlayer

rng, position = random.Random(1), Position.initial()
while position.to_place is not None:
    position = position.play(rng.choice(position.legal_moves()))
EnginePlayer(level=6).choose(position)
"""
_MEMORY = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"


def plain_search(position: Position, depth: int, low: float, high: float) -> tuple[float, int]:
    """Run an alpha-beta search on `dvonn.Position`.

    Return the value for White and the number of positions.
    """
    if depth == 0 or position.turn is None:
        return position.score(Color.WHITE) - position.score(Color.BLACK), 1
    nodes, maximizes = 1, position.turn is Color.WHITE
    best = -float("inf") if maximizes else float("inf")
    for move in position.legal_moves():
        value, below = plain_search(position.play(move), depth - 1, low, high)
        nodes += below
        if maximizes:
            best, low = max(best, value), max(low, value)
        else:
            best, high = min(best, value), min(high, value)
        if low >= high:
            break
    return best, nodes


def per_second(work: Callable[[], int]) -> float:
    """Return the number of units of work per second."""
    start = time.perf_counter()
    count = work()
    return count / (time.perf_counter() - start)


def process(code: str, cache: str) -> tuple[float, float]:
    """Run code that prints a number in a new process. Return the elapsed seconds and the number."""
    start = time.perf_counter()
    completed = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
    )
    return time.perf_counter() - start, float(completed.stdout)


def starts(rounds: int) -> dict[str, float]:
    """Return the median figures of a worker's starts, before and after compilation."""
    figures_of_starts: dict[str, list[float]] = defaultdict(list)
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            for start in ("cold", "warm"):
                passed, kib = process(_FIRST_MOVE + _MEMORY, cache)
                figures_of_starts[f"{start}_start_s"].append(passed)
                figures_of_starts[f"{start}_worker_mib"].append(kib / 1024)
    return {name: median(figures) for name, figures in figures_of_starts.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    rounds = options.rounds
    searched = positions()

    def plain_nodes() -> int:
        infinite = float("inf")
        return sum(
            plain_search(position, _PLAIN_DEPTH, -infinite, infinite)[1] for position in searched
        )

    started = starts(rounds)
    signature()  # compiles everything
    nodes, plain = [], []
    for _ in range(rounds):
        count, seconds = signature()
        nodes.append(count / seconds)
        plain.append(per_second(plain_nodes))
    figures = {
        "nodes_per_s": median(nodes),
        "plain_nodes_per_s": median(plain),
        "ratio": median(nodes) / median(plain),
        **started,
    }
    print(result_line("engine", figures))


if __name__ == "__main__":
    main()
