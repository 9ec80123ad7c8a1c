"""Tests for a message's menu: reactions, and the bot's commands under Apps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tests.e2e.conftest import Club
from tests.page.browser import PHONE
from tests.page.conftest import OpenPage
from tests.page.steps import log, message, photograph, private, say, tab_to
from tests.page.test_look import fits, violations

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page, ViewportSize

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

NARROW: Final[ViewportSize] = {"width": 400, "height": 844}

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.thorough("the page of the local Discord in a browser, beyond a first game"),
]


async def long_press(page: Page, what: Locator) -> None:
    """Hold a finger on something until a menu opens."""
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


async def test_the_menu_using_only_the_keyboard(club: Club, open_page: OpenPage) -> None:
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


async def test_a_name_opens_the_menu_of_a_user(club: Club, open_page: OpenPage) -> None:
    await club.start_game()
    page = await open_page(club, club.ann, viewport=NARROW, has_touch=True)
    await say(page, f"hi <@{club.bob.id}>")
    menu = page.get_by_role("menu")
    name = message(page, "hi @Bob").get_by_role("button", name="@Bob")
    await long_press(page, name)
    await expect(menu).to_have_accessible_name("Bob")
    await expect(menu.get_by_role("menuitem")).to_have_text(["Profile"])
    await photograph(page, "person-phone")
    assert await fits(page)
    assert await violations(page) == []
    await menu.get_by_role("menuitem", name="Profile").click()
    await expect(private(page)).to_contain_text("Ann used Profile")
    await private(page).get_by_role("button", name="@Bob").first.click(button="right")
    await expect(menu).to_have_accessible_name("Bob")


async def test_a_name_using_only_the_keyboard(club: Club, open_page: OpenPage) -> None:
    await club.bob.say(club.channel, "good evening")
    page = await open_page(club, club.ann)
    press, menu = page.keyboard.press, page.get_by_role("menu")
    name = message(page, "good evening").get_by_role("button", name="Bob", exact=True)
    await page.get_by_label("Message #").focus()
    await tab_to(page, name, "Shift+Tab")
    await press("Enter")
    await expect(menu.get_by_role("menuitem", name="Profile")).to_be_focused()
    await photograph(page, "person-desktop")
    assert await violations(page) == []
    await press("Escape")
    await expect(name).to_be_focused()
    await press("Shift+F10")
    await expect(menu).to_have_accessible_name("Bob")
    await press("Enter")
    await expect(private(page)).to_contain_text("Ann used Profile")


async def test_names_lead_nowhere_while_the_bot_is_away(
    empty_club: Club, open_page: OpenPage
) -> None:
    """Its commands are unknown. Once they are known, earlier messages have them, too."""
    await empty_club.bob.say(empty_club.channel, "good evening")
    page = await open_page(empty_club, empty_club.ann)
    name = message(page, "good evening").get_by_role("button", name="Bob", exact=True)
    await expect(message(page, "good evening")).to_be_visible()
    await expect(name).to_have_count(0)
    await empty_club.bot.start()
    await expect(name).to_be_visible()
    assert await empty_club.bot.stop() == 0


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
