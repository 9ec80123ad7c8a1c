"""Speed of the machine player, compared with the same work on the rules in plain Python.

    python -m benchmarks.engine [--rounds 5]

- The search is measured in positions per second. It is compared with alpha-beta on
  `dvonn.Position`, which evaluates by counting pieces.
- perft is measured in lines per second. It is compared with perft on `dvonn.Position`.
- A worker process is started with nothing compiled, and again with everything compiled. The figures
  are the time until its first move, by the clock and by processor time (`used`), compared with a
  Python that only imports numpy, and its peak memory.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from statistics import median

import numpy as np

from benchmarks.matches.settings import ROOT
from benchmarks.result import result_line
from dvonn import Color, Phase, Position
from dvonn.engine.bench import positions, signature
from dvonn.engine.memory import MOVES, SIZE
from dvonn.engine.moves import perft
from dvonn.engine.state import load

_PLAIN_DEPTH = 2
_PERFT_DEPTH = 5
_PLAIN_PERFT_DEPTH = 2
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
    """Search alpha-beta on the plain rules.

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


def plain_perft(position: Position, depth: int) -> int:
    """Count the lines of a length by the plain rules."""
    if depth == 0 or position.phase is Phase.OVER:
        return 1
    return sum(plain_perft(position.play(move), depth - 1) for move in position.legal_moves())


def engine_perft(position: Position, depth: int) -> int:
    """Count the lines of a length by the compiled rules."""
    memory = np.zeros(SIZE, dtype=np.int64)
    state = load(position, memory)
    return int(perft(memory, *state.sets, state.side, depth, MOVES))


def per_second(work: Callable[[], int]) -> float:
    """Return the number of units of work per second."""
    start = time.perf_counter()
    count = work()
    return count / (time.perf_counter() - start)


def process(code: str, cache: str) -> tuple[float, float, list[float]]:
    """Measure a new process that runs some code.

    Returns:
        The elapsed seconds, the processor time in seconds, and the printed numbers.
    """
    start, used = time.perf_counter(), _used_s()
    completed = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
    )
    passed = time.perf_counter() - start
    return passed, _used_s() - used, [float(line) for line in completed.stdout.split()]


def _used_s() -> float:
    """Return the processor time of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def starts(rounds: int) -> dict[str, float]:
    """Return the median figures of a worker's starts, before and after compilation."""
    figures_of_starts: dict[str, list[float]] = defaultdict(list)
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            for start in ("cold", "warm"):
                passed, used, (kib,) = process(_FIRST_MOVE + _MEMORY, cache)
                figures_of_starts[f"{start}_start_s"].append(passed)
                figures_of_starts[f"{start}_start_used_s"].append(used)
                figures_of_starts[f"{start}_worker_mib"].append(kib / 1024)
    return {name: median(figures) for name, figures in figures_of_starts.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print one line."""
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
    with tempfile.TemporaryDirectory() as cache:
        bare = median(process("import numpy\n", cache)[0] for _ in range(rounds))
    signature()  # everything is compiled from here on
    engine_perft(searched[0], 2)
    nodes, plain, lines, plain_lines = [], [], [], []
    for _ in range(rounds):
        count, seconds = signature()
        nodes.append(count / seconds)
        plain.append(per_second(plain_nodes))
        lines.append(per_second(lambda: engine_perft(searched[0], _PERFT_DEPTH)))
        plain_lines.append(per_second(lambda: plain_perft(searched[0], _PLAIN_PERFT_DEPTH)))
    figures = {
        "nodes_per_s": median(nodes),
        "plain_nodes_per_s": median(plain),
        "ratio": median(nodes) / median(plain),
        "perft_per_s": median(lines),
        "perft_ratio": median(lines) / median(plain_lines),
        **started,
        "warm_start_ratio": started["warm_start_s"] / bare,
    }
    print(result_line("engine", figures))


if __name__ == "__main__":
    main()
