"""A pytest plug-in for `tests.mutation.sample`: fork the run for each change.

Nothing is imported again. In the fork, the changed function gets its new code. The module is
written, too, for processes that a test starts, and for later imports. A test file is measured
without any change as soon as a change needs it.
"""

import atexit
import gc
import json
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from coverage import Coverage

from tests import coverage_map
from tests.mutation.exchange import exchange, tell
from tests.mutation.guards import needs_a_process
from tests.mutation.sample import TRIALS, digest, is_cheap

_MOST_S: Final = 60.0
"""Maximum total time of tests in their own process, in seconds, measured without a change."""
_MOST_PROCESSOR_S: Final = 20
"""Maximum processor time of a test, in seconds. A test that takes longer is in an endless loop."""
_FAILED: Final = {
    pytest.ExitCode.TESTS_FAILED,
    pytest.ExitCode.INTERRUPTED,
    pytest.ExitCode.USAGE_ERROR,
}
"""Exit codes of a pytest run that detects a change, perhaps while it imports a test."""
_ENDED: Final = "a process that ended"
"""The detection of a change that ends the tests themselves, such as an endless loop."""
_ROOM: Final = Path.cwd()
_KEPT: Final = _ROOM.parent / "unchanged"


class Measured(NamedTuple):
    """The results of a test file without any change."""

    failed: list[str]
    seconds: dict[str, float]
    lines: dict[str, dict[str, list[int]]]
    """Maps tests to modules to lines."""


class Known:
    """The results of all test files without any change, each measured when it is first needed."""

    def __init__(self, items: Iterable[pytest.Item], modules: Iterable[str]) -> None:
        self._items: defaultdict[str, list[pytest.Item]] = defaultdict(list)
        for item in items:
            self._items[_file(item)].append(item)
        self._digests = {module: digest(_ROOM / module) for module in modules}
        self._kept: dict[str, Measured] = {}

    @property
    def files(self) -> list[str]:
        """The files that have been measured."""
        return list(self._kept)

    def items(self, file: str) -> list[pytest.Item]:
        """Return the tests of a file that pass."""
        failed = self.measured(file).failed
        return [item for item in self._items[file] if item.nodeid not in failed]

    def measured(self, file: str) -> Measured:
        """Return what a file does."""
        if file not in self._kept:
            self._kept[file] = found = self._measured(file)
            if found.failed:
                _say(f"these fail with nothing changed: {' '.join(found.failed)}")
        return self._kept[file]

    def _measured(self, file: str) -> Measured:
        kept = _KEPT / f"{file.replace('/', '.')}.json"
        record = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
        ran = {module for lines in record.get("lines", {}).values() for module in lines}
        digests = record.get("digests", {})
        changed = {name for name, now in self._digests.items() if digests.get(name) != now}
        if record.get("digest") != digest(_ROOM / file) or not changed.isdisjoint(ran):
            record = self._measure(file, kept)
        return Measured(record["failed"], record["seconds"], record["lines"])

    def _measure(self, file: str, kept: Path) -> dict[str, Any]:
        items, began = self._items[file], _processor_s()
        record = _in_fork(partial(_measured, items))
        if not isinstance(record, dict):
            _say(f"{file}: {record}")
            return {"failed": [item.nodeid for item in items], "seconds": {}, "lines": {}}
        digests = {
            path.relative_to(_ROOM).as_posix(): digest(path)
            for package in coverage_map.PACKAGES
            for path in (_ROOM / package).rglob("*.py")
        }
        record |= {"file": file, "digest": digest(_ROOM / file), "digests": digests}
        if items:  # another run may want more of it
            _KEPT.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(record), encoding="utf-8")
        _say(f"unchanged: {file}, {len(items)} tests, {_processor_s() - began:.1f} s")
        return record


class Listener:
    """The results of the tests that run."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.failed.append(report.nodeid)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    trials: list[dict[str, Any]] = json.loads(Path(os.environ[TRIALS]).read_text(encoding="utf-8"))
    gc.unfreeze()
    known = Known(
        (item for item in session.items if not _comes_late(item.nodeid)),
        {trial["module"] for trial in trials},
    )
    if any(map(needs_a_process, (item.nodeid for item in session.items))):
        _keep_an_origin()
    is_well: dict[str, bool] = {}
    found = []
    for number, trial in enumerate(trials, start=1):
        began, tried = _processor_s(), 0
        noticed = None
        with _changed_module(_ROOM / trial["module"], trial["source"], number) as before:
            for items in _rounds(trial, session.items, known, is_well):
                tried += len(items)
                noticed = _in_fork(lambda: _first_failure(items, trial, before))  # noqa: B023 - called at once
                if noticed is not None:
                    break
            if noticed is None and not _runs_in_tests(trial, known):
                noticed = _at_import(trial["at_import"], known)
        if noticed and noticed != _ENDED and _comes_late(noticed) and noticed not in is_well:
            item = next(item for item in items if item.nodeid == noticed)
            is_well[noticed] = not _in_fork(lambda: _first_failure([item], None, ""))  # noqa: B023
            if not is_well[noticed]:
                _say(f"{noticed} fails with nothing changed")
                noticed = None
        found.append(noticed)
        _say(
            f"{number}/{len(trials)} {trial['module']} {tried} tests "
            f"{_processor_s() - began:.1f} s: {noticed or trial['change']}"
        )
        (_ROOM / "noticed.json").write_text(json.dumps(found), encoding="utf-8")
    return True


def _rounds(
    trial: dict[str, Any],
    items: Sequence[pytest.Item],
    known: Known,
    is_well: dict[str, bool],
) -> Iterator[list[pytest.Item]]:
    """Yield the tests to run with a change, the next ones only if those before notice nothing."""
    first = [test for test in trial["tests"] if not _comes_late(test)]
    if own := _own(trial, first, known):
        yield own
    more = [test for test in trial["more"] if not _comes_late(test)]
    if own := _own(trial, (test for test in (*more, *known.files) if test not in first), known):
        yield own
    if late := _late(trial, items, is_well):
        yield late


def _runs_in_tests(trial: dict[str, Any], known: Known) -> bool:
    """Return True if any measured test runs the changed line. Otherwise an import may run it."""
    lines, module = set(trial["lines"]), trial["module"]
    tests = (ran for file in known.files for ran in known.measured(file).lines.values())
    return any(not lines.isdisjoint(ran.get(module, ())) for ran in tests)


def _keep_an_origin() -> None:
    """Let the bots of each fork come from one process, which is changed in its own fork."""
    from tests.e2e import warm  # noqa: PLC0415 - few need it

    address = os.fspath(_ROOM / "origin.socket")
    kept = subprocess.Popen([sys.executable, "-m", "tests.mutation.origin", "keep", address])
    atexit.register(kept.kill)
    while not Path(address).exists():
        time.sleep(0.1)
    warm.ORIGIN = ("tests.mutation.origin", "ask", address)


def _at_import(tests: Sequence[str], known: Known) -> str | None:
    """Return the first tests, if any fails because a change is imported. Some run only then."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    failed = (test for file in tests for test in known.measured(file).failed)
    command += ["-k", "not postgresql", *(f"--deselect={test}" for test in failed), *tests]
    done = subprocess.run(command, cwd=_ROOM, capture_output=True, check=False) if tests else None
    return tests[0] if done and done.returncode in _FAILED else None


def _own(trial: dict[str, Any], tests: Iterable[str], known: Known) -> list[pytest.Item]:
    """Return the tests that run the changed line in their own process, for a limited time.

    Those of the same files come last, because they may find results cached by the others.
    """
    lines, module = set(trial["lines"]), trial["module"]
    found: list[tuple[bool, float, int, pytest.Item]] = []
    for file in dict.fromkeys(test.partition("::")[0] for test in tests):
        measured = known.measured(file)
        ran = {test: of_test.get(module, ()) for test, of_test in measured.lines.items()}
        runs = {test for test in ran if not lines.isdisjoint(ran[test])}
        for item in known.items(file) if runs else ():
            seconds = measured.seconds.get(item.nodeid, 0.0)
            found.append((item.nodeid not in runs, seconds, len(found), item))
    left, kept = _MOST_S, list[pytest.Item]()
    for _, seconds, _, item in sorted(found):
        left -= seconds
        if left < 0 and kept:
            break
        kept.append(item)
    return kept


def _late(
    trial: dict[str, Any], items: Iterable[pytest.Item], is_well: dict[str, bool]
) -> list[pytest.Item]:
    tests = [test for test in (*trial["tests"], *trial["more"]) if _comes_late(test)]
    return [
        item
        for test in tests
        for item in items
        if _is_of(item, (test,)) and is_well.get(item.nodeid, True)
    ]


def _comes_late(test: str) -> bool:
    """Return True if a test starts bots, or is in a slow file. They run if no other test fails."""
    return needs_a_process(test) or not is_cheap(test)


def _is_of(item: pytest.Item, tests: Sequence[str]) -> bool:
    """Return True if a test is one of those, or in one of those files or classes."""
    return any(
        item.nodeid == test or item.nodeid.startswith((f"{test}::", f"{test}[")) for test in tests
    )


def _coverage() -> Coverage:
    measured = Coverage(
        data_file=None,
        config_file=False,
        include=[os.fspath(_ROOM / package / "*") for package in coverage_map.PACKAGES],
        concurrency=["greenlet", "thread"],
    )
    measured.set_option("run:core", "ctrace")
    return measured


def _measured(items: Sequence[pytest.Item]) -> dict[str, Any]:
    """Run tests without any change, and return what they did."""
    measured = _coverage()
    listener = Listener()
    measured.start()
    for item, following in zip_longest(items, items[1:]):
        measured.switch_context(item.nodeid)
        _run(item, following, listener)
    measured.stop()
    data = measured.get_data()
    lines: defaultdict[str, defaultdict[str, list[int]]]
    lines = defaultdict(lambda: defaultdict(list))
    for file in data.measured_files():
        module = os.path.relpath(file, _ROOM)
        for line, contexts in data.contexts_by_lineno(file).items():
            for context in filter(None, contexts):
                lines[context][module].append(line)
    return {
        "failed": sorted(set(listener.failed)),
        "seconds": dict(listener.seconds),
        "lines": lines,
    }


def _first_failure(
    items: Sequence[pytest.Item], trial: dict[str, Any] | None, before: str
) -> str | None:
    """Run tests with a change until one fails, and return the name of the failed test."""
    if trial is not None:
        told = os.fspath(_ROOM / trial["module"]), before, trial["source"]
        tell(_ROOM, *told)
        exchange(*told)
        gc.freeze()
    listener = Listener()
    for item, following in zip_longest(items, items[1:]):
        if trial is not None:
            _limit_processor_time()
        _run(item, following, listener)
        if listener.failed:
            with suppress(Exception):
                item.session._setupstate.teardown_exact(None)
            return listener.failed[0]
    return None


def _limit_processor_time() -> None:
    """End this process if its next test never ends. Hypothesis would repeat it after a timeout."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit_s = int(used.ru_utime + used.ru_stime) + _MOST_PROCESSOR_S
    resource.setrlimit(resource.RLIMIT_CPU, (limit_s, resource.RLIM_INFINITY))


def _run(item: pytest.Item, following: pytest.Item | None, listener: Listener) -> None:
    plugins = item.config.pluginmanager
    if not plugins.is_registered(listener):
        plugins.register(listener)
    item.ihook.pytest_runtest_protocol(item=item, nextitem=following)


@contextmanager
def _changed_module(file: Path, source: str, moment: int) -> Iterator[str]:
    """Write a changed module, with a timestamp that invalidates its bytecode."""
    before, stamp = file.read_text(encoding="utf-8"), file.stat().st_mtime_ns
    for text, by in ((source, moment), (before, -moment)):
        file.write_text(text, encoding="utf-8")
        os.utime(file, ns=(stamp, stamp + by * 1_000_000_000))
        if text is source:
            try:
                yield before
            except BaseException:
                file.write_text(before, encoding="utf-8")
                raise


def _in_fork(call: Callable[[], Any]) -> Any:
    """Return the result of a call in a fork, which ends with everything that it has started."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.close(reading)
        try:
            with os.fdopen(writing, "w") as answer:
                json.dump(call(), answer)
        except BaseException:
            _say(traceback.format_exc())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        told = answer.read()
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return json.loads(told) if told else _ENDED


def _processor_s() -> float:
    """Return the processor time of all forks that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _file(item: pytest.Item) -> str:
    return item.path.relative_to(_ROOM).as_posix()


def _say(text: str) -> None:
    sys.__stderr__.write(f"{text}\n")  # type: ignore[union-attr]
    with (_ROOM / "progress.log").open("a", encoding="utf-8") as log:
        log.write(f"{text}\n")
