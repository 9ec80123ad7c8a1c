"""Tests for each card on the page that `./run` opens, by taps in a narrow window.

`test_exercises` drives the lessons to their end.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

import pytest
import pytest_asyncio

from demo.local import local_discord
from sandbox.person import PATIENCE_S
from sandbox.signals import SOON_S
from tests.demo.house import House
from tests.e2e.bot_process import BotProcess
from tests.e2e.conftest import database
from tests.page.browser import SpareWindows, Windows
from tests.page.steps import button, composer, message, photograph, private
from tests.page.test_look import fits

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, ViewportSize

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

__all__ = ["database"]

pytestmark = pytest.mark.asyncio(loop_scope="session")

NARROW: Final[ViewportSize] = {"width": 400, "height": 860}
MOST_TAPS: Final = 300
OVER: Final = "over"
LABELS: Final = (
    """Array.from(document.querySelectorAll("#log button"), (one) => one.innerText).join()"""
)
"""The labels of all buttons in messages."""
TAP: Final = f"""(number) => {{
    if (document.querySelector("#log [aria-busy=true]")) return undefined;
    const items = Array.from(document.querySelectorAll("#log .message"));
    const all = items.flatMap((item) => [...item.querySelectorAll("button:not([disabled])")]);
    if (all.some((one) => one.innerText === "Rematch")) return "{OVER}";
    const since = items.findLastIndex((item) => !item.matches(".ephemeral"));
    const spaces = all.filter((one) => /^[a-k][1-5]\\b/.test(one.innerText))
        .filter((one) => items.indexOf(one.closest(".message")) >= since);
    const move = all.findLast((one) => one.innerText === "Move");
    const mine = move?.closest("li").innerText.includes("@Ann, your turn") ? move : undefined;
    const tapped = spaces[number % spaces.length] ?? mine;
    const before = {LABELS};
    tapped?.click();
    return tapped && before;
}}"""
"""Taps a stack, a space, or *Move*, once there is one. Returns the buttons' labels.

A message that waits for the bot accepts no tap. A picker above the newest board is outdated.
"""


@pytest_asyncio.fixture(loop_scope="session")
async def here(tmp_path: Path, database: None) -> AsyncIterator[House]:
    """The local Discord, with a bot that has its machine."""
    pytest.importorskip("numba", reason="the machine player is not installed")
    async with local_discord(tmp_path, port=0) as world:
        world.page.company.reaction_s = 0
        world.state.first_response_s = PATIENCE_S  # no test depends on the machine's speed
        bot = BotProcess(world, tmp_path, MACHINE="auto")
        await bot.start()
        yield House(world)
        await bot.stop()
        assert world.crashes == []


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser, spare_windows: SpareWindows, here: House) -> AsyncIterator[Page]:
    windows = Windows(browser, spare_windows)
    yield await windows.start(here.world, reduced_motion="reduce", viewport=NARROW)
    await windows.close()
    assert windows.faults == []


async def begin(page: Page, card: str) -> None:
    await page.locator("#start").get_by_role("button", name=card).click()
    await expect(page.locator("#start")).to_be_hidden()


async def tap_to_the_end(page: Page) -> None:
    """Play one's own side by taps, with any moves, until the game is over."""
    chance = Random(1)
    for _ in range(MOST_TAPS):
        number = chance.randrange(1_000)
        found = await page.wait_for_function(TAP, arg=number, timeout=SOON_S * 1_000)
        before = await found.json_value()
        if before == OVER:
            return
        changed = f"before => {LABELS} !== before"
        await page.wait_for_function(changed, arg=before, timeout=SOON_S * 1_000)
    raise AssertionError("the game does not end")


async def ended(page: Page) -> None:
    over = message(page, "Rematch")
    await expect(over).to_contain_text(re.compile(r"\d+–\d+"))
    await expect(over.get_by_role("img").first).to_be_visible()
    assert await fits(page)


@pytest.mark.parametrize("card", ["Play the machine", "Play a friend"])
async def test_a_game_is_played_to_its_end(page: Page, card: str) -> None:
    await begin(page, card)
    await tap_to_the_end(page)
    await ended(page)
    await photograph(page, f"card-{card.rpartition(' ')[2]}")


async def test_a_game_to_watch_plays_itself_to_its_end(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demo.exhibition.PAUSE_S", 0)  # no spectators
    await begin(page, "Watch a game")
    ends = f"() => {LABELS}.includes('Rematch')"
    await page.wait_for_function(ends, timeout=SOON_S * 1_000)
    await ended(page)
    await photograph(page, "card-watch")


async def test_the_bot_is_written_to_until_a_game_with_it_is_over(page: Page) -> None:
    await begin(page, "Write to the bot")
    write = page.get_by_label("Message @dvonn-bot")
    await expect(write).to_be_editable()
    for words, answer in (
        ("hello", "a quick and deep game"),
        ("rules", "six pictures"),
        ("play", "Pip (first games)"),
    ):
        await write.fill(words)
        await page.keyboard.press("Enter")
        await expect(message(page, answer)).to_be_visible()
    await tap_to_the_end(page)
    await ended(page)


async def test_the_moderator_chooses_something(page: Page) -> None:
    await begin(page, "Be the moderator")
    await expect(private(page)).to_contain_text("Up to 5 games per person at once.")
    await composer(page).press_sequentially("/setup limit 2")
    await button(page, "Send").click()
    await expect(private(page)).to_contain_text("Up to 2 games per person")
