"""A browser that shows the sandbox's page; without one these tests are skipped, and say why."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING

import pytest

from sandbox import Channel, GuildAdmin, Person, RateLimits, Sandbox

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

_FLAGS = (
    "--no-sandbox",  # a container's root may not have Chromium's own
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    api = pytest.importorskip("playwright.async_api", reason="Playwright is not installed")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("there is no Chromium on this machine")
    async with api.async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=[*_FLAGS])
        yield browser
        await browser.close()


@pytest.fixture
async def world() -> AsyncIterator[Sandbox]:
    async with Sandbox(rate_limits=RateLimits.generous()) as world:
        yield world
    assert world.unknown_routes == []
    assert world.crashes == []


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


OpenPage = Callable[[Person], Awaitable["Page"]]


@pytest.fixture
async def open_page(browser: Browser, world: Sandbox, channel: Channel) -> AsyncIterator[OpenPage]:
    """Opens a window as somebody; what goes wrong inside any of them fails the test."""
    faults: list[str] = []

    async def open_as(person: Person) -> Page:
        context = await browser.new_context(viewport={"width": 1280, "height": 800})
        page = await context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(f"a dialog: {dialog.message}"))
        await page.goto(f"{world.api_url.removesuffix('/api/v10')}/?as={person.name}")
        await page.get_by_role("textbox", name=f"Message #{channel.name}").wait_for()
        return page

    yield open_as
    assert faults == []
