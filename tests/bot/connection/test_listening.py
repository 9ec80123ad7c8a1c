"""Tests for the record of received events, which shows that two processes run one shard."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from sqlalchemy import text

from bot.base.database_address import database_address
from bot.database.connection import AsyncEngine
from bot.database.opening import create_engine
from bot.play.store.store import Store
from tests.bot.conftest import Clock


@pytest.fixture
async def other(engine: AsyncEngine, database_url: str) -> AsyncIterator[Store]:
    """Another process with the same database."""
    other = Store(create_engine(database_address(database_url)))
    yield other
    await other.close()


async def hear(store: Store, clock: Clock, shard: int = 0, count: int = 2) -> list[int]:
    """Let half a minute pass, and record what was received.

    Return the shards that others receive, too.
    """
    clock.advance(seconds=30, microseconds=1_234)
    await store.listening.set_received_until(shard, count, clock())
    return store.other_processes.shards


async def test_a_single_process_finds_no_other(store: Store, other: Store, clock: Clock) -> None:
    assert await hear(store, clock) == []
    assert await hear(store, clock) == []
    # It replaces another process that was killed a moment ago.
    assert await hear(other, clock) == []
    assert await hear(other, clock) == []


async def test_two_processes_of_one_shard_meet_and_part(
    store: Store, other: Store, clock: Clock
) -> None:
    await hear(store, clock)
    assert await hear(other, clock) == []  # it cannot know that yet
    assert await hear(store, clock) == [0]
    assert await hear(other, clock) == [0]
    assert await hear(store, clock) == [0]
    await other.close()
    assert await hear(store, clock) == []


async def test_two_of_different_shards_do_not_meet(
    store: Store, other: Store, clock: Clock
) -> None:
    for _ in range(3):
        assert await hear(store, clock, 0, 2) == []
        assert await hear(other, clock, 1, 2) == []
        assert await hear(other, clock, 0, 3) == []


async def test_the_last_record_of_received_events_counts(
    store: Store, other: Store, clock: Clock
) -> None:
    for item in (store, other, store):
        await hear(item, clock)
        heard = await other.listening.received_until(0, 2)
        assert heard is not None
        assert timedelta(0) <= clock() - heard < timedelta(milliseconds=1)


async def test_a_failed_write_belongs_to_nobody_else(
    store: Store, engine: AsyncEngine, clock: Clock
) -> None:
    """If the end of a transaction is not reported, it may have been committed."""
    await hear(store, clock)
    async with engine.begin() as connection:
        await connection.execute(text("ALTER TABLE listening RENAME TO elsewhere"))
    with pytest.raises(Exception, match="listening"):
        await hear(store, clock)
    async with engine.begin() as connection:
        await connection.execute(text("ALTER TABLE elsewhere RENAME TO listening"))
        await connection.execute(text("UPDATE listening SET heard_at = heard_at + 30000"))
    assert await hear(store, clock) == []
    assert await hear(store, clock) == []


async def test_a_long_catch_up_knows_of_another_process(
    store: Store, other: Store, clock: Clock
) -> None:
    await hear(store, clock)
    await other.listening.received_until(0, 2)  # its session starts
    for _ in range(8):
        await hear(store, clock)
    clock.advance(minutes=3)  # the first one has ended
    await hear(other, clock)
    assert other.other_processes.may_be_active(clock())
    clock.advance(minutes=3)
    await hear(other, clock)
    assert not other.other_processes.may_be_active(clock())


async def test_a_long_catch_up_knows_that_no_process_was_there(
    store: Store, other: Store, clock: Clock
) -> None:
    await hear(store, clock)
    await other.listening.received_until(0, 2)
    clock.advance(minutes=7)
    await hear(other, clock)
    assert not other.other_processes.may_be_active(clock())


@pytest.mark.parametrize(("seconds", "was_there"), [(89, True), (90, False)])
async def test_recent_writers_may_still_be_there(
    store: Store, other: Store, clock: Clock, seconds: float, *, was_there: bool
) -> None:
    await store.listening.set_received_until(0, 2, clock())
    clock.advance(seconds=seconds)
    await other.listening.set_received_until(0, 2, clock())
    assert other.other_processes.may_be_active(clock()) is was_there
