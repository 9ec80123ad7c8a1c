"""Tests for moves that can't be stored when they are typed, with the whole bot in this process."""

from collections.abc import AsyncIterator
from typing import NoReturn

import pytest

from bot.base.errors import StoreError
from bot.client import listener
from bot.play.store.store import Store
from tests.bot.whole import WholeBot, whole_bot
from tests.e2e.conftest import is_board
from tests.games import random_game

MOVES = random_game(12)

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    monkeypatch.setattr(listener, "_RETRY_PAUSES_S", (0.05,))
    async with whole_bot(store, monkeypatch) as bot:
        await bot.begin()
        yield bot


def has_unsaved(bot: WholeBot) -> bool:
    return bot.client._listener.has_unstored


async def test_a_move_that_cannot_be_stored_is_played_later_and_before_newer_ones(
    bot: WholeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> NoReturn:
        raise StoreError("the disk is full", writing=True)

    with monkeypatch.context() as broken:
        broken.setattr(bot.store.changes, "append", fail)
        await bot.ann.say(bot.channel, str(MOVES[0]))
        await bot.channel.wait_for(lambda one: one.content.startswith("I can't save right now."))
        assert has_unsaved(bot)
        newer = await bot.bob.say(bot.channel, str(MOVES[1]))
    await bot.channel.wait_for(is_board(2))
    await bot.until(lambda: not has_unsaved(bot))
    await bot.is_done()
    since = [message for message in bot.channel.messages if message.id > newer.id]
    assert all(map(is_board(None), since)), "nobody is refused, or told again"


async def test_unreadable_chat_is_not_announced_as_a_move(
    bot: WholeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> NoReturn:
        raise StoreError("it does not answer", writing=False)

    with monkeypatch.context() as broken:
        broken.setattr(bot.services.game_cache, "running_in", fail)
        said = await bot.cid.say(bot.channel, "e3")
        await bot.until(lambda: has_unsaved(bot))
    await bot.until(lambda: not has_unsaved(bot))
    assert await bot.say(bot.cid, "hm") == []
    assert not [message for message in bot.channel.messages if message.id > said.id][:-1]
