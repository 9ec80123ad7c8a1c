"""Tests for the page with a small bot of another kind."""

import pytest

from tests.e2e.conftest import Club
from tests.page.conftest import OpenPage
from tests.sandbox.clients import running
from tests.sandbox.croupier import Croupier

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.thorough("the page of the local Discord in a browser, beyond a first game"),
]

SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"


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


async def test_only_new_texts_are_announced_and_only_once(
    empty_club: Club, open_page: OpenPage
) -> None:
    club = empty_club
    page = await open_page(club, club.ann)
    live = page.locator("#live > *")
    said = await club.bob.say(club.channel, "first words")
    await expect(live.filter(has_text="first words")).to_have_count(1)
    await club.bob.react(said, "👍")
    await expect(page.locator(".reactions")).to_be_visible()
    await club.bob.edit(said, "second words")
    await expect(live.filter(has_text="second words")).to_have_count(1)
    await expect(live.filter(has_text="first words")).to_have_count(1)
    await club.bob.edit(said, "second words\nLimit: <t:1772323200:R>")
    await expect(live.filter(has_text="Limit")).to_have_count(1)
    await expect(live.filter(has_text="second words")).to_have_count(1)
    await club.bob.edit(said, "second words\nLimit: <t:1772327777:R>")
    await expect(page.locator("#log time[datetime='2026-03-01T01:16:17.000Z']")).to_be_visible()
    await expect(live.filter(has_text="Limit")).to_have_count(1)
    await club.ann.say(club.channel, "my own words")
    await expect(page.locator("#log").get_by_text("my own words")).to_be_visible()
    await expect(live.filter(has_text="my own words")).to_have_count(0)
