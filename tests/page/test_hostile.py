"""Tests that markup in every field is shown as text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import Club
from tests.page.browser import PHONE
from tests.page.conftest import OpenPage
from tests.page.steps import button, composer, log, message, private, say
from tests.sandbox.clients import running
from tests.sandbox.croupier import Croupier

if TYPE_CHECKING:
    from playwright.async_api import Page

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.thorough("what tests/sandbox/test_web.py says of the page's code, in a browser"),
]

TAGS = "<img src=x onerror=alert(1)><script>alert(2)</script>"
WORDS = (
    TAGS,
    "`<script>alert(1)</script>`",
    "```html\n<script>alert(1)</script>\n```",
    "**<b><i>x</i></b>** ||<iframe src=//x>||",
    "[<b><i>x](http://localhost/<script>)",
    "[x](javascript:alert(1)) <javascript:alert(1)> javascript:alert(1)",
    '" onerror=alert(1) x="',
    "\u202e<b>\x00&lt;script&gt;",
)


# The positions of the digits of "12–34" from the left, in the order of writing.
LEFT_OF = """(line) => {
    const words = [...line.querySelectorAll(".mention")][0].nextSibling;
    return ["1", "2", "3", "4"].map((figure) => {
        const range = document.createRange();
        const at = words.data.indexOf(figure);
        range.setStart(words, at);
        range.setEnd(words, at + 1);
        return range.getBoundingClientRect().left;
    });
}"""


async def untouched(page: Page) -> None:
    """Check that no text became part of the page. A dialog would fail the test as well."""
    assert await page.locator("img[src=x], [onerror], body script, iframe, b > i").count() == 0


async def test_names_of_people_and_places(empty_club: Club, open_page: OpenPage) -> None:
    guild = empty_club.world.create_guild(TAGS)
    places = [guild.create_channel(name) for name in ("<b><i>x", TAGS)]
    mallory = guild.add_person("<u><i>Mallory")
    page = await open_page(replace(empty_club, channel=places[0]), mallory)
    await expect(page.get_by_role("heading", name=TAGS)).to_be_visible()
    for place in places:
        await page.get_by_role("link", name=place.name).click()
        await expect(page.get_by_role("heading", level=1)).to_contain_text(place.name)
    await say(page, f"I am {mallory.mention}")
    await expect(message(page, "I am @<u><i>Mallory")).to_be_visible()
    await untouched(page)


async def test_right_to_left_and_long_names_move_nothing_else(
    empty_club: Club, open_page: OpenPage
) -> None:
    guild, channel = empty_club.guild, empty_club.channel
    names = ("דניאל", "Zoë \u202etsrever", "Jörg-Maximilian von der Lindenstraße")
    people = [guild.add_person(name) for name in (*"DEFGHIJKL", *names)][-len(names) :]
    for person in people:
        await person.say(channel, f"{person.mention} 12–34 {person.mention}")
    page = await open_page(empty_club, people[-1], viewport=PHONE)
    await expect(message(page, "Jörg").locator(".mention").first).to_be_visible()
    for person in people:
        line = page.locator(".content", has_text=f"@{person.name} 12–34").last
        left_of = await line.evaluate(LEFT_OF)
        assert left_of == sorted(left_of), f"{person.name} turns the result around"
    who = await page.locator("#people").bounding_box()
    assert who is not None
    assert who["width"] < PHONE["width"] / 2, "the title has its room"


async def test_options_of_a_command_and_fields_of_a_form(
    empty_club: Club, open_page: OpenPage
) -> None:
    club = empty_club
    mallory = club.guild.add_person("<u><i>Mallory")
    async with running(club.world, Croupier()):
        page = await open_page(club, mallory)
        await composer(page).press_sequentially("/secret ")
        await page.get_by_role("textbox", name="words").fill(TAGS)
        await button(page, "Send").click()
        await expect(private(page)).to_contain_text(TAGS)
        await composer(page).press_sequentially("/challenge ")
        await page.get_by_role("listbox").get_by_role("option", name="<u><i>M").click()
        await page.keyboard.press("Enter")
        await expect(message(page, "@<u><i>Mallory: a game?")).to_be_visible()
        await composer(page).press_sequentially("/menu ")
        await button(page, "Send").click()
        await button(page, "Form").click()
        await page.get_by_role("dialog").get_by_role("textbox").fill("<b><i>x</i></b>")
        await button(page, "Submit").click()
        await expect(message(page, "You wrote <b><i>x</i></b>")).to_be_visible()
        await untouched(page)


async def test_names_of_files(empty_club: Club, open_page: OpenPage) -> None:
    club = empty_club
    page = await open_page(club, club.ann)
    name = "<img src=x onerror=alert(1)>.html"
    await page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/html", "buffer": TAGS.encode()}
    )
    await expect(page.get_by_text(name)).to_be_visible()
    await button(page, "Send").click()
    link = log(page).get_by_role("link")
    await expect(link).to_have_count(1)
    await untouched(page)
    answer = await page.request.get(await link.evaluate("(a) => a.href"))
    assert answer.headers["content-type"] == "application/octet-stream"
    assert "sandbox" in answer.headers["content-security-policy"]


async def test_words_of_a_message(empty_club: Club, open_page: OpenPage) -> None:
    club = empty_club
    at_ann, at_bob = await open_page(club, club.ann), await open_page(club, club.bob)
    for count, words in enumerate(WORDS, start=1):
        await say(at_ann, words)
        for page in (at_ann, at_bob):
            await expect(log(page).locator(".message")).to_have_count(count)
            await untouched(page)
    for page in (at_ann, at_bob):
        links = await log(page).locator("a").evaluate_all("all => all.map((a) => a.protocol)")
        assert set(links) == {"http:"}
    await log(at_bob).locator(".message").first.hover()
    await at_bob.get_by_role("button", name="Reply").first.click()
    await say(at_bob, TAGS)
    await expect(message(at_ann, "In reply to")).to_contain_text(f"Ann {TAGS[:20]}")
    await untouched(at_ann)
