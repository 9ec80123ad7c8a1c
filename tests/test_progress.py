"""Tests for the report about a run's time."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.progress import Progress


@pytest.fixture
def lines() -> list[str]:
    return []


def ended(nodeid: str) -> Any:
    return SimpleNamespace(nodeid=nodeid, when="teardown")


def test_progress_shows_the_total_time_first_and_then_the_rest(
    lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.progress.costs", lambda: {"a.py": 100.0, "b.py": 300.0})
    now = 0.0
    progress = Progress(lines.append, lambda: now, workers=2, left_out="The rest waits.")
    tests = ["tests/a.py::one", "tests/a.py::two", "tests/b.py::one"]
    for _ in range(2):  # each worker reports what it has found
        progress.pytest_xdist_node_collection_finished(None, tests)
    assert lines == ["3 tests, about 3:20 minutes. The rest waits."]
    now = 60.0
    progress.pytest_runtest_logreport(ended(tests[0]))
    now = 61.0
    progress.pytest_runtest_logreport(ended(tests[1]))  # too early to say more
    now = 100.0
    progress.pytest_runtest_logreport(ended(tests[2]))
    assert lines[1:] == [" 12% after 1:00; about 7:00 to go", "100% after 1:40; about 0:00 to go"]
