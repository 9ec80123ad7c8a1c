"""A plug-in for mutmut's tests: all tests guard functions that are called at import.

mutmut records which functions a test calls. It notices calls during an import only in the first
test. But such functions make tables that everything else may depend on.
"""

from typing import Final

import pytest
from mutmut.state import state

_CALLED: Final[set[str]] = set()


def pytest_collection_finish() -> None:
    _CALLED.update(state()._stats)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown() -> None:
    state()._stats.update(_CALLED)
