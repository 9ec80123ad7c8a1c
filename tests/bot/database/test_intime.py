"""Tests that late requests are not sent, and that responses set the clock."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from time import monotonic

import aiohttp
import pytest

from bot.connection.discord_clock import DiscordClock, HostClocks, TimeSource
from bot.connection.request_demands import IN_TIME, while_claimed
from bot.connection.request_errors import TooLateError
from bot.connection.requests import tracing
from bot.database.leases import LEASE
from sandbox import ManualClock, RateLimits, Sandbox
from tests.bot.conftest import Clock

MOMENT = timedelta(milliseconds=1)
SOME_TIME = DiscordClock(
    HostClocks(wall_clock=lambda: datetime.now(UTC), steady=monotonic, awake=monotonic)
)


@pytest.fixture
async def world() -> AsyncIterator[Sandbox]:
    async with Sandbox() as world:
        yield world


async def ask(world: Sandbox, time: DiscordClock | None = None) -> int:
    """Send a request to Discord like a client that checks its lease first. Return the status."""
    async with (
        aiohttp.ClientSession(trace_configs=[tracing(time or SOME_TIME)]) as client,
        client.get(f"{world.api_url}/gateway") as answer,
    ):
        return answer.status


async def test_within_a_minute_it_goes_out_and_later_it_does_not(
    world: Sandbox, clock: Clock
) -> None:
    with while_claimed(clock(), clock):
        clock.time += IN_TIME
        assert await ask(world) == 200
        clock.time += MOMENT
        with pytest.raises(TooLateError):
            await ask(world)
    assert await ask(world) == 200
    assert len(world.exchanges) == 2


async def test_a_lease_that_has_run_out_is_renewed_or_nothing_goes_out(
    world: Sandbox, clock: Clock
) -> None:
    renewed = []

    async def renew() -> bool:
        renewed.append(clock())
        return len(renewed) == 1

    with while_claimed(clock(), clock, renew):
        clock.time += LEASE
        assert await ask(world) == 200
        assert renewed == []
        clock.time += MOMENT
        assert await ask(world) == 200
        with pytest.raises(TooLateError):
            await ask(world)
    assert len(renewed) == 2
    assert len(world.exchanges) == 2


async def test_every_response_has_discords_time(clock: Clock) -> None:
    discord_clock = ManualClock()
    async with Sandbox(clock=discord_clock, rate_limits=RateLimits.generous()) as world:
        time = DiscordClock(HostClocks(wall_clock=clock, steady=monotonic, awake=monotonic))
        assert time.now() == clock()
        for hours in (0, 30, -2):
            discord_clock.advance(hours * 3_600)
            assert await ask(world, time) == 200
            told = datetime.fromtimestamp(discord_clock.time(), UTC)
            if hours:  # a jump is believed once a sign of another kind agrees
                assert abs(time.now() - told) > timedelta(hours=1)
                date = format_datetime(told, usegmt=True)
                time.observe(date, time.steady, TimeSource.GATEWAY)
            assert abs(time.now() - told) < timedelta(minutes=1)
