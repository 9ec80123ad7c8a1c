"""Tests for a replay page, opened from a file without a network."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from dvonn.link import decode
from renderer import replay_page
from renderer.animation import MOVE_MS
from tests.page.browser import DESKTOP, PHONE
from tests.page.test_look import SMOOTH, VIEWS, violations
from tests.renderer.test_replay import GAME, PLAYERS, REVIEW

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = pytest.mark.asyncio(loop_scope="session")

LAST = len(GAME.moves)


class Opened:
    """Windows of the page, their requests, and the errors in them."""

    def __init__(self, browser: Browser, file: Path) -> None:
        self.asked: list[str] = []
        self.faults: list[str] = []
        self._browser = browser
        self._file = file

    async def window(self, **options: Any) -> Page:
        context = await self._browser.new_context(offline=True, **options)
        page = await context.new_page()
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda line: self.faults.append(line.text))
        await page.clock.install(time=datetime(2026, 1, 1, tzinfo=UTC))
        await page.goto(self._file.as_uri())
        await expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        return page


@pytest_asyncio.fixture(loop_scope="session")
async def opened(browser: Browser, tmp_path: Path) -> AsyncIterator[Opened]:
    file = tmp_path / "game.html"
    file.write_text(replay_page(GAME, review=REVIEW), encoding="utf-8")
    windows = Opened(browser, file)
    yield windows
    assert windows.faults == []
    # The page itself, and the chart in it.
    asked = {url.partition("?")[0] for url in windows.asked if not url.startswith("data:")}
    assert asked <= {file.as_uri()}


async def shows(page: Page, ply: int) -> None:
    """Expect the position after a number of moves, in each of its forms."""
    position, name = GAME.positions[ply], f"{ply}. {GAME.moves[ply - 1]}" if ply else "Start"
    stacks = page.locator("#stacks > g")
    await expect(stacks).to_have_count(len(position.stacks) + len(position.removed))
    await expect(page.locator("#moves [aria-current]")).to_have_text(name)
    slider = page.get_by_role("slider", name="Position")
    await expect(slider).to_have_value(str(ply))
    await expect(slider).to_have_attribute("aria-valuetext", name)


async def test_keys_buttons_slider_and_list_lead_to_every_position(opened: Opened) -> None:
    page = await opened.window(viewport=DESKTOP)
    await shows(page, LAST)
    await expect(page.locator("#headline")).to_have_text("Ann wins")
    for key, ply in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        await page.keyboard.press(key)
        await shows(page, ply)
    await expect(page.get_by_role("button", name="Back", exact=True)).to_be_enabled()
    for name, ply in (("First", 0), ("Next", 1), ("Last", LAST), ("Back", LAST - 1)):
        await page.get_by_role("button", name=name, exact=True).click()
        await shows(page, ply)
    await page.get_by_role("button", name="First", exact=True).click()
    await expect(page.get_by_role("button", name="Back", exact=True)).to_be_disabled()
    await page.keyboard.press("End")
    await shows(page, LAST)
    slider = page.get_by_role("slider", name="Position")
    await slider.focus()
    await page.keyboard.press("ArrowLeft")
    await shows(page, LAST - 1)
    await page.get_by_role("button", name=f"50. {GAME.moves[49]}", exact=True).click()
    await shows(page, 50)


async def test_each_step_is_described_and_the_board_can_be_read(opened: Opened) -> None:
    page = await opened.window(viewport=DESKTOP)
    await page.keyboard.press("ArrowLeft")
    status = page.get_by_role("status")
    await expect(status).to_contain_text(f"Last move {GAME.moves[-2]}, onto ")
    await page.get_by_text("The board in words").click()
    await expect(page.locator("#words")).to_contain_text("On the board: Ann ")
    await expect(page.get_by_role("img", name="to move")).to_be_visible()
    turn = next(ply for ply in REVIEW.plies if ply.best)
    await page.get_by_role("button", name=f": {turn.ply}. ").click()
    await shows(page, turn.ply)
    await expect(page.locator("#verdict")).to_contain_text(f"Better: {turn.best[0]}.")
    await expect(status).to_contain_text(f"Better: {turn.best[0]}.")


async def test_other_moves_are_tried_from_any_ply_and_the_game_stays(opened: Opened) -> None:
    page = await opened.window(viewport=DESKTOP)
    turn = next(ply for ply in REVIEW.plies if ply.best)
    await page.get_by_role("button", name=f": {turn.ply}. ").click()
    await page.keyboard.press("ArrowLeft")
    before = GAME.positions[turn.ply - 1].legal_moves()
    other = next(move for move in before if move is not GAME.moves[turn.ply - 1])
    await page.get_by_label("Your move").fill(str(other))
    await page.keyboard.press("Enter")
    await expect(page.locator("#moves [aria-current]")).to_have_text(f"{turn.ply}. {other}")
    await expect(page.locator("#verdict")).to_be_empty()
    await expect(page.locator("#aloud")).to_be_hidden()
    await expect(page.locator("#turns [aria-current]")).to_have_count(0)
    record = decode(await page.evaluate("location.hash"))
    assert record.moves == (*GAME.moves[: turn.ply - 1], other)
    assert record.headers["White"] == PLAYERS.white
    await page.reload()
    await page.get_by_role("button", name="Back to the game").click()
    await shows(page, turn.ply)
    await expect(page.locator("#verdict")).to_contain_text(f"Better: {turn.best[0]}.")
    await expect(page.locator("#turns [aria-current]")).to_have_count(1)
    await page.get_by_role("button", name="New game").click()
    await expect(page.locator("#headline")).to_have_text("White to place a red piece")
    await page.get_by_role("button", name=f": {turn.ply}. ").click()
    await shows(page, turn.ply)


@pytest.mark.thorough("looks at many sizes, by finger and by axe, of one page")
async def test_the_current_place_is_visible_with_forced_colors(opened: Opened) -> None:
    page = await opened.window(viewport=DESKTOP)
    await shows(page, LAST)
    await page.emulate_media(forced_colors="active")
    grounds = [
        await page.locator(where).first.evaluate("one => getComputedStyle(one).backgroundColor")
        for where in ("#moves [aria-current]", "#moves button:not([aria-current])")
    ]
    assert grounds[0] != grounds[1]


@pytest.mark.thorough("looks at many sizes, by finger and by axe, of one page")
async def test_it_plays_until_the_end_or_a_touch(opened: Opened) -> None:
    page = await opened.window(viewport=PHONE, has_touch=True, is_mobile=True)
    # Otherwise the clock continues to run, on a busy machine by more than a move.
    await page.clock.pause_at(datetime(2026, 1, 2, tzinfo=UTC))
    await page.get_by_role("button", name="Play", exact=True).tap()
    await shows(page, 0)
    await page.clock.run_for(MOVE_MS * 3)
    await shows(page, 3)
    await page.get_by_role("button", name="Pause", exact=True).tap()
    await page.clock.run_for(MOVE_MS * 3)
    await shows(page, 3)
    await page.get_by_role("button", name="Play", exact=True).tap()
    await page.clock.run_for(MOVE_MS * (LAST + 2))
    await shows(page, LAST)
    await expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.mark.thorough("looks at many sizes, by finger and by axe, of one page")
async def test_a_swipe_steps(opened: Opened) -> None:
    page = await opened.window(viewport=PHONE, has_touch=True, is_mobile=True)
    box = await page.locator("#board").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for across, ply in ((90, LAST - 1), (90, LAST - 2), (-90, LAST - 1), (9, LAST - 1)):
        await page.mouse.move(x, y)
        await page.mouse.down()
        await page.mouse.move(x + across, y)
        await page.mouse.up()
        await shows(page, ply)


@pytest.mark.thorough("looks at many sizes, by finger and by axe, of one page")
async def test_axe_finds_nothing_grave_and_nothing_overflows(opened: Opened) -> None:
    page = await opened.window(viewport=DESKTOP, reduced_motion="reduce")
    turn = next(ply for ply in REVIEW.plies if ply.best)
    await page.get_by_role("button", name=f": {turn.ply}. ").click()
    await page.get_by_text("The board in words").click()

    for size, scheme in VIEWS.values():
        await page.set_viewport_size(size)
        await page.emulate_media(color_scheme=scheme)
        assert await violations(page) == [], scheme
        assert await page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        ground = await page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (max(map(int, re.findall(r"\d+", ground))) < 64) == (scheme == "dark")
        assert await page.evaluate(SMOOTH) == []
    assert PLAYERS.white in await page.title()


async def test_on_paper_it_is_dark_on_white_and_without_buttons(opened: Opened) -> None:
    page = await opened.window(viewport=DESKTOP, color_scheme="dark")
    await page.emulate_media(media="print")
    for hidden in ("#controls", "#typed", "#ways"):
        await expect(page.locator(hidden)).to_be_hidden()
    shades = "one => getComputedStyle(document.querySelector(one))"
    assert await page.evaluate(f"({shades})('body').backgroundColor") == _rgb("page")
    assert await page.evaluate(f"({shades})('#headline').color") == _rgb("text")
    assert await page.evaluate(f"({shades})('#ground').fill") == "none"


def _rgb(name: str) -> str:
    """A color of the page in light mode, as browsers write it."""
    found = re.search(rf"--{name}:#(\w{{6}})", replay_page(GAME))
    assert found is not None
    return f"rgb({', '.join(map(str, bytes.fromhex(found[1])))})"


async def test_unbroken_names_fit_a_narrow_window(browser: Browser, tmp_path: Path) -> None:
    caption = replace(PLAYERS, white="W" * 40, black="M" * 40)
    file = tmp_path / "wide.html"
    file.write_text(replay_page(replace(GAME, caption=caption), review=REVIEW), encoding="utf-8")
    page = await browser.new_page(viewport={"width": 320, "height": 640}, offline=True)
    await page.goto(file.as_uri())
    await expect(page.locator("#headline")).to_contain_text("W" * 40)
    assert await page.evaluate("document.documentElement.scrollWidth") <= 320
    await page.close()


async def test_an_overlay_is_the_board_alone(opened: Opened) -> None:
    page = await opened.window(viewport=DESKTOP)
    await page.goto(f"{page.url}?overlay")
    await expect(page.locator("#board")).to_be_visible()
    for hidden in ("#aloud", "#verdict", "#review", "#moves", "#controls"):
        await expect(page.locator(hidden)).to_be_hidden()
