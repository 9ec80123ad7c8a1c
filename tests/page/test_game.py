"""A newcomer's game in the browser: a challenge, an answer, moves by typing and by clicking."""

import pytest

from tests.e2e.conftest import Club
from tests.page.conftest import OpenPage

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]


async def test_a_challenge_is_accepted_by_the_other_person(club: Club, open_page: OpenPage) -> None:
    page = await open_page(club, club.ann)
    await page.get_by_role("textbox").fill("/chall")
    await page.get_by_role("option", name="/challenge").click()
    await page.get_by_role("combobox", name="opponent").fill("bob")
    await page.get_by_role("option", name="Bob").click()
    await page.get_by_role("button", name="+ colour").click()
    await page.get_by_role("option", name="White").click()
    await page.get_by_role("button", name="Send").click()
    challenge = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="Accept"))
    await expect(challenge).to_contain_text("@Bob")

    await page.get_by_role("radio", name="Bob").check(force=True)
    await page.get_by_role("button", name="Accept").click()

    await expect(page.get_by_role("img")).to_be_visible()


async def test_a_typed_placement_is_answered_with_a_board(club: Club, open_page: OpenPage) -> None:
    await club.start_game()
    page = await open_page(club, club.ann)
    await page.get_by_role("textbox").fill("d2")
    await page.keyboard.press("Enter")
    await expect(page.locator("#log")).to_contain_text("placed d2")
    await page.screenshot(path="tests/output/page/one.png")
