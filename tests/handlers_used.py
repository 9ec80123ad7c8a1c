"""Names, after a whole run of tests, the handlers that no quick end-to-end test uses."""

import sys
from typing import Any, Final

import pytest

_TAKEN: Final = "handlers_used"
_ALL: Final = "all_handlers"


class HandlersUsed:
    """Gathers what the processes of a run have gone through, and names what is left."""

    def __init__(self) -> None:
        self._taken = set[str]()
        self._all = set[str]()

    @property
    def left(self) -> list[str]:
        """The handlers that no quick test has gone through."""
        return sorted(self._all - self._taken)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self._add(getattr(node, "workeroutput", {}))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        self._add(gone_through())

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for handler in self.left:
            terminalreporter.write_line(f"No quick end-to-end test uses this handler: {handler}")

    def _add(self, output: dict[str, list[str]]) -> None:
        self._taken.update(output.get(_TAKEN, ()))
        self._all.update(output.get(_ALL, ()))


def gone_through() -> dict[str, list[str]]:
    """Return what this process has gone through and what there is, if it knows of any."""
    handlers = sys.modules.get("tests.e2e.handlers")
    if handlers is None:
        return {}
    return {_TAKEN: sorted(handlers.taken), _ALL: sorted(handlers.all_handlers())}
