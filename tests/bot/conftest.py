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
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.base.database_address import database_address
from bot.database.opening import create_engine
from bot.play.store.store import Store
from tests.bot.hands import Hands
from tests.bot.table import Table
from tests.once import memory
from tests.postgresql import drop_tables, empty_tables
from tests.warm_workers import fork_workers

_FILE = "dvonn.sqlite3"


class Clock:
    """A clock that a test moves. Calling it tells the time."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **by: float) -> None:
        self.time += timedelta(**by)


@pytest.fixture
def warm_workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Workers that find the engine loaded, as all were forked from this process.

    They look at a full board, and at a game closer, for a tenth of the time.
    """
    import_module("bot.features.machine.opponent.worker").warm_up()  # a bot may be without it
    monkeypatch.setattr("dvonn.engine.reviewing._CLOSER", 3)
    monkeypatch.setattr("dvonn.engine.reviewing._OUTLOOK", 1)
    fork_workers(monkeypatch.setattr)
    yield
    for child in multiprocessing.active_children():  # the next test counts its own
        child.join()


@pytest.fixture
def clock() -> Clock:
    return Clock()


_LOOKS_AT_THE_DATABASE = {"database_url", "empty_engine", "engine", "hands", "other", "store"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run on both databases what looks at the database itself, or at what happens at once.

    A test that only plays, through `table`, runs on SQLite, unless it is marked: the SQL below it
    is held on PostgreSQL by the others. Some are so thoroughly only: the mark says why.
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
    """Where each test of this worker has a SQLite file of its own, one after another.

    In memory, where that has a folder: to wait for the disk at each turn is a seventh of all work.
    """
    with TemporaryDirectory(prefix="dvonn-sqlite-", dir=memory()) as folder:
        yield Path(folder) / _FILE


@pytest.fixture(scope="session")
def engines() -> dict[str, AsyncEngine]:
    """Those of this worker, by their address: each keeps the statements that it has compiled."""
    return {}


@asynccontextmanager
async def _engine(engines: dict[str, AsyncEngine], url: str) -> AsyncIterator[AsyncEngine]:
    """An engine without connections, to which a test may listen: the next one's is another."""
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
    """A database without tables. Whoever changes the schema takes this one."""
    async with _engine(engines, database_url) as engine:
        is_server = engine.dialect.name == "postgresql"
        if is_server:
            await drop_tables(engine)
        yield engine
        if is_server:  # the others find today's schema there, or none
            await drop_tables(engine)


@pytest.fixture
async def engine(
    database_url: str, engines: dict[str, AsyncEngine], sqlite_file: Path, migrated: Path
) -> AsyncIterator[AsyncEngine]:
    """A database with today's schema and nothing in it. It is migrated once, and then emptied."""
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
async def other(database_url: str, table: Table, clock: Clock) -> AsyncIterator[Table]:
    """Another process, with connections of its own."""
    store = Store(create_engine(database_address(database_url)))
    other = Table(store, clock, reviews=table.reviews)
    other.last_source = 500_000
    yield other
    await store.close()


@pytest.fixture
def hands(engine: AsyncEngine, clock: Clock) -> Hands:
    return Hands(engine, clock)
