"""A plug-in for mutmut's tests: functions called at import are guarded by all tests.

mutmut notes which functions a test calls, and hears of those that are called while modules are
imported only in the first test. They make tables on which everything else may stand.
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
