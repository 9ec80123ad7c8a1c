"""Tests for several windows, lost connections, and an absent bot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from demo.commands import use
from sandbox import RateLimits, Sandbox
from tests.e2e.conftest import Club
from tests.games import random_game
from tests.page.browser import SpareWindows, Windows
from tests.page.conftest import OpenPage
from tests.page.steps import become, button, composer, log, message, private, say

if TYPE_CHECKING:
    from playwright.async_api import Browser

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.thorough("the page of the local Discord in a browser, beyond a first game"),
]


async def test_two_people_at_two_windows_see_each_other_live(
    club: Club, open_page: OpenPage
) -> None:
    await club.start_game()
    at_ann, at_bob = await open_page(club, club.ann), await open_page(club, club.bob)
    await composer(at_ann).press_sequentially("Go")
    await expect(at_bob.get_by_text("Ann is typing…")).to_be_visible()
    await composer(at_ann).press_sequentially("od luck!")
    await at_ann.keyboard.press("Enter")
    await expect(message(at_bob, "Good luck!")).to_be_visible()
    await expect(at_bob.get_by_text("Ann is typing…")).to_have_count(0)

    await say(at_ann, "c3")
    for page in (at_ann, at_bob):
        await expect(message(page, "@Bob, your turn.")).to_be_visible()
    await button(at_bob, "More").click()
    await expect(private(at_bob)).to_be_visible()
    await say(at_bob, "c4")
    for page in (at_ann, at_bob):
        await expect(message(page, "@Ann, your turn.")).to_contain_text("@Bob placed c4.")
    await expect(private(at_ann)).to_have_count(0)

    await message(at_ann, "Good luck!").hover()
    await message(at_ann, "Good luck!").get_by_role("button", name="Edit").click()
    await composer(at_ann).fill("Good luck to you!")
    await at_ann.keyboard.press("Enter")
    await expect(message(at_bob, "Good luck to you!")).to_contain_text("(edited)")


async def test_activity_in_another_channel_counts(empty_club: Club, open_page: OpenPage) -> None:
    club = empty_club
    lounge = club.guild.create_channel("lounge")
    page = await open_page(club, club.ann)
    await club.bob.say(lounge, "Hello")
    await club.bob.say(lounge, f"Are you there, {club.ann.mention}?")
    place = page.get_by_role("link", name="lounge")
    await expect(place).to_contain_text("1 for you")
    await expect(page).to_have_title("(1) #dvonn · Ann · local demo")
    await place.click()
    await expect(message(page, "Are you there, @Ann?")).to_be_visible()
    await expect(page).to_have_title("#lounge · Ann · local demo")


async def test_a_thread_is_opened_from_its_message(club: Club, open_page: OpenPage) -> None:
    page = await open_page(club, club.ann)
    await use(club.ann, club.channel, "challenge", opponent=club.bob, where="thread")
    await expect(button(page, "Accept")).to_be_visible()
    await become(page, "Bob")
    await button(page, "Accept").click()
    await message(page, "@Bob accepted @Ann's challenge.").get_by_role("link").click()
    (thread,) = club.channel.threads
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"↳ {thread.name}")
    await expect(page.get_by_role("navigation").locator("[aria-current]")).to_contain_text(
        thread.name
    )
    await expect(log(page).get_by_role("img")).to_have_count(1)


async def test_a_server_that_comes_back_is_found_again(
    browser: Browser, spare_windows: SpareWindows, tmp_path: Path
) -> None:
    def world(port: int = 0) -> Sandbox:
        return Sandbox(port=port, folder=tmp_path, rate_limits=RateLimits.generous())

    windows = Windows(browser, spare_windows)
    async with world() as first:
        guild = first.create_guild("Friends")
        channel = guild.create_channel("dvonn")
        ann, bob = guild.add_person("Ann"), guild.add_person("Bob")
        page = await windows.open(first, ann, channel)
        await say(page, "Before")
        await expect(message(page, "Before")).to_be_visible()
        port = int(first.api_url.split(":")[2].split("/")[0])
    await expect(page.get_by_role("status").first).to_have_text("Connection lost. Trying again…")
    await say(page, "Is anybody there?")
    await expect(page.get_by_role("alert").first).to_have_text("The sandbox is not running.")
    await expect(composer(page)).to_have_value("Is anybody there?")

    async with world(port) as second:
        (after,) = second.state.guilds.values()
        (place,) = after.channels.values()
        him = second.person(second.state.users[bob.id])
        await him.say(place, "Meanwhile")  # the page is not reconnected yet
        await expect(message(page, "Meanwhile")).to_be_visible()
        await expect(page.get_by_role("status").first).to_have_text("The bot is offline.")
        await him.say(place, "After")
        await expect(message(page, "After")).to_be_visible()
        await expect(log(page).locator(".message")).to_have_count(3)
        await windows.close()


async def test_a_missing_bot_and_a_silent_one_are_reported(club: Club, open_page: OpenPage) -> None:
    table = await club.start_game()
    await table.play(random_game(2)[:1])
    page = await open_page(club, club.bob)
    await expect(page.get_by_text("The bot is offline.")).to_have_count(0)
    await club.bot.kill()
    await expect(page.get_by_text("The bot is offline.")).to_be_visible()
    await button(page, "Place").click()
    alert = log(page).get_by_role("alert")
    await expect(alert).to_contain_text("The application did not respond")
    await club.bot.start()
    await expect(page.get_by_text("The bot is offline.")).to_have_count(0)
    await button(page, "Place").click()
    await expect(private(page)).to_be_visible()
    await expect(alert).to_have_count(0)


async def test_the_help_is_read_page_by_page(club: Club, open_page: OpenPage) -> None:
    page = await open_page(club, club.ann)
    await composer(page).press_sequentially("/help ")
    await button(page, "Send").click()
    heading = private(page).locator(".head3").first
    await expect(heading).to_have_text("How to play here")
    await private(page).get_by_role("button", name="◀ Rules").click()
    await expect(heading).to_have_text("The aim (1 of 6)")
    seen: list[str] = []
    while True:
        title = await heading.inner_text()
        assert title not in seen
        seen.append(title)
        following = private(page).get_by_role("button", name=re.compile(" ▶$"))
        if not await following.count():
            break
        # A picture of the rules, because no game is played here.
        pictures = int(title.endswith("of 6)"))
        await expect(private(page).get_by_role("img")).to_have_count(pictures)
        await following.click()
        await expect(heading).not_to_have_text(title)
    assert [row[-8:] for row in seen[:6]] == [f"({number} of 6)" for number in range(1, 7)]
    assert seen[6:] == ["How to play here", "More"]
    await private(page).get_by_role("button", name="◀").click()
    await expect(heading).to_have_text("How to play here")
