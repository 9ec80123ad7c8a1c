"""Tests for `/healthz` in each state of the bot."""

import json
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, Final

import pytest
from aiohttp.test_utils import make_mocked_request
from sqlalchemy import text

from bot.base.health import ActiveFaults, Fault, HealthStatus
from bot.base.metrics import REGISTRY, STORE_ANSWERS
from bot.connection.liveness import CONNECTED_WITHIN, CONNECTING, Liveness, shard_name
from bot.database.connection import AsyncEngine
from bot.database.leases import LEASE
from bot.operations.health import Overview
from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.bot.table import ALL, ANN, BOB, Table

SHARD, SOON = shard_name(0), timedelta(minutes=1)
UNWELL: Final = 503


class Bot:
    """The inputs to a bot's health, by default of a bot that works."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.clock = clock
        self.liveness = Liveness(lambda: clock().timestamp())
        self.degraded = ActiveFaults()
        self.overview = Overview(self.liveness, store, self.degraded, now=clock)
        self.liveness.expect(SHARD, next_within=SOON)
        self.liveness.record(SHARD, next_within=SOON)

    async def health(self) -> tuple[int, dict[str, Any]]:
        answer = await self.overview.health(make_mocked_request("GET", "/healthz"))
        assert isinstance(answer.text, str)
        return answer.status, json.loads(answer.text)

    async def state(self) -> tuple[int, str]:
        status, told = await self.health()
        assert told["healthy"] is (status == 200)
        return status, told["status"]


@pytest.fixture
def bot(table: Table, clock: Clock) -> Bot:
    return Bot(table.store, clock)


async def test_a_bot_that_plays_is_well(bot: Bot) -> None:
    status, told = await bot.health()
    assert (status, told["status"]) == (200, HealthStatus.READY)
    assert (told["heard"], told["unheard"], told["silent"]) == ([SHARD], [], [])
    assert (told["waiting"], told["degraded"], told["shared"]) == ({}, {}, [])
    assert told["database"] == "well"
    assert next(iter(STORE_ANSWERS.collect())).samples[0].value == 1


async def test_a_bot_with_a_fault_is_healthy_and_reports_the_fault(bot: Bot) -> None:
    bot.degraded.begin(Fault.COMMANDS_REFUSED, "too long")
    status, told = await bot.health()
    assert (status, told["status"]) == (200, HealthStatus.DEGRADED)
    assert told["degraded"] == {Fault.COMMANDS_REFUSED: "too long"}


async def test_a_bot_that_waits_on_purpose_is_not_well(bot: Bot) -> None:
    bot.liveness.pause(CONNECTING, until=bot.clock() + SOON, next_within=SOON)
    status, told = await bot.health()
    assert (status, told["status"]) == (UNWELL, HealthStatus.WAITING)
    assert told["waiting"] == {CONNECTING: "2026-03-01T12:01:00Z"}


async def test_a_bot_without_events_so_far_is_unhealthy(bot: Bot) -> None:
    bot.liveness.note_reconnect(next_within=SOON)
    assert await bot.state() == (UNWELL, HealthStatus.STARTING)
    bot.liveness.forget(CONNECTING)
    bot.liveness.expect(SHARD, next_within=SOON)
    status, told = await bot.health()
    assert (status, told["status"]) == (UNWELL, HealthStatus.STARTING)
    assert (told["heard"], told["unheard"]) == ([], [SHARD])


async def test_a_bot_whose_shard_is_silent_is_not_well(bot: Bot) -> None:
    bot.clock.time += SOON + timedelta(seconds=1)
    status, told = await bot.health()
    assert (status, told["status"]) == (UNWELL, HealthStatus.SILENT)
    assert (told["heard"], told["silent"]) == ([], [SHARD])


async def test_attempts_to_connect_are_not_signs_of_life(bot: Bot) -> None:
    for _ in range(4):
        bot.clock.time += CONNECTED_WITHIN / 3
        bot.liveness.note_reconnect(next_within=SOON)
    assert await bot.state() == (UNWELL, HealthStatus.SILENT)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_bot_without_its_database_is_not_well(bot: Bot, engine: AsyncEngine) -> None:
    await bot.health()
    assert sample("dvonn_store_answers") == 1
    async with engine.begin() as connection:
        await connection.execute(text("ALTER TABLE deliveries RENAME TO lost"))
    status, told = await bot.health()
    assert (status, told["status"]) == (UNWELL, HealthStatus.DATABASE)
    assert told["database"] != "well"
    assert sample("dvonn_store_answers") == 0


async def test_long_unsent_deliveries_are_a_fault(bot: Bot, table: Table) -> None:
    update = await table.accept(await table.challenge(BOB, challenger=ANN))
    bot.clock.advance(seconds=30)
    assert await bot.state() == (200, HealthStatus.READY)
    bot.clock.advance(minutes=3)
    bot.liveness.record(SHARD, next_within=SOON)
    _, told = await bot.health()
    assert set(told["degraded"]) == {Fault.DELIVERIES_LATE}
    rows = list(update.deliveries)
    for _ in range(2):  # Discord refuses it
        rows = await table.store.deliveries.due([rows[0].kind], ALL, bot.clock())
        await table.store.deliveries.claim(rows, batch=1, now=bot.clock())
        bot.clock.advance(seconds=LEASE.total_seconds())
    _, told = await bot.health()
    assert set(told["degraded"]) == {Fault.DELIVERIES_FAILING}
    assert sample("dvonn_deliveries_failing") == len(rows)
    await table.store.deliveries.drop(rows, at=bot.clock())
    assert await bot.state() == (200, HealthStatus.READY)


async def test_faults_of_others_are_reported_with_the_bots_own(bot: Bot, table: Table) -> None:
    opponent: Any = SimpleNamespace(fault="no answer")
    store, measured = table.store, list[Store]()

    async def measure(store: Store) -> None:
        measured.append(store)

    bot.overview = Overview(
        bot.liveness, store, bot.degraded, opponent=opponent, measures=[measure], now=bot.clock
    )
    store.other_processes.record_comparison(3, bot.clock(), with_another=True)
    _, told = await bot.health()
    assert set(told["degraded"]) == {Fault.MACHINE_SILENT, Fault.SHARED_SHARDS}
    assert told["degraded"][Fault.MACHINE_SILENT] == "no answer"
    assert told["shared"] == ["shard 3"]
    assert measured == [store]
    assert sample("dvonn_degraded", fault=Fault.MACHINE_SILENT) == 1
    assert sample("dvonn_degraded", fault=Fault.SECOND_BOT) == 0


def sample(name: str, **labels: str) -> float | None:
    return REGISTRY.get_sample_value(name, labels)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_bot_that_can_only_read_its_database_is_unhealthy(bot: Bot, table: Table) -> None:
    await bot.health()
    assert sample("dvonn_ready") == 1
    table.store._database.report_damage(ValueError("a page"))
    status, told = await bot.health()
    assert (status, told["status"]) == (UNWELL, HealthStatus.DATABASE)
    assert told["database"] == "it is damaged"
    assert sample("dvonn_ready") == 0
    assert sample("dvonn_store_answers") == 0


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_games_and_waiting_messages_are_measured(bot: Bot, table: Table) -> None:
    await table.accept(await table.challenge(BOB, challenger=ANN))
    bot.clock.advance(seconds=30)
    await bot.health()
    names = ("games_running", "challenges_open", "deliveries_unsent", "deliveries_oldest_seconds")
    assert [sample(f"dvonn_{name}") for name in names] == [1, 0, 1, 30]
