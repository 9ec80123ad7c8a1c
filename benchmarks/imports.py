"""Processor time of an import, in ms and as a ratio to a bare start of Python.

    python -m benchmarks.imports [--modules dvonn dvonn.formats …] [--rounds 20]

Each round starts Python that does nothing, then Python that imports, for each module in turn: all
of `dvonn` that need no extra. They are compiled first, as pip does where it installs them. The
figures are the medians of what an import adds, in ms and in starts of Python. A busy machine makes
both longer: the ratios say more than the ms.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

import dvonn
from benchmarks.result import result_line

_EXTRAS = ("gymnasium", "llvmlite", "numba", "numpy", "open_spiel", "pettingzoo", "pyspiel")
_WITHOUT_EXTRAS = "import sys; sys.modules.update(dict.fromkeys({extras})); import {module}"


def processor_ms(program: str, environment: Mapping[str, str]) -> float | None:
    """Run a program. Return the processor time that it took, or None if it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=False, env=environment, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return took * 1000 if done.returncode == 0 else None


def all_modules() -> list[str]:
    """List the modules of the library, except those that start a program."""
    folder = Path(dvonn.__file__).parent
    paths = sorted(path.relative_to(folder.parent) for path in folder.rglob("*.py"))
    names = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return [name for name in names if not name.endswith("__main__")]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a RESULT line for each module."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.imports")
    parser.add_argument("--modules", nargs="+", default=all_modules())
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as compiled:
        measure(options.modules, options.rounds, compiled)


def measure(modules: Sequence[str], rounds: int, compiled: str) -> None:
    """Measure imports, with the compiled code in a folder."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    programs = {name: _WITHOUT_EXTRAS.format(extras=_EXTRAS, module=name) for name in modules}
    light = [name for name in modules if processor_ms(programs[name], environment) is not None]
    print("need an extra:", *(name for name in modules if name not in light))
    bare: list[float] = []
    took: dict[str, list[float]] = {name: [] for name in light}
    for _ in range(rounds):
        for name in light:
            bare.append(processor_ms("pass", environment) or 0.0)
            took[name].append((processor_ms(programs[name], environment) or 0.0) - bare[-1])
    alone = median(bare)
    for name, times in took.items():
        figures = {"added_ms": median(times), "python_ms": alone, "ratio": median(times) / alone}
        print(result_line(f"import-{name}", figures))


if __name__ == "__main__":
    main()
