"""Options and fixtures of several packages: a random order, and a PostgreSQL server."""

import asyncio
import gc
import os
import random
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings

from bot.base.database_address import database_address
from bot.database.opening import create_engine, migrate
from tests import tiers
from tests.handlers_used import HandlersUsed, gone_through
from tests.once import made_once
from tests.postgresql import new_database
from tests.progress import Progress
from tests.run_folders import make_run_folders, server_folder
from tests.shared_files import SHARED, WANTED_BY, WITHOUT

_SEED: Final = pytest.StashKey[int]()
"""Seed of the shuffled order. It is the same in all workers, which must agree on the order."""

_TIER: Final = pytest.StashKey[str]()

PORTABLE: Final = ("benchmarks", "bot", "school", "club", "dvonn", "engine", "renderer")
"""The folders that need nothing except Python, so that every system runs them."""

LONGEST_FIRST: Final = (
    *(
        "launcher",
        "bot/features/machine/test_warm_up.py",
        "e2e/test_processes.py",
        *("operations/test_neighbours.py", "operations/test_sessions.py"),  # they only wait
        "e2e/test_whole_games.py",
        "demo",
        "hosting/test_installed.py",
    ),
    *(
        "bot/machine",
        "bot/play/test_endings.py",
        "bot/play/test_long_games.py",
        "e2e",
        "operations",
        "page",
    ),
    *("hosting", "bot/features/machine", "bot/database/test_backups.py", "benchmarks", "engine"),
    "dvonn/test_starts.py",
)
"""Files and folders whose tests take longest.

Several workers start with them, because otherwise all would wait for the last of them.
"""

_NOT_ALL: Final = ("collectonly", "deselect", "keyword", "lf", "markexpr", "portable", "stepwise")
"""Options that leave tests out."""

collect_ignore = [] if SHARED.exists() else list(WANTED_BY)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if collect_ignore:
        terminalreporter.write_line(WITHOUT)
    terminalreporter.write_line(tiers.LEFT_OUT[terminalreporter.config.stash[_TIER]])
    if (seed := terminalreporter.config.stash[_SEED]) is not None:
        terminalreporter.write_line(f"In a random order: --shuffle={seed}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="take what is drawn and said now as golden; then look at the difference",
    )
    parser.addoption(
        "--all",
        action="store_true",
        help="all that a change must pass, not the quick tests alone; see tests/tiers.py",
    )
    parser.addoption(
        "--quick", action="store_true", help="of the tests that are named, the quick ones alone"
    )
    parser.addoption(
        "--thorough",
        action="store_true",
        help="also what runs each night and before a release only",
    )
    parser.addoption(
        "--portable",
        action="store_true",
        help="only what runs on every system: no bot's process, no browser, no service",
    )
    parser.addoption(
        "--shuffle",
        nargs="?",
        type=int,
        const=0,
        metavar="SEED",
        help="run the tests in a random order; 0, or nothing, for a new one, whose seed is printed",
    )


def pytest_configure(config: pytest.Config) -> None:
    worker = getattr(config, "workerinput", None)
    config.stash[_TIER] = tiers.tier_of(config) if worker is None else worker["tier"]
    settings.load_profile(config.stash[_TIER])
    if worker is not None:
        config.stash[_SEED] = worker["seed"]
        return
    given = config.getoption("shuffle")
    config.stash[_SEED] = random.randrange(1, 1_000_000) if given == 0 else given


def pytest_sessionstart(session: pytest.Session) -> None:
    config = session.config
    if not hasattr(config, "workerinput"):
        make_run_folders(config)
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    runs_all = config.args_source is not pytest.Config.ArgsSource.ARGS
    if runs_all and not any(config.getoption(name, None) for name in _NOT_ALL):
        config.pluginmanager.register(HandlersUsed())
    if reporter is not None and runs_all and config.option.verbose < 1:
        workers = min(config.getoption("numprocesses", None) or 1, os.cpu_count() or 1)
        left_out = tiers.LEFT_OUT[config.stash[_TIER]]
        config.pluginmanager.register(
            Progress(reporter.write_line, workers=workers, left_out=left_out)
        )


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output.update(gone_through())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if config.stash[_TIER] == tiers.QUICK and tiers.waits(collection_path):
        return True
    inside = collection_path.relative_to(Path(__file__).parent).parts
    is_left_out = inside and inside[0] not in (*PORTABLE, "__init__.py")
    return True if config.getoption("portable") and is_left_out else None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput["tier"] = node.config.stash[_TIER]
    node.workerinput["seed"] = node.config.stash[_SEED]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing that was imported or collected so far is garbage.

    Scanning it would take a tenth of the time. Scanning as often as a bot does would take a
    twentieth.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let every other worker read the files backwards.

    It then finds half of them compiled, and so do those that read forwards.
    """
    report = yield
    worker = getattr(collector.config, "workerinput", {"workerid": "gw0"})["workerid"]
    if isinstance(collector, pytest.Directory) and worker[-1] in "13579":
        report.result.reverse()
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the modules, and the tests in each. A module's fixtures are still made once."""
    if hasattr(config, "workerinput"):  # some read them backwards
        items.sort(key=lambda item: item.path.parts)
    kept = list(tiers.of_tier(items, config.stash[_TIER]))
    left_out = set(items).difference(kept)
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = kept
    seed = config.stash[_SEED]
    if seed is None:
        if hasattr(config, "workerinput"):
            items.sort(key=_rank)
        return
    chance = random.Random(seed)
    modules: dict[str, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.nodeid.partition("::")[0], []).append(item)
    order = list(modules)
    chance.shuffle(order)
    for name in order:
        chance.shuffle(modules[name])
    items[:] = [item for name in order for item in modules[name]]


def _rank(item: pytest.Item) -> int:
    name = item.path.relative_to(Path(__file__).parent).as_posix()
    begins = (rank for rank, start in enumerate(LONGEST_FIRST) if name.startswith(start))
    return next(begins, len(LONGEST_FIRST))


@pytest.fixture(scope="session")
def postgres_url() -> str:
    """A PostgreSQL to use: TEST_DATABASE_URL, or this worker's database on the run's server."""
    if given := os.environ.get("TEST_DATABASE_URL"):
        return given
    name = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    return new_database(server_folder(), name)


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty SQLite file with today's schema. Copying it is faster than creating one."""

    async def make(file: Path) -> None:
        engine = create_engine(database_address(f"sqlite:///{file}"))
        await migrate(engine)
        await engine.dispose()

    return made_once(tmp_path_factory, "migrated.sqlite3", lambda file: asyncio.run(make(file)))
