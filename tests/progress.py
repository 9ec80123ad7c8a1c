"""Report how long a whole run takes, and how much time is left.

`tests/costs.json` has the processor time of each file, measured with `-p tests.processor_time
--update-costs`. The finished share of the work is computed from it.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import pytest

COSTS: Final = Path(__file__).parent / "costs.json"
_UNKNOWN_S: Final = 0.5
"""Processor time of an unmeasured file."""
_EVERY_S: Final = 15.0
_MINUTE_S: Final = 60


def costs() -> dict[str, float]:
    """Return the processor time of each measured file, in seconds, by its path below `tests`."""
    read: dict[str, float] = json.loads(COSTS.read_text()) if COSTS.exists() else {}
    return read


class Progress:
    """Prints lines such as "37% after 1:10. About 2:00 to go" in place of a dot a test."""

    def __init__(
        self,
        write_line: Callable[[str], object],
        clock: Callable[[], float] = time.monotonic,
        *,
        workers: int = 1,
        left_out: str = "",
    ) -> None:
        """Prepare to tell the progress of a run.

        Args:
            write_line: Writes a line to the terminal.
            clock: Returns seconds since some moment.
            workers: Number of processes that take tests at the same time.
            left_out: What this run leaves to others, as a sentence.
        """
        self._write_line = write_line
        self._clock = clock
        self._workers = workers
        self._left_out = left_out
        self._cost_s: dict[str, float] = {}
        self._total_s = self._done_s = 0.0
        self._began = self._told = 0.0

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if session.items:
            self._begin(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: Iterable[str]) -> None:  # noqa: ARG002
        self._begin(ids)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Print no dots for passed tests."""
        if not report.passed:
            return None
        return ("passed" if report.when == "call" else "", "", "")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            self._done_s += self._cost_s.get(report.nodeid, 0.0)
            now = self._clock()
            if now - self._told >= _EVERY_S:
                self._told = now
                self._tell(now - self._began)

    def _begin(self, ids: Iterable[str]) -> None:
        """Store which tests will run. All workers report the same tests."""
        if not self._cost_s:
            named = list(ids)
            known = costs()
            tests = Counter(map(_file, named))
            self._cost_s = {
                item: known.get(_file(item), _UNKNOWN_S) / tests[_file(item)] for item in named
            }
            self._total_s = sum(self._cost_s.values())
            self._began = self._told = self._clock()
            likely = _minutes_text(self._total_s / self._workers)
            self._write_line(f"{len(named):,} tests, about {likely} minutes. {self._left_out}")

    def _tell(self, passed_s: float) -> None:
        if self._total_s and self._done_s:
            share = self._done_s / self._total_s
            left_s = passed_s / share * (1 - share)
            self._write_line(
                f"{share:4.0%} after {_minutes_text(passed_s)}; about {_minutes_text(left_s)} to go"
            )


def _file(nodeid: str) -> str:
    return nodeid.partition("::")[0].removeprefix("tests/")


def _minutes_text(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), _MINUTE_S)
    return f"{minutes}:{rest:02}"
