"""Tests that a whole run fails if a handler or a feature has no quick end-to-end test."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tests.handlers_used import HandlersUsed

ALL = ["buttons Go", "feature talk"]


def ended(*taken: list[str], outcome: str = "passed", status: int = 0) -> int:
    """Return the exit status of a run whose workers have used these."""
    used = HandlersUsed()
    for each in taken:
        output = {"handlers_used": each, "all_handlers": ALL}
        used.pytest_testnodedown(SimpleNamespace(workeroutput=output))
    test: Any = SimpleNamespace(skipped=outcome == "skipped", nodeid="tests/e2e/test_play.py::test")
    used.pytest_runtest_logreport(test)
    session: Any = SimpleNamespace(exitstatus=status)
    used.pytest_sessionfinish(session)
    return int(session.exitstatus)


@pytest.fixture(autouse=True)
def _no_end_to_end_tests_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tests.e2e.handlers", raising=False)


def test_all_workers_together_go_through_all() -> None:
    assert ended(["buttons Go"], ["feature talk"]) == 0


def test_a_run_that_skips_a_handler_fails() -> None:
    assert ended(["buttons Go"], ["buttons Go"]) == pytest.ExitCode.TESTS_FAILED


def test_skipped_tests_demand_nothing() -> None:
    assert ended(["buttons Go"], outcome="skipped") == 0
    assert ended(["buttons Go"], status=2) == 2
