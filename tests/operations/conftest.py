"""The real bot, with a liveness clock that the test controls."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sandbox import RateLimits, Sandbox
from tests.e2e.bot_process import BotProcess, WorldClock
from tests.e2e.conftest import PATIENCE, Club
from tests.operations.hosts import Hosts
from tests.operations.watched import Watched
from tests.ports import free_port


@pytest.fixture
def watched() -> Watched:
    """Return a free port."""
    return Watched(free_port())


@pytest.fixture
async def quiet_club(tmp_path: Path) -> AsyncIterator[Club]:
    """A server whose bot has not been started. The test stops or kills it."""
    async with Sandbox(
        rate_limits=RateLimits.generous(), clock=WorldClock(), patience=PATIENCE
    ) as world:
        guild = world.create_guild("Friends")
        channel = guild.create_channel("dvonn")
        ann, bob, cid = (guild.add_person(name) for name in ("Ann", "Bob", "Cid"))
        club = Club(world, guild, channel, ann, bob, cid, BotProcess(world, tmp_path))
        yield club
        await club.bot.end()
        print(club.bot.log)  # noqa: T201 - pytest shows it when the test has failed


@pytest.fixture
async def hosts(tmp_path: Path) -> AsyncIterator[Hosts]:
    """Starts bots next to one local Discord."""
    clock = WorldClock()
    async with Sandbox(rate_limits=RateLimits.generous(), clock=clock, patience=PATIENCE) as world:
        world.create_guild("Friends")
        hosts = Hosts(world, clock, tmp_path)
        yield hosts
        for item in hosts.all:
            await item.bot.end()
            print(item.bot.log)  # noqa: T201 - pytest shows it when the test has failed
