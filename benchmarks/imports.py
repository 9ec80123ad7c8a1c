"""Processor time of an import, as a ratio to that of Python alone.

    python -m benchmarks.imports [--modules dvonn dvonn.formats …] [--rounds 20]

Each round starts Python that does nothing, then Python that imports, for each module in turn. The
figures are the medians of what an import adds, in ms and in starts of Python. A busy machine makes
both longer: the ratios say more than the ms.
"""

import argparse
import resource
import subprocess
import sys
from collections.abc import Sequence
from statistics import median

from benchmarks.result import result_line

_MODULES = (
    *("dvonn", "dvonn.actions", "dvonn.arrays", "dvonn.diagram", "dvonn.formats", "dvonn.link"),
    *("dvonn.perft", "dvonn.primer", "dvonn.puzzles", "dvonn.record", "dvonn.review"),
    *("dvonn.simulation", "dvonn.starts", "dvonn.engine.client"),
)


def processor_ms(program: str) -> float:
    """Run a program; return the processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a RESULT line for each module."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.imports")
    parser.add_argument("--modules", nargs="+", default=_MODULES)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args(arguments)

    alone: list[float] = []
    added: dict[str, list[float]] = {module: [] for module in options.modules}
    for _ in range(options.rounds):
        for module in options.modules:
            alone.append(processor_ms("pass"))
            added[module].append(processor_ms(f"import {module}") - alone[-1])
    bare = median(alone)
    for module, times in added.items():
        figures = {"added_ms": median(times), "python_ms": bare, "ratio": median(times) / bare}
        print(result_line(f"import-{module}", figures))


if __name__ == "__main__":
    main()
