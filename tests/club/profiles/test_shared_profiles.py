"""Tests for where people can show their profile to everybody, with the bot in this process."""

from collections.abc import AsyncIterator

import pytest

from bot.play.store.store import Store
from sandbox import Channel
from tests.bot.whole import WholeBot, whole_bot
from tests.e2e.conftest import message_of

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        yield bot


async def test_a_profile_is_shared_in_servers_only(bot: WholeBot) -> None:
    async def ways(place: Channel) -> list[str | None]:
        post = message_of(await bot.ann.slash(place, "profile"))
        return [button.label for button in post.buttons]

    assert await ways(bot.channel) == ["All servers", "Show everybody", "Leaderboard"]
    bot.ann.install()
    group = bot.world.create_private_channel(bot.ann, bot.world.create_person("Dan"))
    assert await ways(group) == ["Leaderboard"]
