"""Tests for the page that `./run` opens, and of each thing to try."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from demo.engine_installer import EngineInstaller
from demo.local import local_discord
from tests.demo.house import House, house
from tests.e2e.conftest import Club
from tests.page.browser import SpareWindows, Windows
from tests.page.conftest import OpenPage
from tests.page.steps import button, log, message, private
from tests.page.test_look import VIEWS, look
from tests.sandbox.clients import png

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.thorough("the page of the local Discord in a browser, beyond a first game"),
]

MACHINE, LEARN, FRIEND = "Play the machine", "Learn the game", "Play a friend"
WATCH = "Watch a game"
MODERATOR, DIRECT = "Be the moderator", "Write to the bot"
PATIENCE_MS = 90_000
"""Maximum wait for a move of the machine. The engine may have to be compiled first."""
TITLE = "Play DVONN in your Discord channels"


@pytest_asyncio.fixture(loop_scope="session")
async def here(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path) as found:
        found.world.page.company.reaction_s = 0
        yield found


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser, spare_windows: SpareWindows, here: House) -> AsyncIterator[Page]:
    windows = Windows(browser, spare_windows)
    page = await windows.start(here.world, reduced_motion="reduce")
    await expect(page.get_by_role("button", name=MACHINE)).to_be_enabled()
    yield page
    await windows.close()
    assert windows.faults == []


async def test_a_bot_that_is_still_starting_is_not_called_offline(
    browser: Browser, spare_windows: SpareWindows, tmp_path: Path
) -> None:
    async with local_discord(tmp_path, port=0, engine=EngineInstaller()) as world:
        windows = Windows(browser, spare_windows)
        page = await windows.start(world)
        await expect(page.get_by_role("status").first).to_have_text("The bot is starting…")
        await expect(page.get_by_role("button", name=MACHINE)).to_be_disabled()
        await windows.close()
    assert windows.faults == []


async def test_the_introduction_explains_the_bot_and_starts_a_game(page: Page) -> None:
    for view in VIEWS:
        await look(page, "start", view)
        await expect(page.get_by_role("heading", name=TITLE)).to_be_in_viewport()
        await expect(page.get_by_role("img", name="A DVONN board")).to_be_in_viewport(ratio=1)
        await expect(button(page, MACHINE)).to_be_in_viewport(ratio=1)
    offers = page.locator("#start").get_by_role("button")
    names = [MACHINE, LEARN, FRIEND, WATCH, MODERATOR, DIRECT]
    assert [await locator.get_attribute("aria-label") for locator in await offers.all()] == names
    # The page offers no role of a scripted player.
    await expect(page.get_by_role("radio")).to_have_count(3)

    await button(page, MACHINE).click()
    board = message(page, "@dvonn-bot").get_by_role("img")
    await expect(board).to_be_visible(timeout=PATIENCE_MS)


async def test_one_press_begins_each(page: Page) -> None:
    async def begin(name: str) -> None:
        await page.goto(re.sub("#.*", "#start", page.url))
        await button(page, name).click()
        await expect(page.get_by_role("heading", name=TITLE)).to_have_count(0)

    await begin(MODERATOR)
    await expect(page.get_by_role("radio", name="Mod")).to_be_checked()
    await expect(private(page)).to_contain_text("Mod used /setup")

    await begin(FRIEND)
    await expect(page.get_by_role("radio", name="Ann")).to_be_checked()
    await expect(page.get_by_role("switch", name="Bob")).to_be_checked()
    await expect(message(page, "@Ann, your turn.").get_by_role("img")).to_be_visible()

    await begin(LEARN)
    await expect(private(page)).to_contain_text("used /learn")
    await expect(private(page).get_by_role("img")).to_be_visible()

    await begin(DIRECT)
    await expect(page.get_by_role("textbox", name="Message @dvonn-bot")).to_be_visible()
    first = page.locator("#welcome").get_by_role("button").first
    await expect(first).to_have_text(re.compile("^/"))
    await expect(first).not_to_have_text("/abort")

    await begin(WATCH)
    typed = log(page).locator(".name", has_text="Level 4")
    await expect(typed.first).to_be_visible(timeout=PATIENCE_MS)


async def test_important_facts_are_at_the_top(page: Page, here: House) -> None:
    state = page.locator("#state")
    for note in ("The machine player is being installed.", ""):
        here.world.page.note = note
        await expect(state).to_have_text(note)


async def test_pictures_are_as_large_as_in_discord_and_whole_at_a_press(
    empty_club: Club, open_page: OpenPage
) -> None:
    club = empty_club
    page = await open_page(club, club.ann)
    for name, (wide, high), shown in (
        ("board.png", (1200, 630), (550, 289)),
        ("tall.png", (1200, 1806), (232, 349)),
        ("small.png", (40, 30), (40, 30)),
    ):
        await club.bob.say(club.channel, name, files=[(name, png(wide, high))])
        await expect(message(page, name).get_by_role("link")).to_be_visible()
        box = await message(page, name).locator("img").bounding_box()
        assert box is not None
        assert (round(box["width"]), round(box["height"])) == shown
    link = message(page, "board.png").get_by_role("link")
    await link.click()
    viewer = page.get_by_role("dialog", name="Picture")
    box = await viewer.locator("img").bounding_box()
    assert box is not None
    assert box["width"] > 1100
    await page.keyboard.press("Escape")
    await expect(viewer).to_have_count(0)
    await expect(link).to_be_focused()
