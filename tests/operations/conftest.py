"""The real bot, whose signs of life are timed by a clock in the test's hand."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from sandbox import RateLimits, Sandbox
from tests.e2e.bot_process import BotProcess, WorldClock
from tests.e2e.conftest import PATIENCE, Club
from tests.ports import free_port


class Watched:
    """A bot that tells its numbers."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def numbers(self) -> dict[str, float]:
        """Every sample by its name and labels, as /metrics writes them."""
        text = (await self._get("metrics"))[1]
        lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in lines}

    async def health(self) -> tuple[int, Any]:
        """The status of /healthz, and its answer."""
        status, text = await self._get("healthz")
        return status, json.loads(text)

    async def _get(self, path: str) -> tuple[int, str]:
        address = f"http://127.0.0.1:{self.port}/{path}"
        async with aiohttp.ClientSession() as session, session.get(address) as answer:
            return answer.status, await answer.text()


@pytest.fixture
def watched() -> Watched:
    """A port that is free."""
    return Watched(free_port())


@pytest.fixture
async def quiet_club(tmp_path: Path) -> AsyncIterator[Club]:
    """A server; the bot is not started yet, and is stopped by the test or killed."""
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


async def until(true: Any) -> None:
    """Wait until a question is answered with yes."""
    pause_s = 0.05
    while not await true():
        await asyncio.sleep(pause_s)  # another process tells of no event
        pause_s = min(pause_s * 1.3, 0.5)
