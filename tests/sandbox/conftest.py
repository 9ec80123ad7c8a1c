"""A world with a guild, a channel and two people, checked at the end of each test."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from sandbox import Channel, GuildAdmin, ManualClock, Person, RateLimits, Sandbox
from tests import openapi
from tests.sandbox.clients import Api


@pytest.fixture
def clock() -> ManualClock:
    """A clock that the test moves. Tests that do not ask for it use the system's."""
    return ManualClock()


@pytest.fixture
def limits() -> RateLimits:
    """The rate limits. Tests of the limits themselves have others."""
    return RateLimits.generous()


@pytest.fixture
async def world(request: pytest.FixtureRequest, limits: RateLimits) -> AsyncIterator[Sandbox]:
    """A running sandbox. At the end it must have known all routes, and responded like Discord."""
    clock = request.getfixturevalue("clock") if "clock" in request.fixturenames else None
    async with Sandbox(clock=clock, rate_limits=limits) as world:
        yield world
    assert world.unknown_routes == []
    assert world.crashes == []
    if openapi.at_hand():
        assert openapi.check(world.exchanges) == []


@pytest.fixture
def guild(world: Sandbox) -> GuildAdmin:
    return world.create_guild("Friends")


@pytest.fixture
def channel(guild: GuildAdmin) -> Channel:
    return guild.create_channel("dvonn")


@pytest.fixture
def ann(guild: GuildAdmin) -> Person:
    return guild.add_person("Ann")


@pytest.fixture
def bob(guild: GuildAdmin) -> Person:
    return guild.add_person("Bob")


@pytest.fixture
async def api(world: Sandbox) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession() as session:
        yield Api(world, session)
