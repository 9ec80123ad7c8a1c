"""Run a state machine: use cases in any order, on a real database, compared with a simple model.

Anyone does anything at any time, through one of two processes with the same database. Either may be
restarted. The use cases must refuse exactly what the model refuses. After each step the cached game
of each process, the game replayed from its events, and the model must agree.

`MACHINE_EXAMPLES=1000` makes a long run of it. RELIABILITY.md has the command.
"""

import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from bot.base.database_address import database_address
from bot.composition import FEATURES
from bot.database.opening import create_engine
from tests.bot.machine.use_cases import UseCases
from tests.tiers import TESTS, share_of


def _of_features() -> Iterator[type[UseCases]]:
    """Yield the rules, including those of features."""
    for feature in FEATURES:
        for rules in sorted(TESTS.glob(f"**/{feature.name}/rules.py")):
            package = ".".join(("tests", *rules.relative_to(TESTS).with_suffix("").parts))
            yield import_module(package).Rules


AllUseCases: type[UseCases] = type("AllUseCases", (*_of_features(), UseCases), {})


@pytest.fixture(scope="module", autouse=True)
def _empty_database(migrated: Path, sqlite_file: Path) -> None:
    UseCases.database = migrated
    UseCases.path = sqlite_file
    url = database_address(f"sqlite:///{UseCases.path}")
    UseCases.engines = (create_engine(url), create_engine(url))


_LONG = os.environ.get("MACHINE_EXAMPLES")
pytestmark = pytest.mark.timeout(0 if _LONG else 600)  # however busy the machine is
TestUseCases = AllUseCases.TestCase
TestUseCases.settings = settings(
    max_examples=int(_LONG or share_of(60)),
    stateful_step_count=50 if _LONG else 35,
    derandomize=not _LONG,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
