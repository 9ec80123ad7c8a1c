"""Tests for the driver: one trip to SQLite's thread for each statement."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError
from sqlalchemy.util import greenlet_spawn

from bot.database import connection as connections
from bot.database.connection import AsyncConnection, AsyncEngine
from bot.database.opening import create_engine
from bot.database.sqlite import OneTripConnection, OneTripCursor, autocommit, begin_quick

MANY = 2_500
AT_ONCE = 15


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """A database with a table of numbers."""
    engine = create_engine(URL.create("sqlite+aiosqlite", database=str(tmp_path / "a.sqlite3")))
    async with engine.begin() as connection:
        await connection.execute(text("CREATE TABLE numbers (n INTEGER PRIMARY KEY)"))
        rows = [{"n": number} for number in range(MANY)]
        await connection.execute(text("INSERT INTO numbers VALUES (:n)"), rows)
    yield engine
    await engine.dispose()


@asynccontextmanager
async def alone(engine: AsyncEngine, *, quick: bool = False) -> AsyncIterator[AsyncConnection]:
    """Connect, for statements that are transactions of their own."""
    async with engine.connect() as connection:
        await connection.run_sync(partial(autocommit, quick=quick))
        yield connection


@asynccontextmanager
async def quick_one(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Begin a quick transaction."""
    async with engine.connect() as connection:
        await connection.run_sync(begin_quick)
        yield connection


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The work of each trip to the thread."""
    taken: list[str] = []
    go: Any = OneTripConnection._execute

    async def execute(connection: OneTripConnection, work: Any, *about: Any, **named: Any) -> Any:
        taken.append(work.__name__)
        return await go(connection, work, *about, **named)

    monkeypatch.setattr(OneTripConnection, "_execute", execute)
    return taken


async def test_committed_data_is_on_disk_and_its_references_exist(engine: AsyncEngine) -> None:
    settings = {"synchronous": 2, "foreign_keys": 1, "journal_mode": "wal"}
    async with engine.connect() as connection:
        for name, value in settings.items():
            assert await connection.scalar(text(f"PRAGMA {name}")) == value


async def test_a_single_statement_takes_one_round_trip(
    engine: AsyncEngine, trips: list[str]
) -> None:
    async with alone(engine) as connection:
        found = await connection.execute(text("SELECT n FROM numbers WHERE n < 3"))
        assert found.scalars().all() == [0, 1, 2]
    assert trips == ["execute"]


async def test_a_transaction_begins_with_its_first_statement_and_ends(
    engine: AsyncEngine, trips: list[str]
) -> None:
    async with engine.begin() as connection:
        gone = await connection.execute(text("DELETE FROM numbers WHERE n < 3"))
        assert gone.rowcount == 3
    assert trips == ["execute", "commit"]
    trips.clear()
    async with engine.begin():
        pass
    assert trips == [], "nothing was written"
    async with engine.connect() as connection:
        await connection.execute(text("DELETE FROM numbers"))
        with pytest.raises(OperationalError, match="no such table"):
            await connection.execute(text("DELETE FROM letters"))
    assert trips == ["execute", "execute", "rollback"]
    async with alone(engine) as connection:
        assert await connection.scalar(text("SELECT count(*) FROM numbers")) == MANY - 3


async def test_a_quick_transaction_goes_to_the_thread_only_where_it_may_wait(
    engine: AsyncEngine, trips: list[str]
) -> None:
    async with quick_one(engine) as connection:
        await connection.execute(text("DELETE FROM numbers WHERE n < 3"))
        rows = [{"n": -number} for number in range(1, 5)]
        await connection.execute(text("INSERT INTO numbers VALUES (:n)"), rows)
        assert await connection.scalar(text("SELECT count(*) FROM numbers")) == MANY + 1
        assert trips == []
        await connection.commit()
    assert trips == ["commit"]
    trips.clear()
    async with quick_one(engine) as connection:
        await connection.execute(text("DELETE FROM numbers"))
        with pytest.raises(OperationalError, match="no such table"):
            await connection.execute(text("DELETE FROM letters"))
    assert trips == ["rollback"]
    trips.clear()
    # on the same connection, and not as a quick transaction
    async with engine.begin() as connection:
        for _ in range(2):
            found = await connection.execute(text("SELECT count(*) FROM numbers"))
            assert found.scalar() == MANY + 1
    assert trips == ["execute", "execute", "commit"]


async def test_quick_statements_wait_for_another_process_in_the_thread(
    engine: AsyncEngine, trips: list[str]
) -> None:
    assert engine.url.database is not None
    other = sqlite3.connect(engine.url.database, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    other.execute("INSERT INTO numbers VALUES (-1)")
    async with alone(engine, quick=True) as connection:
        assert await connection.scalar(text("SELECT count(*) FROM numbers")) == MANY
    assert trips == [], "who reads waits for nobody"
    async with quick_one(engine) as connection:
        driver: Any = await connection.run_sync(lambda one: one.connection.driver_connection)
        done: list[str] = []
        driver.raw.set_trace_callback(done.append)
        statement = connection.execute(text("DELETE FROM numbers WHERE n < 3"))
        deleting = asyncio.ensure_future(statement)
        while not trips:  # noqa: ASYNC110 - it begins in a turn or two of the loop
            await asyncio.sleep(0)
        assert not deleting.done()
        first = ["PRAGMA busy_timeout = 0", "BEGIN IMMEDIATE", "PRAGMA busy_timeout = 5000"]
        assert done[:3] == first, "the event loop waits for nobody"
        other.execute("COMMIT")
        assert (await deleting).rowcount == 4
        driver.raw.set_trace_callback(None)
        assert trips == ["execute"]
        await connection.execute(text("DELETE FROM numbers WHERE n < 5"))
        await connection.commit()
    other.close()
    assert trips == ["execute", "commit"]


async def test_no_listener_is_called_with_each_statement(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        here = await connection.run_sync(lambda connection: connection)
    for told in (here, engine.sync_engine, engine.dialect):
        assert not vars(told).get("_has_events"), told


async def test_connections_stay_open_for_the_next_burst(engine: AsyncEngine) -> None:
    opened: list[object] = []
    event.listen(engine.sync_engine, "connect", lambda connection, _: opened.append(connection))
    for _ in range(2):
        async with AsyncExitStack() as burst:
            for _ in range(AT_ONCE):
                await burst.enter_async_context(engine.connect())
    async with engine.connect():
        pass
    assert len(opened) == AT_ONCE - 1, "one was open before"


async def test_all_rows_come_however_many_there_are(engine: AsyncEngine) -> None:
    async with alone(engine) as connection:
        found = await connection.execute(text("SELECT n FROM numbers ORDER BY n"))
        assert found.scalars().all() == list(range(MANY))
        assert (await connection.execute(text("SELECT n FROM numbers WHERE n < 0"))).all() == []


async def test_a_stream_is_not_read_to_its_end(engine: AsyncEngine, trips: list[str]) -> None:
    async with alone(engine) as connection:
        numbers = text("SELECT n FROM numbers ORDER BY n")
        batches = [batch async for batch in connection.partitions(numbers, 1_000)]
        assert [row.n for batch in batches for row in batch] == list(range(MANY))
        assert trips == ["execute", "fetchmany", "fetchmany"]
        trips.clear()
        stream = connection.partitions(numbers, 1)
        assert await anext(stream) == [(0,)]
        await stream.aclose()
        assert trips == ["execute", "close"]


@pytest.mark.parametrize("streams", [False, True])
async def test_a_cursor_is_read_in_any_way(tmp_path: Path, streams: bool) -> None:
    def run_queries(cursor: OneTripCursor) -> None:
        assert cursor.rowcount == -1, "nothing was run so far"
        cursor.execute("CREATE TABLE numbers (n)")
        assert cursor.description is None
        cursor.executemany("INSERT INTO numbers VALUES (?)", [(n,) for n in range(MANY)])
        assert cursor.rowcount == MANY
        cursor.execute("SELECT n FROM numbers")
        assert cursor.fetchone() == (0,)
        assert cursor.fetchmany(1_500) == [(n,) for n in range(1, 1_501)]
        assert len(cursor.fetchall()) == MANY - 1_501
        assert cursor.fetchone() is None
        cursor.execute("SELECT n FROM numbers")
        cursor.execute("SELECT 'another'")
        assert cursor.fetchall() == [("another",)]
        cursor.close()

    connection = OneTripConnection(str(tmp_path / "a.sqlite3"))
    async with connection:
        await connection.execute("BEGIN")  # not each row separately
        await greenlet_spawn(run_queries, OneTripCursor(connection, streams=streams))
        await connection.rollback()


async def test_a_cancelled_query_leaves_the_connection_usable(tmp_path: Path) -> None:
    connection = OneTripConnection(str(tmp_path / "a.sqlite3"))
    async with connection:
        cursor = OneTripCursor(connection)
        with pytest.raises(sqlite3.OperationalError):
            await greenlet_spawn(cursor.execute, "SELECT nothing FROM nowhere")
        waiting = asyncio.ensure_future(greenlet_spawn(cursor.execute, "SELECT 1"))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await greenlet_spawn(cursor.execute, "SELECT 2")
        assert cursor.fetchall() == [(2,)]


async def test_only_the_first_statement_of_a_quick_transaction_may_wait(
    engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others need no greenlet, which costs as much as they do."""
    spawned: list[Any] = []

    async def note(work: Any, *about: Any, **named: Any) -> Any:
        spawned.append(work.__name__)
        return await greenlet_spawn(work, *about, **named)

    async with quick_one(engine) as connection:
        monkeypatch.setattr(connections, "greenlet_spawn", note)
        for number in range(3):
            await connection.execute(text("DELETE FROM numbers WHERE n = :n"), {"n": number})
        await connection.commit()
    assert spawned == ["execute", "_commit", "close"]


@pytest.mark.parametrize("quick", [False, True])
async def test_after_a_failed_commit_a_connection_does_not_keep_its_transaction(
    engine: AsyncEngine, *, quick: bool
) -> None:
    """Otherwise later statements of the same connection would never be committed."""

    def fail(_connection: object) -> None:
        raise RuntimeError("no")

    async def insert(number: int) -> None:
        async with quick_one(engine) if quick else engine.begin() as connection:
            await connection.execute(text("INSERT INTO numbers VALUES (:n)"), {"n": number})
            if quick:
                await connection.commit()

    event.listen(engine.sync_engine, "commit", fail)
    with pytest.raises(RuntimeError, match="no"):
        await insert(10_007)
    event.remove(engine.sync_engine, "commit", fail)
    async with alone(engine) as connection:
        await connection.execute(text("INSERT INTO numbers VALUES (10008)"))
    with closing(sqlite3.connect(str(engine.url.database))) as other:
        added = other.execute("SELECT n FROM numbers WHERE n > 10000").fetchall()
    assert added == [(10_008,)]
