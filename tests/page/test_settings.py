"""Tests for the settings form in a narrow window, and of a translated command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tests.e2e.conftest import Club
from tests.page.conftest import OpenPage
from tests.page.steps import become, button, composer, photograph, private
from tests.page.test_look import fits, violations

if TYPE_CHECKING:
    from playwright.async_api import ViewportSize

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = pytest.mark.asyncio(loop_scope="session")

NARROW: Final[ViewportSize] = {"width": 400, "height": 860}


async def test_all_settings_fit_a_narrow_window(club: Club, open_page: OpenPage) -> None:
    club.bob.user.locale = "de"
    page = await open_page(club, club.ann, viewport=NARROW, reduced_motion="reduce")
    await composer(page).press_sequentially("/settings ")
    await button(page, "Send").click()
    form = private(page)
    forced = form.get_by_role("group", name="What I do for you").get_by_role(
        "checkbox", name="Play my forced moves"
    )
    await expect(forced).not_to_be_checked()
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        await photograph(page, f"settings-narrow-{scheme}")
        assert await violations(page) == [], scheme
    assert await fits(page)
    await forced.check()
    await form.get_by_role("button", name="Choose").click()
    await expect(form).to_contain_text("(edited)")
    await expect(forced).to_be_checked()
    for name in ("Quiet hours", "Vacation", "Blocks"):
        await button(page, name).click()
        dialog = page.get_by_role("dialog", name=name)
        await expect(dialog).to_be_visible()
        box = await dialog.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= NARROW["width"]
        assert await fits(page)
        await page.keyboard.press("Escape")
    await button(page, "Language and boards").click()
    await expect(form.get_by_role("combobox", name="Theme of boards")).to_be_visible()
    await photograph(page, "looks-narrow-dark")
    assert await fits(page)

    await become(page, "Bob")
    command = next(
        command
        for command in club.world.state.application.commands.values()
        if command["name"] == "board"
    )
    name, words = (command[f"{what}_localizations"]["de"] for what in ("name", "description"))
    await composer(page).press_sequentially(f"/{name} ")
    await expect(page.get_by_role("form", name=f"Command {name}")).to_contain_text(words)
    await button(page, "Send").click()
    await expect(private(page)).to_contain_text("Hier läuft gerade keine Partie")
