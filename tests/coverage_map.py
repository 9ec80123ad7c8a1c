"""Write tests/coverage_map.txt: the test files that guard each of our modules.

`python -m tests.coverage_map` runs the quick tests in one process under coverage, in about ten
minutes. For each module it chooses the few files that run most of its lines, fast ones first.
`--all` runs what a change must pass, for modules that no quick test runs. With paths, only those
tests are measured again. Earlier measurements are kept in build/coverage_map. `--choose` measures
nothing: a new module gets the tests that import it, and deleted ones are removed. A new module of a
feature needs no line: until it is measured, its feature's own tests guard it.

`./run test --for bot/client/client.py` runs the tests listed there, and so do the mutation runs.
"""

import argparse
import ast
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from tests import tiers
from tests.coverage_contexts import OUTPUT, Lines
from tests.rooms import ROOMS, feature_of

ROOT: Final = Path(__file__).parents[1]
MAP: Final = ROOT / "tests" / "coverage_map.txt"
PACKAGES: Final = (*ROOMS, "dvonn", "dvonn_lessons", "renderer")
_MIGRATIONS: Final = "bot/database/migrations/"
"""Modules that tests/bot/database/test_migrations.py guards together, because the same tests run
each."""
_COSTS: Final = ROOT / "tests" / "costs.json"
_FOLDER: Final = ROOT / "build" / "coverage_map"
_MOST: Final = 6
"""Maximum number of quick test files of a module."""
_MOST_LATER: Final = 2
"""Number of files that wait for `--all`, only for lines that no quick test runs."""
_TIMES: Final = 2
"""Number of files that run each line, if there are that many, because not each asserts what it
runs."""
_LEAST: Final = 0.05
"""The fraction of a module's lines that one more file must add."""
_IMPORTS: Final = 3
"""The weight of a file that imports the module itself and is therefore about it."""
_NAMESAKE: Final = 9
"""The weight of a file with the module's name."""
COMPARES: Final = (
    "tests/renderer/test_golden.py",
    "tests/bot/composition/test_transcript.py",
)
"""Tests that compare each pixel and each sentence. Each weighs as much as a namesake."""
_START_S: Final = 0.5
"""The cost of any file, besides its tests."""


def modules() -> list[str]:
    """Return our modules that have functions, by their paths from the root."""
    names = sorted(_name(path) for path in _files() if body_lines(path))
    return [name for name in names if not name.startswith(_MIGRATIONS)]


def _files() -> Iterator[Path]:
    return (path for package in PACKAGES for path in ROOT.joinpath(package).rglob("*.py"))


def read_map() -> dict[str, tuple[str, ...]]:
    """Return the test files of each module, as written in the map."""
    lines = (line.partition(": ") for line in MAP.read_text(encoding="utf-8").splitlines())
    return {module: tuple(tests.split()) for module, _, tests in lines}


def missing() -> list[str]:
    """Return our modules that no test file guards. Those in the map need not be parsed."""
    written = read_map()
    others = (path for path in _files() if _name(path) not in written)
    names = sorted(_name(path) for path in others if body_lines(path))
    return [
        name
        for name in names
        if not name.startswith(_MIGRATIONS) and not any(tests_of_feature(name))
    ]


def tests_of_modules() -> dict[str, tuple[str, ...]]:
    """Return the test files of each module: those in the map, or those of its feature."""
    written = read_map()
    return {module: written.get(module) or tuple(tests_of_feature(module)) for module in modules()}


@cache
def measured() -> Lines:
    """Return which lines each test file ran when it was last measured."""
    known = _FOLDER / "lines.json"
    lines: Lines = json.loads(known.read_text(encoding="utf-8")) if known.exists() else {}
    return {file: found for file, found in lines.items() if (ROOT / file).is_file()}


@cache
def about(module: str) -> set[str]:
    """Return the test files that have a module's name or import it."""
    return {file for file in weights_of(module, _every_file()) if file not in COMPARES}


def weights_of(module: str, files: Iterable[str]) -> dict[str, int]:
    """Return the weights of the files that are about a module, by their names or imports."""
    dotted = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    package, _, name = dotted.rpartition(".")
    wanted = (f"from {dotted} import", f"import {dotted}\n", f"from {package} import {name}\n")
    found = {}
    for file in files:
        if Path(file).stem == f"test_{name}" or file in COMPARES:
            found[file] = _NAMESAKE
        elif any(item in _text(file) for item in wanted):
            found[file] = _IMPORTS
    return found


@cache
def costs() -> dict[str, float]:
    """Return the seconds that each test file takes."""
    known = json.loads(_COSTS.read_text(encoding="utf-8"))
    return {f"tests/{file}": seconds for file, seconds in known.items()}


@cache
def body_lines(module: Path) -> set[int]:
    """Return the lines inside functions. Lines that an import runs guard nothing."""
    found = set[int]()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in node.body:
                is_words = isinstance(statement, ast.Expr) and isinstance(
                    statement.value, ast.Constant
                )
                if not is_words and statement.end_lineno is not None:
                    found.update(range(statement.lineno, statement.end_lineno + 1))
    return found


def choose(
    ran: Mapping[str, set[int]], costs: Mapping[str, float], weights: Mapping[str, int]
) -> list[str]:
    """Return the cheapest test files that run most of a module's lines twice.

    Args:
        ran: The lines that each file runs.
        costs: The seconds that each file takes.
        weights: Relative value of each file.
    """
    wanted = Counter(line for lines in ran.values() for line in lines)
    left = Counter({line: min(count, _TIMES) for line, count in wanted.items()})
    least, kept = _LEAST * len(wanted), list[str]()

    def gain(file: str) -> int:
        return sum(left[line] > 0 for line in ran[file])

    def worth(file: str) -> float:
        return gain(file) * weights.get(file, 1) / (_START_S + costs.get(file, 1.0))

    while len(kept) < _MOST and (more := [file for file in sorted(ran) if file not in kept]):
        best = max(more, key=worth)
        if gain(best) <= least:
            break
        kept.append(best)
        left.subtract(ran[best])
    return kept


def chosen(module: str, lines: Lines, costs: Mapping[str, float]) -> list[str]:
    """Return the test files of a module: quick ones, and others for the remaining lines."""
    body = body_lines(ROOT / module)
    ran = {file: body.intersection(of_file.get(module, ())) for file, of_file in lines.items()}
    quick = {file: found for file, found in ran.items() if found and not _waits(file)}
    kept = choose(quick, costs, weights_of(module, quick))
    left = body.difference(*quick.values())
    later = {file: found & left for file, found in ran.items() if found & left and _waits(file)}
    kept += choose(later, costs, weights_of(module, later))[:_MOST_LATER]
    # Code compiled by numba, or called by an import, is not measured. There it is
    # the tests that import it, or something beside it.
    kept = kept or tests_of_feature(module)
    return kept or sorted(weights_of(module, _every_file()))[:_MOST] or _beside(module)


def tests_of_feature(module: str) -> list[str]:
    """Return the test files of a module's feature: those of its folder, and end-to-end ones."""
    feature = feature_of(module.replace("/", "."))
    if feature is None:
        return []
    place = module[: module.index(f"/{feature}/")]
    folders = f"tests/{place}/{feature}/", f"tests/e2e/features/{feature}/"
    alone = f"tests/e2e/features/test_{feature}.py"
    return sorted(file for file in _every_file() if file.startswith(folders) or file == alone)


def measure(paths: Iterable[str], *, everything: bool) -> int:
    """Run tests under coverage, and store which lines they ran. Return pytest's exit status."""
    output = _FOLDER / "measured.json"
    _FOLDER.mkdir(parents=True, exist_ok=True)
    for old in _FOLDER.glob("measured*"):
        old.unlink()
    environment = {
        **os.environ,
        OUTPUT: os.fspath(output),
        "COVERAGE_FILE": os.fspath(output.with_suffix(".coverage")),
    }
    command = [sys.executable, "-m", "coverage", "run", "-m", "pytest", "-q"]
    command += ["-p", "tests.coverage_contexts", *(["--all"] if everything else []), *paths]
    status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    known = _FOLDER / "lines.json"
    lines: Lines = json.loads(known.read_text(encoding="utf-8")) if known.exists() else {}
    lines |= json.loads(output.read_text(encoding="utf-8"))
    known.write_text(json.dumps(lines), encoding="utf-8")
    return status


def write() -> None:
    """Write the map from the measurements. Entries without a measurement stay."""
    lines, seconds, known = measured(), costs(), read_map()
    told = {
        module: [file for file in known.get(module, ()) if not lines and (ROOT / file).is_file()]
        or chosen(module, lines, seconds)
        for module in modules()
    }
    text = "".join(f"{module}: {' '.join(tests)}\n" for module, tests in told.items())
    MAP.write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.coverage_map")
    parser.add_argument("paths", nargs="*", help="measure only these tests; none: the quick tier")
    parser.add_argument("--all", action="store_true", help="measure what a change must pass")
    parser.add_argument("--choose", action="store_true", help="measure nothing")
    asked = parser.parse_args()
    status = 0 if asked.choose else measure(asked.paths, everything=asked.all)
    write()
    return status


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _beside(module: str) -> list[str]:
    package = module.rpartition("/")[0].replace("/", ".")
    return sorted(file for file in _every_file() if f"from {package}" in _text(file))[:_MOST]


@cache
def _every_file() -> list[str]:
    return [_name(path) for path in ROOT.glob("tests/**/test_*.py")]


@cache
def _text(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def _waits(file: str) -> bool:
    return tiers.waits(ROOT / file)


if __name__ == "__main__":
    sys.exit(main())
