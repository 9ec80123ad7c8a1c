"""The page with a small bot of its own: what does not need the real one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING

import pytest

from sandbox import Channel, GuildAdmin, Person, RateLimits, Sandbox
from tests.page.browser import Windows
from tests.page.conftest import fixture
from tests.sandbox.clients import running
from tests.sandbox.croupier import Croupier

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = pytest.mark.asyncio(loop_scope="session")

OpenPage = Callable[[Person], Awaitable["Page"]]

SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@fixture
async def world() -> AsyncIterator[Sandbox]:
    async with Sandbox(rate_limits=RateLimits.generous(), record=False) as world:
        world.page.company.reaction_s = 0
        yield world
    assert world.unknown_routes == []
    assert world.crashes == []


@fixture
async def guild(world: Sandbox) -> GuildAdmin:
    return world.create_guild("Friends")


@fixture
async def channel(guild: GuildAdmin) -> Channel:
    return guild.create_channel("dvonn")


@fixture
async def ann(guild: GuildAdmin) -> Person:
    return guild.add_person("Ann")


@fixture
async def bob(guild: GuildAdmin) -> Person:
    return guild.add_person("Bob")


@fixture
async def open_page(browser: Browser, world: Sandbox, channel: Channel) -> AsyncIterator[OpenPage]:
    """Opens a window as somebody; what goes wrong inside any of them fails the test."""
    windows = Windows(browser)

    async def open_as(person: Person) -> Page:
        return await windows.open(world, person, channel)

    yield open_as
    await windows.close()
    assert windows.faults == []


async def test_two_windows_talk(empty_club: Club, open_page: OpenPage) -> None:
    club = empty_club
    at_ann, at_bob = await open_page(club, club.ann), await open_page(club, club.bob)
    await at_ann.keyboard.press("Tab")  # the link that skips the channels
    await at_ann.keyboard.press("Enter")
    await at_ann.keyboard.type(f"{SCRIPT} **{club.bob.mention}**")
    await at_ann.keyboard.press("Enter")
    item = at_bob.get_by_role("listitem").filter(has_text=SCRIPT)
    await expect(item).to_be_visible()
    await expect(item.locator("strong .mention.mine")).to_have_text("@Bob")
    await item.hover()
    await item.get_by_role("button", name="Reply").click()
    await at_bob.keyboard.type("Hello")
    await at_bob.keyboard.press("Enter")
    answer = at_ann.get_by_role("listitem").filter(has_text="In reply to")
    await expect(answer).to_contain_text("Hello")


async def test_older_messages_come_when_asked_for(empty_club: Club, open_page: OpenPage) -> None:
    club = empty_club
    for n in range(120):
        await club.ann.say(club.channel, f"line {n} of all")
    page = await open_page(club, club.ann)
    await expect(page.get_by_text("line 119 of all", exact=True)).to_be_in_viewport()
    assert await page.locator(".message").count() == 50
    await page.get_by_role("button", name="Load earlier messages").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("line 20 of all", exact=True)).to_be_attached()


async def test_a_game_by_keyboard_with_a_friend(empty_club: Club, open_page: OpenPage) -> None:
    club, bot = empty_club, Croupier()
    async with running(club.world, bot):
        page = await open_page(club, club.ann)
        await page.get_by_role("switch", name="Play Bob for me").press("Enter")
        await page.get_by_role("textbox", name="Message #dvonn").focus()
        await page.keyboard.type("/challenge ")
        await page.keyboard.type("bo")
        await page.get_by_role("option", name="Bob").wait_for()
        await page.keyboard.press("Enter")
        await page.keyboard.press("Enter")
        await page.locator("#log").get_by_text("It begins.").wait_for()
        await page.keyboard.type("/move ")
        await page.get_by_role("option", name="f!").wait_for()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await page.keyboard.press("Enter")
        private = page.get_by_role("listitem").filter(has_text="Only you can see this")
        await expect(private).to_contain_text("Played a.")
        await page.locator("#log").get_by_text("your turn").nth(2).wait_for()
        assert [who for who, _ in bot.played] == [club.ann.id, club.bob.id]
        await private.get_by_role("button", name="Dismiss").click()
        await expect(private).to_have_count(0)
        await page.get_by_role("button", name="Place the rest for both").click()
        await page.get_by_text("Pieces placed:").wait_for()
        assert all("-" in one for one in bot.left)


async def test_forms_selects_and_silence(empty_club: Club, open_page: OpenPage) -> None:
    club = empty_club
    async with running(club.world, Croupier()):
        await club.ann.slash(club.channel, "menu")
        page = await open_page(club, club.ann)
        await page.get_by_role("button", name="Form").click()
        await page.get_by_label("Text").fill(SCRIPT[:20])
        await page.keyboard.press("Enter")
        await page.locator("#log").get_by_text(f"You wrote {SCRIPT[:20]}", exact=True).wait_for()
        await expect(page.get_by_role("button", name="Form")).to_be_focused()
        await page.get_by_role("combobox").first.press("ArrowDown")
        await page.get_by_role("option", name="Y").click()
        await page.locator("#log").get_by_text("select: y", exact=True).wait_for()
    await expect(page.get_by_text("The bot is offline.")).to_be_visible()
    await page.get_by_role("button", name="Form").click()
    failure = page.get_by_role("alert").filter(has_text="The application did not respond")
    await expect(failure).to_be_visible()
