"""Steps of a person at the page, for tests."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from dvonn import Move, format_move
from tests.e2e.conftest import Table

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

MOST_TABS = 60
PLACEMENT = 49
OUTPUT = Path(__file__).resolve().parents[1] / "output" / "page"


def log(page: Page) -> Locator:
    """Return all messages on the screen."""
    return page.get_by_role("list", name="Messages")


def message(page: Page, words: str) -> Locator:
    """Return the newest message with a text."""
    return log(page).get_by_role("listitem").filter(has_text=words).last


def private(page: Page) -> Locator:
    """Return the newest ephemeral message."""
    return message(page, "Only you can see this")


def button(page: Page, name: str) -> Locator:
    """Return the newest button of a name, perhaps followed by a description: "d4 · white"."""
    return page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}( · .*)?$")).last


def composer(page: Page) -> Locator:
    """Return the text box."""
    return page.get_by_label("Message #")


async def say(page: Page, words: str) -> None:
    """Write a message and send it."""
    await composer(page).fill(words)
    await page.keyboard.press("Enter")


async def become(page: Page, name: str) -> None:
    """Continue as another person in the same window, once it shows their view."""
    async with page.expect_response("**/page/api/channel*") as coming:
        await page.get_by_role("group", name="You are").get_by_text(name, exact=True).click()
    await (await coming.value).finished()
    await page.evaluate("() => new Promise((done) => setTimeout(done))")


async def tab_to(page: Page, target: Locator, key: str = "Tab") -> None:
    """Press Tab, or Shift+Tab, until something has the focus."""
    for _ in range(MOST_TABS):
        if await target.evaluate("element => element === document.activeElement"):
            return
        await page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {target}")


async def photograph(page: Page, name: str) -> None:
    """Save a picture of the page in tests/output/page/, for people to look at."""
    await page.screenshot(path=OUTPUT / f"{name}.png")


async def fill(table: Table, game: list[Move]) -> None:
    """Play a whole placement: the first piece, and then each player's list."""
    await table.play(game[:1])
    for first, board in ((1, 2), (2, PLACEMENT)):
        spaces = [format_move(move, table.coordinates) for move in game[first:PLACEMENT:2]]
        player = table.black if first == 1 else table.white
        await player.say(table.channel, " ".join(spaces))
        await table.board(board)
    for move in game[1:PLACEMENT]:
        table.position = table.position.play(move)
