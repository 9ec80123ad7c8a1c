"""The page in a real browser, with the real bot behind it. Skipped without a browser."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from sandbox import Person, RateLimits, Sandbox
from tests.e2e.bot_process import BotProcess
from tests.e2e.conftest import PATIENCE, Club, database
from tests.page.browser import NAMES, SpareWindows, Windows, chromium, find_chromium

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

__all__ = ["database"]

# A browser belongs to one event loop, so all these tests and their fixtures share theirs.
fixture = pytest_asyncio.fixture(loop_scope="session")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    pytest.importorskip("playwright.async_api", reason="Playwright is not installed")
    path = find_chromium()
    if path is None:
        pytest.skip(f"no browser here: none of {', '.join(NAMES)} is installed")
    async with chromium(path) as running:
        yield running


@pytest.fixture(scope="session")
def spare_windows() -> SpareWindows:
    """Windows that are empty by now."""
    return {}


@fixture
async def empty_club(browser: Browser, tmp_path: Path, database: None) -> AsyncIterator[Club]:
    """A server with a channel and people. The bot has not been started."""
    limits = RateLimits.generous()
    async with Sandbox(rate_limits=limits, record=False, patience=PATIENCE) as world:
        guild = world.create_guild("Friends")
        channel = guild.create_channel("dvonn")
        ann, bob, cid = (guild.add_person(name) for name in ("Ann", "Bob", "Cid"))
        world.page.company.reaction_s = 0
        club = Club(world, guild, channel, ann, bob, cid, BotProcess(world, tmp_path))
        yield club
        sys.stderr.write(club.bot.log)  # shown by pytest if the test has failed
        assert world.unknown_routes == []
        assert world.crashes == []


@fixture
async def club(empty_club: Club) -> AsyncIterator[Club]:
    """A server with the real bot in it."""
    await empty_club.bot.start()
    try:
        yield empty_club
    finally:
        status = await empty_club.bot.stop()
    assert status == 0


OpenPage = Callable[..., Awaitable["Page"]]


@fixture
async def open_page(browser: Browser, spare_windows: SpareWindows) -> AsyncIterator[OpenPage]:
    """Opens a person's window. Any error inside fails the test."""
    windows = Windows(browser, spare_windows)

    async def open_as(club: Club, person: Person, **options: Any) -> Page:
        return await windows.open(club.world, person, club.channel, **options)

    yield open_as
    await windows.close()
    assert windows.faults == []
