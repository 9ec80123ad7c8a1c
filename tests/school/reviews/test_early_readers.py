"""Tests for reviews that are opened before they are finished, with the bot in this process."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.base.ids import GameId
from bot.play.store.store import Store
from dvonn import Review
from sandbox import Message
from school.reviews.use_cases import Reviews
from tests.bot.reviewed import review_of
from tests.bot.whole import FirstMoves, WholeBot, whole_bot
from tests.e2e.conftest import message_of

EARLY = "I'm still looking at this game. The review will appear here."


class SlowReviewer(FirstMoves):
    """A machine that finishes a review when the test says so, with results from the test."""

    def __init__(self) -> None:
        super().__init__()
        self.results = asyncio.Queue[Review | Exception]()

    async def review(self, *_: Any, **_about: Any) -> Any:
        result = await self.results.get()
        if isinstance(result, Exception):
            raise result
        return result


@pytest.fixture
def machine() -> SlowReviewer:
    return SlowReviewer()


@pytest.fixture
async def bot(
    store: Store, monkeypatch: pytest.MonkeyPatch, machine: SlowReviewer
) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch, machine) as bot:
        yield bot


async def early_reader(bot: WholeBot) -> Message:
    """End a game, and return the message that a reader gets who asks for its review at once."""
    page = message_of(await bot.cid.menu(await last_board(bot), "Review"))
    assert page.ephemeral
    assert page.content == EARLY
    return page


async def last_board(bot: WholeBot) -> Message:
    """End a game, and return its last board."""
    await bot.begin(start="balanced")
    game = await bot.services.game_cache.existing(GameId(1))
    for person in (bot.ann, bot.bob):
        await bot.say(person, str(game.position.legal_moves()[0]))
        game = await bot.services.game_cache.existing(GameId(1))
    question = message_of(await bot.ann.slash(bot.channel, "resign"))
    await bot.ann.click(question, "Yes, resign")
    await bot.nothing_unsent()
    return bot.channel.messages[-1]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_review_replaces_the_message_that_it_is_not_ready(
    bot: WholeBot, machine: SlowReviewer
) -> None:
    page = await early_reader(bot)
    game = await bot.services.game_cache.existing(GameId(1))
    machine.results.put_nowait(review_of(game, {50: 0.3}))
    await bot.until(lambda: page.text != EARLY)
    assert page.text.startswith("**Review** of ")
    assert page.attachments
    assert "Look" in [button.label for button in page.buttons]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_reader_learns_that_a_review_failed_after_the_last_attempt(
    bot: WholeBot, machine: SlowReviewer
) -> None:
    page = await early_reader(bot)
    for _ in range(5):
        machine.results.put_nowait(RuntimeError("no"))
    await bot.until(lambda: page.text != EARLY)
    assert page.content == "Sorry, I couldn't review this game."


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_review_that_is_made_while_its_reader_is_told_to_wait_is_shown(
    bot: WholeBot, machine: SlowReviewer
) -> None:
    last = await last_board(bot)
    slow = bot.world.faults.slow("POST /interactions/{interaction}/{token}/callback", seconds=1)
    asking = asyncio.create_task(bot.cid.menu(last, "Review"))
    await bot.until(lambda: slow.hits == 1)
    game, reviews = GameId(1), bot.services.require(Reviews)
    machine.results.put_nowait(review_of(await bot.services.game_cache.existing(game), {50: 0.3}))
    while await reviews.is_pending(game):  # noqa: ASYNC110 - a table tells of no event
        await asyncio.sleep(0.005)
    bot.advance(seconds=1)
    page = message_of(await asking)
    await bot.until(lambda: page.text != EARLY)
    assert page.text.startswith("**Review** of ")
