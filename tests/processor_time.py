"""A pytest plug-in that reports the processor time of each test file, on Linux.

    ./run test -p tests.processor_time -n 2 --dist loadfile --no-loadscope-reorder

It includes all processes that a test starts, but not the run's PostgreSQL server. `--update-costs`
writes the times to the file that `tests.progress` reads.
"""

import json
import os
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.progress import COSTS, costs

_TICKS = os.sysconf("SC_CLK_TCK")
_SHOWN = 20
_spent: Counter[str] = Counter()
_state: dict[str, Any] = {"before": 0.0, "ends": False}


def _used() -> float:
    """Return the processor time of this process and all its descendants, in seconds."""
    own, parents, ticks = os.getpid(), dict[int, int](), dict[int, int]()
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended in the meantime
            continue
        number = int(file.parent.name)
        parents[number], ticks[number] = int(fields[1]), sum(map(int, fields[11:15]))

    def is_ours(number: int) -> bool:
        while number and number != own:
            number = parents.get(number, 0)
        return number == own

    return sum(ticks[number] for number in ticks if is_ours(number)) / _TICKS


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-costs", action="store_true", help="rewrite tests/costs.json")


def pytest_collection_finish() -> None:
    _state["before"] = _used()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    _state["ends"] = nextitem is None or nextitem.path != item.path
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "teardown" and _state["ends"]:
        now = _used()
        report.user_properties.append(("processor_s", now - _state["before"]))
        _state["before"] = now
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    file = report.nodeid.partition("::")[0]
    _spent[file] += sum(s for name, s in report.user_properties if name == "processor_s")  # type: ignore[misc]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"Processor time: {sum(_spent.values()):.0f} s in tests")
    for file, spent in _spent.most_common(_SHOWN):
        terminalreporter.write_line(f"{spent:8.1f} s {file}")
    if terminalreporter.config.getoption("update_costs"):
        measured = {file.removeprefix("tests/"): round(spent, 1) for file, spent in _spent.items()}
        known = sorted((costs() | measured).items())
        there = {file: spent for file, spent in known if (COSTS.parent / file).exists()}
        COSTS.write_text(json.dumps(there, indent=1) + "\n")
