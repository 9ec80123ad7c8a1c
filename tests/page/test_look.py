"""Tests for the page's look: light and dark, wide and narrow, for eyes and screen readers.

Its pictures are saved in tests/output/page/, for people to look at.
"""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, Literal

import pytest
from PIL import Image

from sandbox import RateLimits, Sandbox
from tests.e2e.conftest import Club
from tests.games import random_game
from tests.page.browser import DESKTOP, PHONE
from tests.page.conftest import OpenPage
from tests.page.steps import (
    PLACEMENT,
    become,
    button,
    composer,
    fill,
    log,
    message,
    photograph,
    private,
    say,
)

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page, ViewportSize

    Scheme = Literal["light", "dark"]

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.thorough("screenshots at many sizes, and axe, of the local Discord"),
]

# Each size uses one of the two schemes, so that both are checked.
VIEWS: Final[dict[str, tuple[ViewportSize, Scheme]]] = {
    "desktop": (DESKTOP, "light"),
    "phone": (PHONE, "dark"),
}
SCHEMES: Final[tuple[Scheme, ...]] = ("light", "dark")
WHOLE: Final = 10_000
GRAVE = ("serious", "critical")

# Only serious findings are returned, because the whole result describes the whole page.
AXE = """async (grave) => {
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.filter((found) => grave.includes(found.impact)).flatMap((found) =>
        found.nodes.map((node) =>
            `${found.id} (${found.impact}): ${node.html.slice(0, 150)} ${node.failureSummary}`));
}"""

# Elements that change gradually instead of at once.
SMOOTH = """() => [...document.querySelectorAll("*")].filter((one) => {
    const style = getComputedStyle(one);
    const steps = style.animationTimingFunction.startsWith("step");
    const glides = style.animationName !== "none" && !steps;
    return glides || parseFloat(style.transitionDuration) > 0 || style.scrollBehavior === "smooth";
}).map((one) => one.outerHTML.slice(0, 80))"""


async def fits(page: Page) -> bool:
    """Return True if nothing makes the page scroll sideways."""
    found: bool = await page.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll("#scroll, #side, dialog")]
            .every((one) => one.scrollWidth <= one.clientWidth)"""
    )
    return found


async def colours(one: Locator, broad: int) -> set[object]:
    """Return the most common colors in the left part of an element."""
    with Image.open(BytesIO(await one.screenshot())) as shot:
        part = shot.convert("RGB").crop((0, 0, min(broad, shot.width), shot.height))
    much = part.width * part.height / 10
    return {colour for count, colour in part.getcolors(1 << 20) or () if count > much}


async def violations(page: Page) -> list[str]:
    """Return axe-core's serious findings, one line each."""
    axe = pytest.importorskip(
        "axe_playwright_python.async_playwright", reason="axe-playwright-python is not installed"
    )
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(axe.Axe().axe_script)
    found: list[str] = await page.evaluate(AXE, GRAVE)
    return found


async def look(page: Page, state: str, *views: str) -> None:
    """Take a picture of the page, check that everything fits, and run axe-core.

    Args:
        page: The page, which stays in the last of the views.
        state: Its content, for the name of the picture.
        views: The views to check, by default all of VIEWS.
    """
    for view in views or VIEWS:
        size, scheme = VIEWS[view]
        await page.set_viewport_size(size)
        await page.emulate_media(color_scheme=scheme)
        await photograph(page, f"{state}-{view}-{scheme}")
        assert await fits(page), (state, view)
        assert await violations(page) == [], (state, view)


async def test_axe_finds_nothing_grave(club: Club, open_page: OpenPage) -> None:
    page = await open_page(club, club.ann, reduced_motion="reduce")
    await expect(page.get_by_role("heading", name="This is #dvonn")).to_be_visible()
    await look(page, "empty")
    await page.get_by_role("button", name="Channels and company").click()
    await expect(page.get_by_role("switch").first).to_be_in_viewport()
    await look(page, "drawer", "phone")
    await page.keyboard.press("Escape")

    table = await club.start_game()
    await button(page, "Place").click()
    await private(page).get_by_role("combobox", name="Place on c5").click()
    await expect(page.get_by_role("option").first).to_be_visible()
    await look(page, "select")
    await page.keyboard.press("Escape")
    game = random_game(3)
    await fill(table, game)
    await table.play(game[PLACEMENT : PLACEMENT + 2])
    await club.bob.say(club.channel, "That was **not** nice, `d2` was mine. @everyone")
    await button(page, "More").click()
    await expect(private(page)).to_be_visible()
    await look(page, "game")
    await page.get_by_text("ALT").last.click()
    await composer(page).press_sequentially("/")
    await expect(page.get_by_role("option").nth(5)).to_be_visible()
    await look(page, "commands")
    await composer(page).press_sequentially("move ")
    await page.get_by_role("combobox", name="move").fill("z9")
    await button(page, "Send").click()
    await expect(private(page)).to_contain_text("z9")
    await button(page, "More").click()
    await button(page, "Type a move").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    await look(page, "form")
    await page.keyboard.press("Escape")
    await log(page).get_by_role("img").last.click()
    await expect(page.get_by_role("dialog", name="Picture")).to_be_visible()
    await look(page, "picture")


async def test_a_phone_has_room_for_all(club: Club, open_page: OpenPage) -> None:
    page = await open_page(club, club.ann, viewport=PHONE, has_touch=True, is_mobile=True)
    await composer(page).press_sequentially("/challenge ")
    await page.get_by_role("option", name="Bob").tap()
    await button(page, "Send").tap()
    await expect(button(page, "Accept")).to_be_in_viewport()
    await become(page, "Bob")
    await button(page, "Accept").tap()
    await expect(log(page).get_by_role("img")).to_have_count(1)
    for name in ("Place", "More"):
        await expect(button(page, name)).to_be_in_viewport()
    await expect(composer(page)).to_be_in_viewport()
    await expect(button(page, "Send")).to_be_in_viewport()
    assert await fits(page)
    small = await page.evaluate(
        """() => [...document.querySelectorAll("button, select, input, textarea")]
            .filter((one) => one.checkVisibility({ opacityProperty: true }))
            .map((one) => [one.textContent, one.getBoundingClientRect()])
            .filter(([, box]) => box.width > 1 && (box.width < 24 || box.height < 24))
            .map(([words]) => words)"""
    )
    assert small == []


async def test_every_picture_has_words(club: Club, open_page: OpenPage) -> None:
    table = await club.start_game()
    game = random_game(3)
    await fill(table, game)
    await table.play(game[PLACEMENT : PLACEMENT + 20])
    page = await open_page(club, table.to_move)
    await button(page, "Move").click()
    await expect(private(page).get_by_role("combobox")).to_be_visible()
    await composer(page).press_sequentially("/help ")
    await button(page, "Send").click()
    await expect(message(page, "How to play here").get_by_role("img")).to_be_visible()
    pictures: list[dict[str, Any]] = await page.locator("#log img").evaluate_all(
        "all => all.map((one) => ({ alt: one.alt, loaded: one.naturalWidth }))"
    )
    assert len(pictures) > 20
    assert all(len(picture["alt"]) > 20 for picture in pictures)
    await expect(page.locator("img:not([alt])")).to_have_count(0)
    last = message(page, "How to play here")
    await last.get_by_text("ALT").click()
    await expect(last.get_by_text(pictures[-1]["alt"], exact=True)).to_be_visible()


async def test_nothing_is_loaded_from_elsewhere(empty_club: Club, open_page: OpenPage) -> None:
    page = await open_page(empty_club, empty_club.ann)
    await say(page, "https://example.com/picture.png ![x](https://example.com/picture.png)")
    await expect(log(page).get_by_role("link").first).to_be_visible()
    origins = await page.evaluate(
        "performance.getEntriesByType('resource').map((one) => new URL(one.name).origin)"
    )
    assert len(origins) > 20
    assert len(set(origins)) == 1


async def test_light_and_dark(empty_club: Club, open_page: OpenPage) -> None:
    def brightness(page: Page) -> Any:
        return page.evaluate(
            """() => {
                const pixel = new OffscreenCanvas(1, 1).getContext("2d");
                pixel.fillStyle = getComputedStyle(document.body).backgroundColor;
                pixel.fillRect(0, 0, 1, 1);
                return pixel.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((a, b) => a + b) / 3;
            }"""
        )

    club = empty_club
    page = await open_page(club, club.ann, color_scheme="light")
    assert await brightness(page) > 200
    await page.emulate_media(color_scheme="dark")
    assert await brightness(page) < 60
    theme = page.get_by_role("button", name="Theme: ")
    await theme.click()
    await expect(theme).to_have_accessible_name("Theme: light")
    assert await brightness(page) > 200
    await page.reload()
    await expect(theme).to_have_accessible_name("Theme: light")
    assert await brightness(page) > 200
    await theme.click()
    await expect(theme).to_have_accessible_name("Theme: dark")
    await page.emulate_media(color_scheme="light")
    assert await brightness(page) < 60


async def test_states_are_visible_with_forced_colors(empty_club: Club, open_page: OpenPage) -> None:
    club = empty_club
    club.guild.create_channel("lounge")
    await club.bob.say(club.channel, "Hello")
    await club.bob.say(club.channel, f"Hello <@{club.ann.id}>")
    page = await open_page(club, club.ann)
    await page.get_by_role("switch").first.click()
    for scheme in SCHEMES:
        await page.emulate_media(forced_colors="active", color_scheme=scheme)
        await expect(page.get_by_role("switch").first).to_be_checked()
        for alike, broad in (
            ("#people label span", WHOLE),
            ("#places a", WHOLE),
            ("[role=switch]", 38),  # the switch itself, before its label
            (".message", 4),
        ):
            first, second = [
                await colours(page.locator(alike).nth(number), broad) for number in (0, 1)
            ]
            assert first != second, (scheme, alike)


@pytest.mark.parametrize("names", ["Ann Bob Cid", "Maximiliana-Alexandra Bartholomew Cid"])
async def test_a_very_narrow_window_still_says_where_one_is(
    names: str, empty_club: Club, open_page: OpenPage
) -> None:
    """As narrow as a window of 1280 pixels at 400% zoom."""
    async with Sandbox(rate_limits=RateLimits.generous(), record=False) as world:
        guild = world.create_guild("Friends")
        # More people than these are in a list, which is narrow.
        people = [guild.add_person(name) for name in names.split()]
        club = replace(empty_club, world=world, channel=guild.create_channel("dvonn"))
        page = await open_page(club, people[0])
        title, theme = page.get_by_role("heading", level=1), page.locator("#theme")
        for width in (320, 360, 390):
            await page.set_viewport_size({"width": width, "height": 640})
            await expect(title).to_have_text("# dvonn")
            assert await title.evaluate("one => one.scrollWidth <= one.clientWidth"), width
            beside = await theme.evaluate("one => one.getBoundingClientRect().top")
            below = await title.evaluate("one => one.getBoundingClientRect().bottom")
            assert beside < below, (width, "in one line")
            assert await fits(page), width


async def test_nothing_moves_for_those_who_asked_for_that(
    empty_club: Club, open_page: OpenPage
) -> None:
    club = empty_club
    await club.bob.say(club.channel, "First")
    page = await open_page(club, club.ann, reduced_motion="reduce", viewport=PHONE)
    first = log(page).locator(".message").first
    await first.hover()
    await first.get_by_role("button", name="Reply").click()
    await say(page, "Second")
    await button(page, "Bob First").click()  # it leads to the quoted message, which is highlighted
    await expect(first).to_be_focused()
    assert await page.evaluate(SMOOTH) == []
    await page.emulate_media(reduced_motion="no-preference")
    assert await page.evaluate(SMOOTH) != []
