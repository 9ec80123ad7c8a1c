"""A plug-in for mutmut's tests: tests that detected the last changes run first.

Changes to one function are consecutive, and the same few tests detect most of them.
"""

from pathlib import Path
from typing import Final

import pytest

_NOTICED: Final = Path("noticed.txt").absolute()
"""The tests that have failed so far, newest last."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    noticed = _NOTICED.read_text(encoding="utf-8").splitlines() if _NOTICED.exists() else []
    newest = {name: number for number, name in enumerate(noticed)}
    items.sort(key=lambda item: newest.get(item.nodeid, -1), reverse=True)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        with _NOTICED.open("a", encoding="utf-8") as file:
            file.write(f"{report.nodeid}\n")
