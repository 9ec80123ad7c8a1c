"""Fixtures of the bot's tests: databases (SQLite and PostgreSQL), stores, tables."""

import inspect
import multiprocessing
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from bot.base.database_address import database_address
from bot.database import sqlite
from bot.database.connection import AsyncEngine
from bot.database.opening import create_engine
from bot.play.store.store import Store
from tests.bot.hands import Hands
from tests.bot.table import Table
from tests.once import memory
from tests.postgresql import drop_tables, empty_tables
from tests.warm_workers import fork_workers

_FILE = "dvonn.sqlite3"


class Clock:
    """A clock that the test moves. Call it for the time."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **by: float) -> None:
        self.time += timedelta(**by)


@pytest.fixture
def warm_workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Workers with a loaded engine, because they are forked from this process.

    Closer looks and searches of full boards take a tenth of the usual time.
    """
    import_module("bot.features.machine.opponent.worker").warm_up()  # a bot may lack the worker
    monkeypatch.setattr("dvonn.engine.reviewing._CLOSER", 3)
    monkeypatch.setattr("dvonn.engine.reviewing._OUTLOOK", 1)
    fork_workers(monkeypatch.setattr)
    yield
    for child in multiprocessing.active_children():  # the next test counts only its own statements
        child.join()


@pytest.fixture
def clock() -> Clock:
    return Clock()


_LOOKS_AT_THE_DATABASE = {"database_url", "empty_engine", "engine", "hands", "other", "store"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests of the database itself, and of concurrency, on both databases.

    A test that only plays, through `table`, runs on SQLite unless it is marked, because the other
    tests run the same SQL on PostgreSQL. Some run there only with --thorough, and their mark says
    why.
    """
    chosen = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if "database_url" not in metafunc.fixturenames or "database_url" in chosen:
        return
    asks_for = inspect.signature(metafunc.function).parameters.keys()
    marked = metafunc.definition.get_closest_marker("both_databases")
    kinds: list[Any] = ["sqlite"]
    if marked is not None and (why := marked.kwargs.get("thorough")):
        kinds.append(pytest.param("postgresql", marks=pytest.mark.thorough(why)))
    elif marked is not None or _LOOKS_AT_THE_DATABASE & asks_for:
        kinds.append("postgresql")
    metafunc.parametrize("database_url", kinds, indirect=True, scope="function")


@pytest.fixture(scope="session")
def sqlite_file() -> Iterator[Path]:
    """The path of this worker's SQLite file, which its tests use one after another.

    In memory if possible, because waiting for the disk would be a seventh of all work.
    """
    with TemporaryDirectory(prefix="dvonn-sqlite-", dir=memory()) as folder:
        yield Path(folder) / _FILE


@pytest.fixture(scope="session")
def engines() -> dict[str, AsyncEngine]:
    """This worker's engines by address. Each keeps its compiled statements."""
    return {}


@asynccontextmanager
async def _engine(engines: dict[str, AsyncEngine], url: str) -> AsyncIterator[AsyncEngine]:
    """An engine without connections.

    A test may add listeners, because the next one gets another engine.
    """
    if url not in engines:
        engines[url] = create_engine(database_address(url))
    yield engines[url].execution_options()
    await engines[url].dispose()


@pytest.fixture
def database_url(request: pytest.FixtureRequest, sqlite_file: Path) -> str:
    """An address of each kind of database."""
    if request.param == "sqlite":
        for left in sqlite_file.parent.iterdir():
            left.unlink()
        return f"sqlite:///{sqlite_file}"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
async def empty_engine(
    database_url: str, engines: dict[str, AsyncEngine]
) -> AsyncIterator[AsyncEngine]:
    """A database without tables, for tests that change the schema."""
    async with _engine(engines, database_url) as engine:
        is_server = engine.dialect.name == "postgresql"
        if is_server:
            await drop_tables(engine)
        yield engine
        if is_server:  # other tests expect today's schema there, or none
            await drop_tables(engine)


@pytest.fixture
async def engine(
    database_url: str, engines: dict[str, AsyncEngine], sqlite_file: Path, migrated: Path
) -> AsyncIterator[AsyncEngine]:
    """An empty database with today's schema. It is migrated once, and then only emptied."""
    async with _engine(engines, database_url) as engine:
        if engine.dialect.name == "postgresql":
            await empty_tables(engine)
        else:
            shutil.copy(migrated, sqlite_file)
        yield engine


@pytest.fixture
def store(engine: AsyncEngine) -> Store:
    return Store(engine)


@pytest.fixture
def table(store: Store, clock: Clock) -> Table:
    return Table(store, clock)


@pytest.fixture
async def other(
    database_url: str, table: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Table]:
    """Another process with its own connections.

    Writers wait longer than usual: on a loaded machine, a transaction may take five seconds.
    """
    monkeypatch.setattr(sqlite, "_BUSY_TIMEOUT", "PRAGMA busy_timeout = 60000")
    store = Store(create_engine(database_address(database_url)))
    other = Table(store, clock, reviews=table.reviews)
    other.last_source = 500_000
    yield other
    await store.close()


@pytest.fixture
def hands(engine: AsyncEngine, clock: Clock) -> Hands:
    return Hands(engine, clock)
