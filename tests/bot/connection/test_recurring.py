"""Tests for recurring tasks: nothing ends them, and a failure delays no other task."""

import asyncio
from functools import partial

import pytest
from structlog.testing import capture_logs

from bot.base.errors import StoreError
from bot.client.shards import RETRY_DELAY, DueRunner, repeat_forever
from bot.connection.tasks import InFlightWork, end
from tests.bot.conftest import Clock


async def test_failed_work_is_postponed_and_other_work_is_done(clock: Clock) -> None:
    done: list[int] = []

    async def due() -> list[int]:
        return [1, 2, 3]

    async def do(number: int) -> None:
        done.append(number)
        if number % 2:
            raise ValueError(number)

    each = DueRunner("odd ones", due, do, InFlightWork(), now=clock)
    with capture_logs() as logged:
        await each.check()
        assert done == [1, 2, 3]
        clock.advance(seconds=RETRY_DELAY.total_seconds() - 1)
        await each.check()
        assert done == [1, 2, 3, 2]
        clock.advance(seconds=1)
        await each.check()
    assert done == [1, 2, 3, 2, 1, 2, 3]
    assert [(line["task"], line["item"]) for line in logged] == [
        ("odd ones", "1"),
        ("odd ones", "3"),
    ] * 2


async def test_while_the_database_is_away_all_wait_and_none_longer(clock: Clock) -> None:
    asked: list[int] = []
    away = StoreError("it does not answer", writing=True)

    async def due() -> list[int]:
        return [1, 2]

    async def do(number: int) -> None:
        asked.append(number)
        if len(asked) == 1:
            raise away

    each = DueRunner("any", due, do, InFlightWork(), now=clock)
    with pytest.raises(StoreError):
        await each.check()
    await each.check()
    assert asked == [1, 1, 2]


async def test_nothing_ends_recurring_work() -> None:
    rounds, again = 0, asyncio.Event()

    async def do() -> None:
        nonlocal rounds
        rounds += 1
        if rounds == 1:
            raise ValueError(rounds)
        again.set()

    with capture_logs() as logged:
        task = asyncio.create_task(repeat_forever(partial(asyncio.sleep, 0), do, "counting"))
        await again.wait()
        await end((task,))
    assert [line["task"] for line in logged] == ["counting"]
