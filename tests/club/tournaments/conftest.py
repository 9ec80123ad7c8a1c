"""The whole bot for tests of tournaments."""

from collections.abc import AsyncIterator

import pytest

from bot.play.store.store import Store
from tests.bot.whole import WholeBot, whole_bot


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        yield bot
