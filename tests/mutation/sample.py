"""A random sample of changes of the source, because a run of all changes takes too long.

One pytest imports all tests, and is forked for each change. First it runs the tests that run the
changed line, fast ones first, until one fails. Then, if allowed, it runs those that start a bot
process. So it covers handlers and deliveries, too, which only the bot's own process runs.
"""

import json
import os
import random
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests import coverage_map, tiers
from tests.coverage_map import ROOT
from tests.mutation.guards import BOT_TASKS, needs_a_process, starts_a_process
from tests.mutation.in_source import Change, count_of, numbered

TRIALS: Final = "MUTATION_TRIALS"
"""The variable that names the file with the trials, for `tests.mutation.forks`."""
EQUIVALENTS: Final = Path(__file__).with_name("equivalents.toml")
"""Changes without any noticeable effect, each with its reason."""

KEPT: Final = ROOT / "build" / "mutation" / "unchanged"
"""The folder with the lines that each test file runs without any change."""

_MORE: Final = 12
"""Number of test files that are tried besides those of the map, of either kind."""
_CHEAP_S: Final = 3.5
"""Maximum duration of such a file in seconds."""
_PATIENCE_S: Final = 60
"""Maximum duration of a test in seconds, which detects endless loops, too."""
_MOST_ANEW: Final = 3
"""Number of test files that are run in a new process, which imports everything."""
_MOST_WITH_PROCESSES: Final = 3
"""Number of test files that start bots, of the map and besides."""


class Trial(NamedTuple):
    """A change and its result."""

    module: str
    change: Change
    noticed_by: str | None
    """The first test that failed, or None if none did."""
    is_equivalent: bool


def tried(
    room: Path,
    samples: Sequence[Mapping[str, Sequence[str]]],
    number: int,
    seed: int,
    *,
    only_in_process: bool,
) -> Iterator[Trial]:
    """Try a number of changes in a copy of the project, and yield the results.

    Args:
        room: The copy.
        samples: For each sample, the modules to change, each with its tests.
        number: Number of changes of each sample.
        seed: Random seed of each sample.
        only_in_process: True to leave out tests that start a bot.

    Raises:
        subprocess.CalledProcessError: if the tests cannot run.
    """
    held = {name: tests for sample in samples for name, tests in sample.items()}
    changes = [change for sample in samples for change in _chosen(room, sample, number, seed)]
    kept = {
        (equivalent["module"], equivalent["function"], equivalent["was"], equivalent["is_now"])
        for equivalent in equivalents()
    }
    trials = [
        {
            "module": name,
            "source": change.source,
            "change": change[:3],
            "lines": change.lines,
            **_tests(name, held[name], change.lines, only_in_process=only_in_process),
            "at_import": _at_import(name, held[name]),
        }
        for name, change in changes
        if (name, *change[:3]) not in kept
    ]
    noticed = iter(_noticed(room, trials))
    for name, change in changes:
        if (name, *change[:3]) in kept:
            yield Trial(name, change, None, is_equivalent=True)
        else:
            yield Trial(name, change, next(noticed), is_equivalent=False)


def _chosen(
    room: Path, modules: Iterable[str], number: int, seed: int
) -> Iterator[tuple[str, Change]]:
    """Yield a random sample of the changes of some modules."""
    known = {name: (room / name).read_text(encoding="utf-8") for name in modules}
    every = [
        (name, which) for name in known for which in range(count_of(known[name], compiled=False))
    ]
    for name, which in random.Random(seed).sample(every, min(number, len(every))):
        yield name, numbered(known[name], which, compiled=False)


def equivalents() -> list[dict[str, str]]:
    """Return the changes that have no noticeable effect, each with its reason."""
    listed: list[dict[str, str]] = tomllib.loads(EQUIVALENTS.read_text(encoding="utf-8"))["change"]
    return listed


def _tests(
    module: str, held: Sequence[str], lines: Sequence[int], *, only_in_process: bool
) -> dict[str, list[str]]:
    """Return the files of the map, and "more": about this module, or measured to run the line."""
    held = list(dict.fromkeys(test.partition("::")[0] for test in held))
    about, ran = coverage_map.about(module), _ran(module)
    more = [
        file
        for file in {*ran, *about, *coverage_map.COMPARES}
        if file not in held and (file not in ran or not ran[file].isdisjoint(lines))
    ]
    costs = coverage_map.costs()
    beside = f"tests/{module.rpartition('/')[0]}/"

    def rank(file: str) -> tuple[bool, bool, float, str]:
        compares = file in coverage_map.COMPARES
        return not compares, not file.startswith(beside), costs.get(file, 1.0), file

    more.sort(key=rank)
    first = [test for test in held if not needs_a_process(test)]
    first.sort(key=is_cheap, reverse=True)
    others = [test for test in more if not needs_a_process(test) and is_cheap(test)][:_MORE]
    if not only_in_process:
        with_bots = [test for test in (*held, *more) if needs_a_process(test)]
        others += [test for test in with_bots if test in held or test in ran][:_MOST_WITH_PROCESSES]
    return {"tests": first, "more": others}


def _at_import(module: str, held: Sequence[str]) -> list[str]:
    """Return the quick tests that run most of a module, for a line that only an import runs."""
    ran = _ran(module)
    files = {test for test in (*held, *ran) if not starts_a_process(test) and is_cheap(test)}
    weights = coverage_map.weights_of(module, {file for file in files if "::" not in file})

    def worth(file: str) -> int:
        return (1 + len(ran.get(file, ()))) * weights.get(file, 1)

    return sorted(sorted(files), key=worth, reverse=True)[:_MOST_ANEW]


@cache
def _ran(module: str) -> dict[str, set[int]]:
    """Return which lines of a module each test file ran, if known."""
    found = {
        file: set(lines[module])
        for file, lines in coverage_map.measured().items()
        if module in lines
    }
    for file, record in _records().items():
        if record["digests"].get(module) == digest(ROOT / module):
            tests = record["lines"].values()
            found[file] = {line for test in tests for line in test.get(module, ())}
    return found


@cache
def _records() -> dict[str, dict[str, Any]]:
    """Return the stored results of earlier samples, by test file."""
    records = (json.loads(kept.read_text(encoding="utf-8")) for kept in KEPT.glob("*.json"))
    found = {record["file"]: record for record in records if "file" in record}
    return {file: record for file, record in found.items() if (ROOT / file).is_file()}


def digest(file: Path) -> str:
    """Return a short digest of a file's content."""
    return sha256(file.read_bytes()).hexdigest()[:16]


def is_cheap(test: str) -> bool:
    """Return True if a test file is run without any change. Others come last."""
    file = test.partition("::")[0]
    if file in coverage_map.COMPARES:
        return True
    return coverage_map.costs().get(file, 1.0) < _CHEAP_S and not tiers.waits(ROOT / file)


def _noticed(room: Path, trials: Sequence[Mapping[str, Any]]) -> list[str | None]:
    (room / "trials.json").write_text(json.dumps(trials), encoding="utf-8")
    tests = sorted({test for trial in trials for test in (*trial["tests"], *trial["more"])})
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["-p", "tests.mutation.forks", "-k", "not postgresql"]
    if BOT_TASKS in os.environ:
        command += ["-p", "tests.mutation.bot_tasks", "--quick"]
    command += [f"--timeout={_PATIENCE_S}", *tests]
    environment = {**os.environ, TRIALS: os.fspath(room / "trials.json")}
    with (room / "sample.log").open("ab") as log:
        subprocess.run(command, cwd=room, env=environment, stdout=log, stderr=log, check=True)
    found: list[str | None] = json.loads((room / "noticed.json").read_text(encoding="utf-8"))
    return found
