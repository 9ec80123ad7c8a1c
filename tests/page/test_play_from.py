"""Tests for *Play from here* in a narrow window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from dvonn import position_to_text
from tests.e2e.conftest import Club
from tests.games import positions_of, random_game
from tests.page.conftest import OpenPage
from tests.page.steps import button, composer, message, photograph
from tests.page.test_look import fits, violations

if TYPE_CHECKING:
    from playwright.async_api import ViewportSize

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = pytest.mark.asyncio(loop_scope="session")

NARROW: Final[ViewportSize] = {"width": 400, "height": 860}
MIDDLE = positions_of(random_game(5))[61]


async def test_a_pasted_position_is_played_in_two_taps(club: Club, open_page: OpenPage) -> None:
    page = await open_page(club, club.ann, viewport=NARROW, reduced_motion="reduce")
    await composer(page).press_sequentially("/show ")
    await button(page, "Send").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("textbox").fill(position_to_text(MIDDLE))
    await dialog.get_by_role("button", name="Submit").click()
    await expect(button(page, "Play from here")).to_be_visible()
    await photograph(page, "play-from-shown")
    assert await fits(page)
    await button(page, "Play from here").click()
    form = page.get_by_role("dialog", name="Play from here")
    await expect(form).to_be_visible()
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        await photograph(page, f"play-from-form-{scheme}")
        assert await violations(page) == [], scheme
    assert await fits(page)
    await form.get_by_role("button", name="Submit").click()
    asked = message(page, "From this position, just for fun.")
    await expect(asked.get_by_role("img")).to_be_visible()
    await photograph(page, "play-from-challenge")
    assert await fits(page)
