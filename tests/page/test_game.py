"""Tests for a newcomer's game in the browser: challenge, answer, typed and clicked moves."""

import re

import pytest

from sandbox.signals import SOON_S
from tests.e2e.conftest import Club
from tests.games import random_game
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

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = pytest.mark.asyncio(loop_scope="session")

GAME = random_game(3)


async def test_a_challenge_and_the_first_moves_by_two_people(
    club: Club, open_page: OpenPage
) -> None:
    page = await open_page(club, club.ann)
    await composer(page).fill("/chall")
    await page.get_by_role("option", name="/challenge").click()
    await page.get_by_role("combobox", name="opponent").fill("bob")
    await page.get_by_role("option", name="Bob").click()
    await button(page, "+ more").click()
    await page.get_by_role("option", name="True").click()
    await button(page, "Send").click()
    form = page.get_by_role("dialog", name="More options")
    await form.get_by_role("combobox", name="Your color").select_option("white")
    await form.get_by_role("combobox", name="Board at the start").select_option("empty board")
    await button(page, "Submit").click()
    await expect(message(page, "@Bob")).to_contain_text("used a command")

    await button(page, "Accept").click()
    await expect(private(page)).to_be_visible()  # Ann can't accept it

    await become(page, "Bob")
    await button(page, "Accept").click()
    await expect(message(page, "@Ann, your turn.").get_by_role("img")).to_be_visible()
    await expect(private(page)).to_have_count(0)

    await become(page, "Ann")
    await say(page, "d2")
    board = message(page, "@Ann placed d2. @Bob, your turn.")
    await expect(board.get_by_role("img", name="Red d2.")).to_be_in_viewport()
    await expect(board.get_by_role("button", name="Place")).to_be_in_viewport()

    await become(page, "Bob")
    await button(page, "Place").click()
    await private(page).get_by_role("combobox", name="Place on g3").click()
    await page.get_by_role("option", name="e2").click()
    await expect(message(page, "@Bob placed e2.")).to_contain_text("@Ann, your turn.")
    await expect(private(page)).to_have_count(0)
    assert [m.content for m in club.channel.messages if m.author is club.ann.user] == ["d2"]


@pytest.mark.thorough("the page of the local Discord in a browser, beyond a first game")
async def test_a_stack_is_moved_by_clicking(club: Club, open_page: OpenPage) -> None:
    table = await club.start_game()
    await fill(table, GAME)
    page = await open_page(club, table.to_move)
    await button(page, "Move").click()
    choice = private(page).get_by_role("button", name=re.compile("^[a-k][1-5]"))
    source = await choice.first.inner_text()
    await choice.first.click()
    await expect(private(page)).to_contain_text(f"{source} ")
    landing = choice
    target = (await landing.first.inner_text()).split()[0]  # the label ends with the cut-off pieces
    await landing.first.click()
    await expect(message(page, f" {source}-{target}.")).to_be_visible()
    heard = re.compile(rf" {source}-{target}\..* \(with a picture\)$")
    await expect(page.locator("#live p").last).to_have_text(heard)


@pytest.mark.thorough("the page of the local Discord in a browser, beyond a first game")
async def test_suggestions_for_a_move_follow_the_typed_text(
    club: Club, open_page: OpenPage
) -> None:
    table = await club.start_game()
    await fill(table, GAME)
    page = await open_page(club, table.to_move)
    await composer(page).press_sequentially("/move ")
    await expect(page.get_by_role("option").nth(3)).to_be_visible()
    source = GAME[PLACEMENT].source
    assert source is not None
    await page.keyboard.type(str(source))
    own = [str(move) for move in table.position.legal_moves() if move.source == source]
    await expect(page.get_by_role("option")).to_have_text(
        [re.compile(f"^{item}") for item in sorted(own)]
    )
    await page.get_by_role("option", name=re.compile(f"^{GAME[PLACEMENT]}")).click()
    await page.keyboard.press("Enter")
    await expect(message(page, f" {GAME[PLACEMENT]}.")).to_be_visible()


@pytest.mark.thorough("the page of the local Discord in a browser, beyond a first game")
async def test_an_illegal_move_is_refused_privately(club: Club, open_page: OpenPage) -> None:
    table = await club.start_game()
    await table.play(GAME[:1])
    at_bob, at_ann = await open_page(club, club.bob), await open_page(club, club.ann)
    await composer(at_bob).press_sequentially(f"/move {GAME[0]}")
    await button(at_bob, "Send").click()
    await expect(private(at_bob)).to_contain_text(str(GAME[0]))
    await button(at_bob, "Dismiss").click()
    await expect(private(at_bob)).to_have_count(0)

    await button(at_bob, "More").click()
    await button(at_bob, "Type a move").click()
    await at_bob.get_by_role("dialog").get_by_role("textbox").fill("z9")
    await button(at_bob, "Submit").click()
    await expect(at_bob.get_by_role("dialog")).to_have_count(0)
    await expect(private(at_bob)).to_contain_text("z9")
    await say(at_bob, "Oh.")
    await expect(message(at_ann, "Oh.")).to_be_visible()
    await expect(private(at_ann)).to_have_count(0)


@pytest.mark.thorough("the page of the local Discord in a browser, beyond a first game")
async def test_one_newcomer_alone_reaches_the_end_of_a_game(
    club: Club, open_page: OpenPage
) -> None:
    page = await open_page(club, club.ann)
    await page.get_by_role("switch", name="Bob on autopilot").click()
    await composer(page).press_sequentially("/challenge bob")
    await page.get_by_role("option", name="Bob").click()
    await button(page, "+ more").click()
    await page.get_by_role("option", name="True").click()
    await button(page, "Send").click()
    form = page.get_by_role("dialog", name="More options")
    await form.get_by_role("combobox", name="Board at the start").select_option("empty board")
    await button(page, "Submit").click()
    await expect(log(page)).to_contain_text("your turn")
    await page.get_by_role("button", name="Place all pieces for both").click()
    await expect(message(page, "Board full!")).to_be_visible(timeout=SOON_S * 1_000)
    await become(page, "Cid")
    await page.get_by_role("switch", name="Ann on autopilot").click()
    await expect(message(page, " moved ")).to_be_visible()
    here = page.url
    await page.goto("about:blank")  # they keep playing, and the result may vary
    await club.channel.wait_for(lambda one: "–" in one.content)
    await page.goto(here)
    await expect(button(page, "Rematch")).to_be_visible()
    await photograph(page, "finished")
    await page.set_viewport_size({"width": 400, "height": 860})
    words = message(page, "Rematch").locator(".content").first
    lines = await words.evaluate(
        "one => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)"
    )
    assert 1 <= round(lines) <= 7, "the end of a game on a phone"
    assert re.search(r"(beats|draw) .*\d+–\d+", await message(page, "Rematch").inner_text())


@pytest.mark.thorough("the page of the local Discord in a browser, beyond a first game")
async def test_a_reload_in_the_middle_loses_nothing(club: Club, open_page: OpenPage) -> None:
    table = await club.start_game()
    await table.play(GAME[:20])
    page = await open_page(club, table.to_move)
    # Older boards lose their buttons some time after the newer ones are posted.
    await expect(page.get_by_role("button", name="More")).to_have_count(1)
    await button(page, "More").click()
    await expect(private(page)).to_be_visible()
    before = await log(page).get_by_role("listitem").all_inner_texts()

    await page.reload()

    await expect(log(page).get_by_role("listitem")).to_have_text(before, use_inner_text=True)
    await say(page, str(GAME[20]))
    await expect(message(page, f" placed {GAME[20]}.")).to_be_in_viewport()
