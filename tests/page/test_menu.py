"""What can be done with a message: reactions and the bot's commands under Apps, by all means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import Club
from tests.page.browser import PHONE
from tests.page.conftest import OpenPage
from tests.page.steps import log, message, photograph, private, say
from tests.page.test_look import fits, violations

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.thorough("the page of the local Discord in a browser, beyond a first game"),
]


async def long_press(page: Page, what: Locator) -> None:
    """Hold a finger on something until there is a menu."""
    await what.scroll_into_view_if_needed()
    box = await what.bounding_box()
    assert box is not None
    finger = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch = await page.context.new_cdp_session(page)
    await touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    await expect(page.get_by_role("menu")).to_be_visible()
    await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


async def test_a_mark_is_explained_and_apps_work(club: Club, open_page: OpenPage) -> None:
    await club.start_game()
    page = await open_page(club, club.ann, viewport=PHONE, has_touch=True)
    board = message(page, "your turn")
    await long_press(page, board.get_by_role("img"))
    menu = page.get_by_role("menu")
    await expect(page.get_by_role("dialog")).to_have_count(0)  # the picture stays as it is
    await expect(menu.get_by_role("menuitem").first).to_be_focused()
    await photograph(page, "menu-phone")
    assert await fits(page)
    assert await violations(page) == []
    await menu.get_by_role("menuitem", name="Board as text").click()
    await expect(private(page)).to_contain_text("Ann used Board as text")
    await expect(private(page).locator("code")).to_be_visible()

    await say(page, "I think d4 is best")
    said = log(page).get_by_role("listitem").filter(has_text="I think d4 is best").first
    mark = said.get_by_role("button", name="❔ 1: Sandbot")
    await expect(mark).to_have_attribute("aria-pressed", "false")
    await mark.click()
    await expect(said.get_by_role("button", name="❔ 2")).to_have_attribute("aria-pressed", "true")
    await expect(message(page, "Did you mean d4?")).to_be_visible()


async def test_the_menu_by_keyboard_alone(club: Club, open_page: OpenPage) -> None:
    await club.start_game()
    page = await open_page(club, club.bob)
    press, menu = page.keyboard.press, page.get_by_role("menu")
    item = log(page).locator(".message").last
    await item.focus()
    await press("Shift+F10")
    first = menu.get_by_role("menuitem").first
    await expect(first).to_be_focused()
    await photograph(page, "menu-desktop")
    assert await violations(page) == []
    await press("ArrowRight")
    await press("Enter")
    clap = item.get_by_role("button", name="👏 1: Bob")
    await expect(clap).to_have_attribute("aria-pressed", "true")
    await clap.press("Enter")
    await expect(clap).to_have_count(0)

    apps = item.get_by_role("button", name="Apps")
    await apps.press("Enter")
    await expect(menu.get_by_role("menuitem")).to_have_text(
        ["Board as text", "My moves", "Review", "Replay", "Explore from here"]
    )
    await press("Escape")
    await expect(menu).to_be_hidden()
    await expect(apps).to_be_focused()
    await press("Enter")
    await press("ArrowDown")
    await press("Enter")
    await expect(private(page)).to_contain_text("Bob used My moves")
    await expect(private(page)).to_contain_text("It's @Ann's turn.")


async def test_a_file_is_chosen_for_a_command(club: Club, open_page: OpenPage) -> None:
    page = await open_page(club, club.ann, viewport=PHONE, color_scheme="dark")
    await page.get_by_role("textbox", name="Message #dvonn").fill("/show ")
    await page.get_by_role("button", name="+ file").click()
    chooser = page.get_by_label("file: The same as a text file")
    await chooser.set_input_files({"name": "g.txt", "mimeType": "text/plain", "buffer": b"d2 c3"})
    await expect(page.get_by_role("button", name="Send")).to_be_focused()
    await photograph(page, "file-phone")
    assert await fits(page)
    assert await violations(page) == []
    await page.keyboard.press("Enter")
    await expect(private(page)).to_contain_text("Move 2 of 2: 2. c3")
