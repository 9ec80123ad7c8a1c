"""Tests for session starts as counted by the database, over simulated days."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from bot.base.database_address import database_address
from bot.connection.discord_clock import DiscordClock, HostClocks
from bot.connection.identify_limiter import _MAX_AGE_S, IdentifyLimiter
from bot.connection.liveness import Liveness
from bot.connection.session_budget import DAY, Permit, SessionBudget, SessionStart, SessionWait
from bot.connection.store import identifies
from bot.database.connection import AsyncEngine
from bot.database.opening import create_engine
from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.postgresql import NEEDS_POSTGRESQL

LIMIT = {"total": 1_000, "remaining": 1_000, "reset_after": 86_400_000, "max_concurrency": 1}


class Moved(DiscordClock):
    """A clock that only waiting moves forward."""

    def __init__(self, clock: Clock, even: Callable[[], float], liveness: Liveness) -> None:
        super().__init__(HostClocks(wall_clock=clock, steady=even, awake=even))
        self._clock = clock
        self._liveness = liveness

    async def sleep(self, seconds: float) -> None:
        self._clock.time += timedelta(seconds=seconds)
        assert self._liveness.late == []


START = datetime(2026, 1, 1, tzinfo=UTC)


def process(store: Store, clock: Clock) -> tuple[IdentifyLimiter, Liveness]:
    """Everything that one process of the bot needs to start sessions."""

    def even() -> float:
        return (clock.time - START).total_seconds()

    liveness = Liveness(even)
    identify_limiter = IdentifyLimiter(
        store.identifies, Moved(clock, even, liveness), liveness, SessionBudget()
    )
    identify_limiter.learn(LIMIT)
    return identify_limiter, liveness


async def begin(identify_limiter: IdentifyLimiter) -> None:
    """Start a session as soon as it is allowed."""
    await identify_limiter.wait(0, 1, "shard 0")
    assert not await identify_limiter.begin(0, 1)


async def moments(engine: AsyncEngine) -> list[datetime]:
    async with engine.connect() as connection:
        rows = await connection.execute(select(identifies.c.at).order_by(identifies.c.id))
        return [row.at for row in rows]


LASTING_OBJECTS = {"op 9, for ever, or closed after READY": 0.1, "a gateway that stays deaf": 45.0}
"""Minimum duration of a session in seconds, for each fault."""
FIRST = ("op 9, for ever, or closed after READY", "each time with the process")
"""The worst faults of all."""


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)  # the count there
@pytest.mark.parametrize(
    ("fault", "ends"),
    [
        (fault, ends)
        if (fault, ends) == FIRST
        else pytest.param(fault, ends, marks=pytest.mark.thorough("30 hours more, counted alike"))
        for fault in LASTING_OBJECTS
        for ends in ("in one process", "each time with the process")
    ],
)
async def test_no_lasting_fault_costs_more_than_two_hundred_sessions_a_day(
    engine: AsyncEngine, store: Store, clock: Clock, fault: str, ends: str
) -> None:
    over = clock.time + timedelta(hours=30)
    begun: list[datetime] = []
    identify_limiter, _ = process(store, clock)
    while clock.time < over:
        if ends != "in one process":
            identify_limiter, _ = process(store, clock)
        await begin(identify_limiter)
        begun.append(clock.time)
        clock.advance(seconds=LASTING_OBJECTS[fault])
    assert max(sum(at <= item < at + DAY for item in begun) for at in begun) <= 200
    assert len(begun) > 150  # attempts never stopped
    assert len(await moments(engine)) < len(begun)  # older ones are deleted


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)  # the same
async def test_the_limit_holds_for_a_process_that_is_often_killed_and_loses_its_file(
    store: Store, clock: Clock, engine: AsyncEngine
) -> None:
    """Without the database, only Discord's own count is left."""
    left, spent, over = 1_000, 0, clock.time + DAY
    while clock.time < over:
        async with engine.begin() as connection:
            await connection.execute(identifies.delete())
        identify_limiter, _ = process(store, clock)
        identify_limiter.learn({**LIMIT, "remaining": left})
        await begin(identify_limiter)
        left, spent = left - 1, spent + 1
        clock.advance(seconds=5)
    assert spent <= 200


def at_once(apart: timedelta, now: datetime) -> Callable[[Sequence[SessionStart]], Permit]:
    def permit_for(history: Sequence[SessionStart]) -> Permit:
        at = max((item.at for item in history), default=now - apart) + apart
        return Permit(at=at, reason=SessionWait.TURN)

    return permit_for


async def test_of_many_at_once_one_begins(store: Store, clock: Clock) -> None:
    judge = at_once(timedelta(seconds=5), clock.time)
    permits = await asyncio.gather(
        *(store.identifies.begin(shard, 8, judge, clock.time) for shard in range(8))
    )
    assert sorted(permit.at - clock.time for permit in permits) == [
        timedelta(0),
        *[timedelta(seconds=5)] * 7,
    ]


async def test_a_clock_set_back_delays_nothing(store: Store, clock: Clock) -> None:
    identify_limiter, _ = process(store, clock)
    clock.advance(days=300)
    await begin(identify_limiter)
    clock.advance(days=-300)
    before = clock.time
    await begin(identify_limiter)
    assert clock.time - before <= timedelta(minutes=1)


async def test_a_clock_set_back_corrects_only_future_times(store: Store, clock: Clock) -> None:
    identify_limiter, _ = process(store, clock)
    for _ in range(2):
        await begin(identify_limiter)
        clock.advance(hours=2)
    clock.advance(hours=-4, seconds=30)
    history = await store.identifies.history(clock.time)
    assert [clock.time - item.at for item in history] == [timedelta(seconds=30), timedelta(0)]


async def test_a_waiting_part_is_alive_and_names_its_deadline(store: Store, clock: Clock) -> None:
    identify_limiter, liveness = process(store, clock)
    for _ in range(100):
        await begin(identify_limiter)
    assert liveness.waiting == {}
    assert await identify_limiter.must_wait(0, 1, "shard 0")
    assert liveness.waiting == {"shard 0": clock.time + timedelta(seconds=864)}
    liveness.sign("shard 0", next_within=timedelta(minutes=2))
    assert liveness.waiting == {}


@NEEDS_POSTGRESQL
async def test_without_a_database_a_process_counts_its_own_sessions(clock: Clock) -> None:
    nowhere = Store(create_engine(database_address("postgresql://127.0.0.1:1/none")))
    identify_limiter, _ = process(nowhere, clock)
    for _ in range(100):
        await begin(identify_limiter)
    assert await identify_limiter.begin(0, 1) == timedelta(seconds=864)


async def test_discord_s_count_is_old_after_a_while(store: Store, clock: Clock) -> None:
    identify_limiter, _ = process(store, clock)
    assert not identify_limiter.is_behind
    clock.advance(seconds=_MAX_AGE_S)
    assert not identify_limiter.is_behind
    clock.advance(seconds=1)
    assert identify_limiter.is_behind
    identify_limiter.learn(LIMIT)
    assert not identify_limiter.is_behind


async def test_sessions_started_elsewhere_are_recognized(store: Store, clock: Clock) -> None:
    identify_limiter, _ = process(store, clock)

    async def is_another(remaining: int) -> bool:
        clock.advance(minutes=1)
        reset_after = (START + timedelta(days=365) - clock.time) // timedelta(milliseconds=1)
        said = {**LIMIT, "remaining": remaining, "reset_after": reset_after}
        identify_limiter.learn(said)
        return await identify_limiter.has_foreign_starts()

    assert not await is_another(1_000)
    for _ in range(2):
        await begin(identify_limiter)
    assert not await is_another(998)
    assert await is_another(997)
    assert not await is_another(997), "it is told once"
    await begin(identify_limiter)
    assert not await is_another(996)
    assert await is_another(994)


@NEEDS_POSTGRESQL
async def test_without_a_database_no_second_bot_is_reported(clock: Clock) -> None:
    nowhere = Store(create_engine(database_address("postgresql://127.0.0.1:1/none")))
    identify_limiter, _ = process(nowhere, clock)
    identify_limiter.learn({**LIMIT, "remaining": 900})
    for _ in range(2):
        assert not await identify_limiter.has_foreign_starts()


async def test_a_process_knows_which_sessions_others_of_its_database_have_begun(
    store: Store, clock: Clock
) -> None:
    await begin(process(store, clock)[0])
    clock.advance(minutes=10, microseconds=1_234)
    one, _ = process(store, clock)
    clock.advance(minutes=10)
    await begin(one)
    assert await one.last_start_elsewhere() is None
    clock.advance(minutes=10)
    other, _ = process(store, clock)
    clock.advance(minutes=10)
    await begin(other)
    assert await other.last_start_elsewhere() is None
    began = await one.last_start_elsewhere()
    assert began is not None
    assert abs(began - clock()) < timedelta(minutes=1)
