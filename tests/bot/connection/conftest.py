"""A world with a guild, a channel and people, for tests that drive a real client."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from time import monotonic

import discord
import pytest

from bot.connection.discord_clock import DiscordClock, HostClocks
from bot.connection.requests import tracing
from sandbox import RateLimits, Sandbox
from tests.sandbox.conftest import ann, channel, guild, limits

__all__ = ["ann", "channel", "client", "guild", "limits", "world"]


@pytest.fixture
async def world(limits: RateLimits) -> AsyncIterator[Sandbox]:
    """A running sandbox. At the end, it must have known all routes."""
    async with Sandbox(rate_limits=limits) as world:
        yield world
    assert world.unknown_routes == []
    assert world.crashes == []


@pytest.fixture
async def client(world: Sandbox, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[discord.Client]:
    """A client that is logged in, without a gateway."""
    monkeypatch.setattr(discord.http.Route, "BASE", world.api_url)
    hour = HostClocks(wall_clock=lambda: datetime.now(UTC), steady=monotonic, awake=monotonic)
    trace = tracing(DiscordClock(hour))
    async with discord.Client(intents=discord.Intents.none(), http_trace=trace) as client:
        await client.login(world.token)
        yield client
