"""Fails a whole run of tests if no quick end-to-end test uses a handler or a feature."""

import sys
from typing import Any, Final

import pytest

_TAKEN: Final = "handlers_used"
_ALL: Final = "all_handlers"
_END_TO_END: Final = "tests/e2e/"


class HandlersUsed:
    """Collects what the processes of a run have used, and names what is left."""

    def __init__(self) -> None:
        self._taken = set[str]()
        self._all = set[str]()
        self._skips = False

    @property
    def unused(self) -> list[str]:
        """Return the handlers and features that no quick test has used."""
        return sorted(self._all - self._taken)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._skips |= report.skipped and report.nodeid.startswith(_END_TO_END)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self._add(getattr(node, "workeroutput", {}))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail, unless a skipped test may use what is left, as without the engine."""
        self._add(gone_through())
        if self.unused and not self._skips and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for handler in self.unused:
            terminalreporter.write_line(f"No quick end-to-end test uses this: {handler}")

    def _add(self, output: dict[str, list[str]]) -> None:
        self._taken.update(output.get(_TAKEN, ()))
        self._all.update(output.get(_ALL, ()))


def gone_through() -> dict[str, list[str]]:
    """Return what this process has used, and everything that there is, if it knows."""
    handlers = sys.modules.get("tests.e2e.handlers")
    if handlers is None:
        return {}
    return {_TAKEN: sorted(handlers.taken), _ALL: sorted(handlers.all_handlers())}
