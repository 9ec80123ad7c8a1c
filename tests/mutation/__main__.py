"""Mutation testing: `python -m tests.mutation bot/play/model/clock.py dvonn`, or all without names.

mutmut makes one change in a module at a time (a comparison, a number, an argument) and runs its
tests. One of them must fail. Surviving changes are printed. Some changes have no effect that
matters. If fewer than the module's `floor` are detected, the exit status is 1.

It works on copies in build/mutation, never in the checkout, and uses SQLite only. mutmut can't
change properties, cached functions and constants. `in_source.py` changes what numba compiles.
mutmut also can't change what only the bot's own process runs, such as handlers and deliveries.
`--random 60 --seed 1 bot/play/handlers` tries a random sample, with tests in their own process and
then with those that start bots. Each one is forked and takes a second or two. With `--in-process`,
bots are tasks of the tests' own loop, and only quick tests are run. With `--without-bots`, no test
that starts a bot is run, so a sample takes minutes. `--each` takes a sample of each name.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path, PurePath
from typing import Final, NamedTuple

from tests import rooms
from tests.mutation.guards import (
    AT_IMPORT,
    BOT_TASKS,
    ONLY_COMPILED,
    PARTLY_COMPILED,
    floor,
    guards,
    in_process,
    modules,
    needs_a_process,
)
from tests.mutation.in_source import exit_codes
from tests.mutation.sample import Trial, tried

ROOT: Final = Path(__file__).parents[2]
ROOMS: Final = ROOT / "build" / "mutation"

_COPIED: Final = (
    *(*rooms.ROOMS, "benchmarks", "docs", "dvonn", "dvonn_lessons", "renderer", "sandbox"),
    *(f"tests/{room}" for room in rooms.ROOMS),
    *("tests/data", "tests/dvonn", "tests/engine", "tests/renderer", "tests/sandbox"),
)
_TESTS: Final = (
    *sorted(path.name for path in (ROOT / "tests").glob("*.*") if path.is_file()),
    "mutation/__init__.py",
    *(f"mutation/{plugin}.py" for plugin in ("at_import", "examples", "order")),
)
_SURVIVED: Final = (0, 33, 37)
"""mutmut's codes for changes whose tests passed, or that had no tests, or that failed the types."""
_TOO_LONG: Final = (24, -24, 36, 152)
"""Codes for tests that took too long, as in an endless loop."""
_FIVE: Final = 5
_EVERY_FIFTH: Final = "*__mutmut_*[05]"
"""A fifth of each function's changes, as mutmut numbers them."""
_BROKEN: Final = {255}
"""Codes for tests that could not start. Some changes cause that, but not all of them."""
_CONFIG: Final = """
[tool.mutmut]
source_paths = ["bot", "school", "club", "dvonn", "dvonn_lessons", "renderer"]
only_mutate = [{module!r}]
also_copy = ["benchmarks", "docs", "sandbox"]
pytest_add_cli_args_test_selection = {tests!r}
pytest_add_cli_args = [
    "-p", "no:cacheprovider", "-p", "tests.mutation.at_import", "-p", "tests.mutation.order",
    "-p", "tests.mutation.examples",
    "-k", "not postgresql", "--thorough", "--hypothesis-profile=mutation", "--timeout={patience}",
    "-W", "ignore::pytest.PytestAssertRewriteWarning",
]
process_isolation = {isolation!r}
forkserver_warmup = "import"
preload_modules_file = "preload.txt"
"""
# An endless loop is stopped when a test has taken half a minute. Tests of the tables may take
# two: they are slow while mutmut records each call.
# "fork" continues from a process that has imported our modules. Forks of "forkserver" import them
# again, and find only this there.
_PRELOADED: Final = ("hypothesis.strategies", "pytest_asyncio")


class Survivor(NamedTuple):
    """A change that no test has detected."""

    function: str
    was: str
    is_now: str

    def __str__(self) -> str:
        return f"{self.function}\n    - {self.was}\n    + {self.is_now}"


def main() -> int:
    """Mutate modules one after the other. Return 1 if too many changes survive in one."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument(
        "modules", nargs="*", help="bot/play/model/clock.py or dvonn, say; none: all"
    )
    parser.add_argument("--jobs", type=int, default=2, help="how many tests run at once")
    parser.add_argument("--sample", action="store_true", help="only every fifth change")
    parser.add_argument("--random", type=int, metavar="N", help="only N changes, of the source")
    parser.add_argument("--each", action="store_true", help="N changes of each name, not of all")
    parser.add_argument(
        "--in-process", action="store_true", help="with bots as tasks, and quick tests only"
    )
    parser.add_argument("--without-bots", action="store_true", help="no tests that start a bot")
    parser.add_argument("--seed", type=int, default=1, help="which ones; 1 if nothing is said")
    parser.add_argument("--list", action="store_true", help="only say which modules there are")
    chosen = parser.parse_args()
    wanted = modules()
    found = {"all": wanted}
    if chosen.modules:
        found = {name: _within(name, wanted) for name in chosen.modules}
        if unknown := [name for name, inside in found.items() if not inside]:
            parser.error(f"not mutated here: {', '.join(unknown)}")
        wanted = list(dict.fromkeys(chain.from_iterable(found.values())))
    if chosen.list:
        print("\n".join(f"{module}: {' '.join(guards(module))}" for module in wanted))
        return 0
    if chosen.in_process:
        os.environ[BOT_TASKS] = "1"
    if chosen.random:
        few = chosen.in_process or chosen.without_bots
        samples = found if chosen.each else {" ".join(found): wanted}
        return _try_some(samples, chosen.random, chosen.seed, only_in_process=few)
    wanted = [module for module in wanted if in_process(module)]
    if not wanted:
        parser.error("only the bot's own process runs these: try some changes with --random 20")
    reports = [_mutate(module, chosen.jobs, sample=chosen.sample) for module in wanted]
    return int(not all(reports))


def _try_some(
    samples: Mapping[str, Sequence[str]], number: int, seed: int, *, only_in_process: bool
) -> int:
    """Try samples of changes of some modules, and print the survivors. Always return 0."""
    room = ROOMS / f"random.{os.getpid()}"
    shutil.rmtree(room, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],  # noqa: S607 - the developers' own
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    for name in filter(None, listed.stdout.split("\n")):
        if (ROOT / name).is_file():
            (room / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, room / name)
    held = [{module: guards(module) for module in sample} for sample in samples.values()]
    trials = list(tried(room, held, number, seed, only_in_process=only_in_process))
    for name, sample in samples.items():
        _tell(name, [trial for trial in trials if trial.module in sample], seed)
    return 0


def _tell(name: str, trials: Iterable[Trial], seed: int) -> None:
    """Print the survivors of a sample, and how many were detected."""
    count = quickly = with_bots = 0
    for module, change, noticed, is_equivalent in trials:
        if is_equivalent:
            print(f"  nobody could notice: {module}: {Survivor(*change[:3])}")
            continue
        count += 1
        if noticed is None:
            print(f"  {module}: {Survivor(*change[:3])}")
        elif needs_a_process(noticed):
            with_bots += 1
            print(f"  by {noticed}: {module}: {Survivor(*change[:3])}")
        else:
            quickly += 1
    print(
        f"{name}: {quickly + with_bots} of {count} killed, {(quickly + with_bots) / count:.1%}; "
        f"{with_bots} of them by a bot's own process alone; seed {seed}",
        flush=True,
    )


def _within(name: str, known: Iterable[str]) -> list[str]:
    """Return the module of a name, or the modules in its folder."""
    return [module for module in known if PurePath(module).is_relative_to(name)]


def _mutate(module: str, jobs: int, *, sample: bool) -> bool:
    """Mutate one module, and print the survivors. Return True if enough changes were detected."""
    room = ROOMS / module.removesuffix(".py").replace("/", ".")
    _furnish(room, module)
    codes: list[int] = []
    alive: list[Survivor] = []
    for mutate in _mutators(module):
        try:
            more_codes, more_alive = mutate(room, module, jobs, sample)
        except subprocess.CalledProcessError:
            print(f"{module}: did not finish, see the logs in {room}", flush=True)
            return False
        codes += more_codes
        alive += more_alive
    killed, slow = len(codes) - len(alive), sum(code in _TOO_LONG for code in codes)
    share, least = killed / len(codes), floor(module)
    print(
        f"{module}: {killed} of {len(codes)} killed, {share:.1%} ({slow} by time), "
        f"{'enough' if share >= least else 'too few'}: at least {least:.0%} should be",
        flush=True,
    )
    for item in alive:
        print(f"  {item}", flush=True)
    return share >= least


_Mutated = tuple[list[int], list[Survivor]]
"""The exit codes of the tests for each change, and the surviving changes."""


def _mutators(module: str) -> Iterator[Callable[[Path, str, int, bool], _Mutated]]:
    if module not in ONLY_COMPILED:
        yield _mutate_plain
    if module in (*ONLY_COMPILED, *PARTLY_COMPILED):
        yield _mutate_compiled


def _mutate_plain(room: Path, module: str, jobs: int, sample: bool) -> _Mutated:
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(jobs)]
    command += [_EVERY_FIFTH] if sample else []
    with (room / "mutmut.log").open("w", encoding="utf-8") as log:
        done = subprocess.run(command, cwd=room, stdout=log, stderr=log, check=False)
    results = room / "mutants" / f"{module}.meta"
    codes: dict[str, int | None] = {}
    if results.exists():
        codes = json.loads(results.read_text(encoding="utf-8"))["exit_code_by_key"]
    ended = [code for code in codes.values() if code is not None]
    is_whole = sample or len(ended) == len(codes)
    if done.returncode or not ended or not is_whole or set(ended) == _BROKEN:
        raise subprocess.CalledProcessError(done.returncode, command)
    return ended, [_survivor(room, name) for name, code in codes.items() if code in _SURVIVED]


def _mutate_compiled(room: Path, module: str, jobs: int, sample: bool) -> _Mutated:
    codes = exit_codes(room, module, guards(module), jobs, step=_FIVE if sample else 1)
    alive = [Survivor(*change[:3]) for change, code in codes.items() if code in _SURVIVED]
    return list(codes.values()), alive


def _furnish(room: Path, module: str) -> None:
    """Make a copy of what the tests need, with mutmut's settings."""
    shutil.rmtree(room, ignore_errors=True)
    for folder in _COPIED:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, room / folder, ignore=ignored)
    (room / "tests" / "mutation").mkdir()
    for name in _TESTS:
        shutil.copy(ROOT / "tests" / name, room / "tests" / name)
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    isolation, patience = ("forkserver", 120) if module in AT_IMPORT else ("fork", 30)
    settings += _CONFIG.format(
        module=module, tests=list(guards(module)), isolation=isolation, patience=patience
    )
    (room / "pyproject.toml").write_text(settings, encoding="utf-8")
    (room / "preload.txt").write_text("\n".join(_PRELOADED), encoding="utf-8")


def _survivor(room: Path, name: str) -> Survivor:
    command = [sys.executable, "-m", "mutmut", "show", name]
    shown = subprocess.run(command, cwd=room, capture_output=True, encoding="utf-8", check=True)
    function = re.sub(r"__mutmut_\d+$", "", name).rpartition(".")[2]
    function = function.removeprefix("x").strip("ǁ").replace("ǁ", ".").removeprefix("_")
    was, is_now = (" ".join(_lines(shown.stdout, sign)) for sign in "-+")
    return Survivor(function, was, is_now)


def _lines(diff: str, sign: str) -> Iterator[str]:
    for line in diff.splitlines():
        if line.startswith(sign) and not line.startswith(sign * 3):
            yield line[1:].strip()


if __name__ == "__main__":
    sys.exit(main())
