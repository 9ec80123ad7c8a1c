"""Tests for a shard's sessions and clocks, with the whole bot in this process."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import yarl
from discord.gateway import DiscordWebSocket

from bot.base.ids import ChannelId, GameId
from bot.base.metrics import REGISTRY
from bot.play.game_changes import GameUpdate
from bot.play.store.store import Store
from sandbox import Channel, Message
from tests.bot.whole import WholeBot, whole_bot

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        yield bot


def sample(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, {"shard": "0", **labels}) or 0


async def test_sessions_are_counted_by_how_they_began(bot: WholeBot) -> None:
    def counted() -> tuple[float, float]:
        name = "dvonn_gateway_sessions_total"
        return sample(name, how="anew"), sample(name, how="resumed")

    def is_connected() -> bool:
        return sample("dvonn_gateway_connected") == 1

    assert is_connected()
    anew, resumed = counted()
    bot.client.dispatch("shard_disconnect", 0)
    await bot.until(lambda: not is_connected())
    bot.world.ask_to_reconnect()
    await bot.until(is_connected)
    assert counted() == (anew, resumed + 1)
    await bot.stop()
    await bot.start()
    await bot.until(lambda: counted() == (anew + 1, resumed + 1))


async def test_later_sessions_use_the_address_that_discord_names(
    bot: WholeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL("wss://elsewhere.example"))
    await bot.stop()
    await bot.start()
    assert yarl.URL(bot.world.gateway_url) == DiscordWebSocket.DEFAULT_GATEWAY


async def test_a_game_whose_check_fails_delays_no_other_and_is_checked_again_a_minute_later(
    bot: WholeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_flagged(message: Message) -> bool:
        return "ran out of time" in message.content

    channels = dict[GameId, Channel]()
    for channel in (bot.channel, bot.guild.create_channel("other")):
        await bot.begin(channel, clock="1 day")
        row = await bot.store.games.running_in(ChannelId(channel.id))
        assert row is not None
        channels[row.id] = channel
    check, tried = bot.services.timekeeper.check, list[tuple[GameId, datetime]]()

    async def fail_first(game: GameId, *about: Any, **more: Any) -> GameUpdate | None:
        if not tried or game == tried[0][0]:
            tried.append((game, bot.now))
            if len(tried) == 1:
                raise ValueError("a bug")
        return await check(game, *about, **more)

    monkeypatch.setattr(bot.services.timekeeper, "check", fail_first)
    bot.advance(days=2)
    await bot.until(lambda: bool(tried))
    broken = channels.pop(tried[0][0])
    (other,) = channels.values()
    await other.wait_for(is_flagged)
    bot.advance(minutes=1)
    await broken.wait_for(is_flagged)
    # The minute counts from the beginning of the check, just before.
    assert tried[1][1] - tried[0][1] > timedelta(seconds=59)
