"""Tests for lessons, puzzles, practice and guesses in a narrow window, by taps alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest

from dvonn import GameRecord, Move
from dvonn.puzzles import Puzzle
from dvonn_lessons.primer import CHAPTERS
from school.puzzles.model import PuzzleKey
from tests.e2e.conftest import Club
from tests.e2e.database import seed_of
from tests.e2e.features.reviews.reviewing import a_day_later, given_up, review
from tests.games import drawn, random_game
from tests.page.conftest import OpenPage
from tests.page.steps import button, composer, photograph, private
from tests.page.test_look import fits

if TYPE_CHECKING:
    from playwright.async_api import Page, ViewportSize

expect = pytest.importorskip("playwright.async_api", reason="Playwright is not installed").expect

pytestmark = pytest.mark.asyncio(loop_scope="session")

NARROW: Final[ViewportSize] = {"width": 400, "height": 860}


_COMPONENT: Final = '[data-key^="dvonn:"]'


async def use(page: Page, command: str) -> None:
    await composer(page).press_sequentially(f"/{command} ")
    await button(page, "Send").click()


async def tap(page: Page, move: Move) -> None:
    """Choose a move, a stack and its target, or a space."""
    if str(move) in await labels(page):
        await button(page, str(move)).click()
        return
    if move.source is not None:
        await button(page, move.source).click()
        await expect(button(page, "Back")).to_be_visible()
    await button(page, move.target).click()


async def labels(page: Page) -> list[str]:
    """Return the newest view's buttons, in their visible order and places."""
    return await private(page).locator(_COMPONENT).all_inner_texts()


async def test_a_chapter_of_lessons_is_played_by_taps(club: Club, open_page: OpenPage) -> None:
    page = await open_page(club, club.ann, viewport=NARROW, reduced_motion="reduce")
    await use(page, "learn")
    for number, step in enumerate(CHAPTERS[0].steps, start=1):
        await expect(private(page)).to_contain_text(f"First game ({number} of 10)")
        before = await labels(page)
        wrong = next((choice for choice in step.choices if not step.answer(choice).right), None)
        if wrong is not None:
            await tap(page, wrong)
            await expect(private(page)).to_contain_text("✗")
            assert await labels(page) == before, "all buttons keep their places"
        if number in (2, 5):
            await photograph(page, f"lesson-{number}")
            assert await fits(page)
        right = next(move for move in step.choices or step.solutions if step.answer(move).right)
        await tap(page, right)
        await expect(private(page)).to_contain_text("✓")
        if number < len(CHAPTERS[0].steps):
            await button(page, "Next ▶").click()
    await photograph(page, "lesson-done")
    await expect(private(page)).to_contain_text("Those are all the rules of moving.")


async def test_a_puzzle_is_missed_tried_again_and_solved_by_taps(
    club: Club, open_page: OpenPage
) -> None:
    page = await open_page(club, club.ann, viewport=NARROW, reduced_motion="reduce")
    await use(page, "puzzle theme:cut_off")
    await expect(private(page)).to_contain_text("Puzzle")
    puzzle = await current_puzzle(page)
    before = await labels(page)
    await photograph(page, "puzzle")
    assert await fits(page)
    wrong = next(move for move in puzzle.position.legal_moves() if move != puzzle.solution[0])
    await tap(page, wrong)
    await expect(private(page)).to_contain_text("isn't it.")
    await photograph(page, "puzzle-missed")
    assert await fits(page)
    stacks = len(dict.fromkeys(move.source for move in puzzle.position.legal_moves()))
    missed = await labels(page)
    assert missed[:stacks] == before[:stacks], "the stacks keep their places"
    await button(page, "Try again").click()
    await expect(private(page)).not_to_contain_text("isn't it.")
    line: tuple[Move, ...] = ()
    while True:
        best = puzzle.play_on(line)[0]
        await tap(page, best)
        await expect(private(page)).to_contain_text(f"✓ {best}")
        answer = puzzle.answer(line, best)
        if answer.solved:
            break
        line = (*line, best, *answer.replies)
    await expect(private(page)).to_contain_text("solved!")
    await photograph(page, "puzzle-solved")
    assert await fits(page)


async def current_puzzle(page: Page) -> Puzzle:
    """Return the puzzle of the newest view, by the ids of its buttons."""
    parts = private(page).locator(_COMPONENT)
    keys = await parts.evaluate_all("all => all.map((one) => one.dataset.key)")
    found = next(match for key in keys if (match := re.search(r"puzzle:([0-9a-z_-]+):", key)))
    return PuzzleKey.found(found[1]).puzzle


async def test_a_mistake_is_practised_by_taps(club: Club, open_page: OpenPage) -> None:
    page = await open_page(club, club.ann, viewport=NARROW, reduced_motion="reduce")
    await given_up(club)
    await review(club, game=1, losses={50: 0.2, 51: 0.3})
    await button(page, "Review").click()
    await button(page, "Practice my mistakes").click()
    await expect(private(page)).to_contain_text("Can you find something better?")
    found = await a_day_later(club, club.ann.id)
    before = await labels(page)
    await photograph(page, "practice")
    assert await fits(page)
    await tap(page, found.made.played)
    await expect(private(page)).to_contain_text("isn't it.")
    assert (await labels(page))[: len(before)] == before, "all buttons keep their places"
    await photograph(page, "practice-missed")
    assert await fits(page)
    await button(page, "Try again").click()
    await expect(private(page)).not_to_contain_text("isn't it.")
    await tap(page, found.made.best[0])
    await expect(private(page)).to_contain_text("is better.")
    await photograph(page, "practice-solved")
    assert await fits(page)


async def test_a_move_is_guessed_and_a_board_is_played_by_the_same_buttons(
    club: Club, open_page: OpenPage
) -> None:
    table = await club.start_game(start="balanced")
    table.position = drawn(seed_of(club.bot, 1))
    page = await open_page(club, club.cid, viewport=NARROW, reduced_motion="reduce")
    move = table.position.legal_moves()[0]
    await button(page, "Guess the move").click()
    await expect(private(page)).to_contain_text("Guess the move.")
    await photograph(page, "guess")
    assert await fits(page)
    await tap(page, move)
    await expect(private(page)).to_contain_text(f"You guess {move}.")
    game = random_game(6)
    record = GameRecord(game, {"White": "Ann [x]", "Black": "B*b"}).to_text()
    await use(page, "show")
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("textbox").fill(record)
    await dialog.get_by_role("button", name="Submit").click()
    await expect(private(page)).to_contain_text("Ann [x] – B*b")
    await photograph(page, "show-game")
    assert await fits(page)
    await button(page, "Last ⏭").click()
    await expect(private(page)).to_contain_text(f"Move {len(game)} of {len(game)}")
    await button(page, "◀ Back").click()
    await expect(private(page)).to_contain_text(f"Move {len(game) - 1} of {len(game)}")
    await button(page, "Explore from here").click()
    await expect(button(page, "Undo")).to_be_visible()
    await button(page, "Move").click()
    await expect(button(page, "Back")).to_be_visible()
    await photograph(page, "explore-stacks")
    assert await fits(page)
    await tap(page, game[-1])
    await expect(private(page)).to_contain_text(re.compile(r"beats (White|Black)|It.s a draw"))
