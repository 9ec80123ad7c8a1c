"""Fails a whole run of tests if no quick end-to-end test goes through some door of the bot."""

import sys
from typing import Any, Final

import pytest

_TAKEN: Final = "doors_taken"
_ALL: Final = "all_doors"


class DoorsTaken:
    """Gathers what the processes of a run have gone through, and names what is left."""

    def __init__(self) -> None:
        self._taken = set[str]()
        self._all = set[str]()
        self._is_skipped = False

    @property
    def left(self) -> list[str]:
        """The doors that no quick test has gone through."""
        return sorted(self._all - self._taken)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self._add(getattr(node, "workeroutput", {}))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # Without the engine, say, its doors are closed.
        self._is_skipped |= report.skipped and report.nodeid.startswith("tests/e2e/")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._add(gone_through())
        if self.left and not self._is_skipped and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for door in self.left:
            terminalreporter.write_line(f"No quick end-to-end test goes through this door: {door}")

    def _add(self, output: dict[str, list[str]]) -> None:
        self._taken.update(output.get(_TAKEN, ()))
        self._all.update(output.get(_ALL, ()))


def gone_through() -> dict[str, list[str]]:
    """Return what this process has gone through, and what there is, if it knows of doors at all."""
    doors = sys.modules.get("tests.e2e.handlers")
    if doors is None:
        return {}
    return {_TAKEN: sorted(doors.taken), _ALL: sorted(doors.all_doors())}
