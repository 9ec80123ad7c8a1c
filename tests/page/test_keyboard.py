"""Tests for the page without a mouse: Tab, Enter, Escape and the arrow keys."""

import re

import pytest

from tests.e2e.conftest import Club
from tests.page.conftest import OpenPage
from tests.page.steps import button, composer, log, message, private, say, tab_to

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.thorough("the page of the local Discord in a browser, beyond a first game"),
]


async def test_a_challenge_and_a_move_using_only_the_keyboard(
    club: Club, open_page: OpenPage
) -> None:
    page = await open_page(club, club.ann)
    press = page.keyboard.press
    await press("Tab")
    await expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    await press("Enter")
    await expect(composer(page)).to_be_focused()

    await page.keyboard.type("/cha")
    await expect(page.get_by_role("option", name="/challenge")).to_be_visible()
    await press("Enter")
    await expect(page.get_by_role("combobox", name="opponent")).to_be_focused()
    await page.keyboard.type("bob")
    await expect(page.get_by_role("option")).to_have_count(1)
    await press("Enter")
    for name, value in (("colour", "White"), ("start", "Placement")):
        await tab_to(page, button(page, f"+ {name}"), "Shift+Tab")
        await press("Enter")
        await expect(page.get_by_role("combobox", name=name)).to_be_focused()
        option = page.get_by_role("option", name=value)
        await expect(option).to_be_visible()
        while await option.get_attribute("aria-selected") != "true":
            await press("ArrowDown")
        await press("Enter")
        await expect(button(page, "Send")).to_be_focused()
    await press("Enter")
    await expect(button(page, "Accept")).to_be_visible()
    await expect(composer(page)).to_be_focused()

    await tab_to(page, page.get_by_role("radio", name="Ann"), "Shift+Tab")
    await press("ArrowRight")
    await expect(page.get_by_role("radio", name="Bob")).to_be_focused()
    await expect(page).to_have_title(re.compile("Bob"))
    await tab_to(page, button(page, "Accept"))
    await press("Enter")
    await expect(message(page, "@Ann, your turn.")).to_be_visible()
    await tab_to(page, page.get_by_role("radio", name="Bob"), "Shift+Tab")
    await press("ArrowLeft")
    await expect(page).to_have_title(re.compile("Ann"))

    await tab_to(page, button(page, "More"))
    await press("Enter")
    await tab_to(page, button(page, "Type a move"))
    opener = button(page, "Type a move")
    await press("Enter")
    field = page.get_by_role("dialog").get_by_role("textbox")
    await expect(field).to_be_focused()
    await press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(opener).to_be_focused()
    await press("Enter")
    await expect(field).to_be_focused()
    await page.keyboard.type("d2")
    await press("Enter")
    await expect(message(page, "placed d2.")).to_be_visible()


async def test_a_select_by_keyboard(club: Club, open_page: OpenPage) -> None:
    await club.start_game()
    page = await open_page(club, club.ann)
    await composer(page).focus()
    await tab_to(page, button(page, "Place"), "Shift+Tab")
    await page.keyboard.press("Enter")
    row = private(page).get_by_role("combobox", name="Place on g3")
    await expect(row).to_be_visible()
    await tab_to(page, row)
    await page.keyboard.press("ArrowDown")
    await expect(page.get_by_role("option").first).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("option")).to_have_count(0)
    await expect(row).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await expect(page.get_by_role("option").first).to_be_visible()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(message(page, "@Ann placed h3.")).to_be_visible()


async def test_people_are_named_behind_an_at(empty_club: Club, open_page: OpenPage) -> None:
    club, bot = empty_club, empty_club.world.bot_user
    page = await open_page(club, club.ann)
    await composer(page).focus()
    await page.keyboard.type("Hi @bo")
    await expect(page.get_by_role("option", name="@Bob")).to_be_visible()
    await page.keyboard.press("Enter")
    await expect(composer(page)).to_have_value("Hi @Bob ")
    await page.keyboard.type("and cid@ann")
    await page.keyboard.press("Enter")
    said = message(page, "Hi @Bob and cid@ann")
    await expect(said.locator(".mention")).to_have_text(["@Bob"])
    await page.keyboard.press("ArrowUp")
    await expect(composer(page)).to_have_value("Hi @Bob and cid@ann")
    await page.keyboard.press("Escape")

    await say(page, f"@{bot.name.upper()} help, @Nobody")
    await expect(message(page, "@Nobody").locator(".mention")).to_have_text([f"@{bot.name}"])
    assert club.channel.messages[-1].mentions == [bot]


async def test_messages_are_walked_through_with_the_arrows(
    empty_club: Club, open_page: OpenPage
) -> None:
    club = empty_club
    for words in ("One", "Two", "Three"):
        await club.bob.say(club.channel, words)
    page = await open_page(club, club.ann)
    await composer(page).focus()
    reply = message(page, "Three").get_by_role("button", name="Reply")
    await tab_to(page, reply, "Shift+Tab")
    await expect(reply).to_be_visible()
    await page.keyboard.press("Enter")
    await page.keyboard.type("Four")
    await page.keyboard.press("Enter")
    await expect(message(page, "Four")).to_contain_text("In reply to")
    await expect(composer(page)).to_be_focused()
    await page.keyboard.press("ArrowUp")
    await expect(composer(page)).to_have_value("Four")
    await page.keyboard.press("Escape")
    await expect(composer(page)).to_have_value("")
    items = log(page).locator(".message")
    await items.last.focus()
    await page.keyboard.press("ArrowUp")
    await expect(items.nth(2)).to_be_focused()
    await page.keyboard.press("Home")
    await expect(items.first).to_contain_text("One")
    await expect(items.first).to_be_focused()
    await page.keyboard.press("End")
    await expect(items.last).to_be_focused()
