"""Tests for a client's options before its first request."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from random import Random
from time import monotonic
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.base.config import Settings
from bot.base.health import ActiveFaults
from bot.base.ids import ChannelId
from bot.base.rhythm import EVERYDAY
from bot.client.client import BotClient
from bot.connection.discord_clock import DiscordClock, HostClocks, TimeSource
from bot.connection.identify_limiter import IdentifyLimiter
from bot.connection.liveness import Liveness
from bot.connection.second_bot import SecondBot
from bot.connection.session_budget import SessionBudget
from bot.connection.tasks import end
from bot.play.handlers.interactions import Answer
from bot.play.model.game import Game
from bot.play.model.terms import Start
from bot.play.seams import ClientService
from bot.play.store.store import Store
from tests.bot.connection.received import interaction
from tests.bot.table import CHANNEL, Table
from tests.postgresql import NEEDS_POSTGRESQL

Make = Callable[..., BotClient]
HOUR = timedelta(hours=1)


@pytest.fixture
async def make(store: Store) -> AsyncIterator[Make]:
    """Return a function that makes clients. Their threads end with the test."""
    hour = HostClocks(wall_clock=lambda: datetime.now(UTC), steady=monotonic, awake=monotonic)
    made = list[BotClient]()

    def client(*, message_content: bool = True, **given: Any) -> BotClient:
        settings = Settings(**({"discord_token": "abc", "machine": "off"} | given))
        time, liveness, degraded = DiscordClock(hour), Liveness(monotonic), ActiveFaults()
        limiter = IdentifyLimiter(store.identifies, time, liveness, SessionBudget())
        second_bot = SecondBot(degraded, store.other_processes, time.now)
        about = (settings, store, time, liveness, degraded, second_bot, limiter, None)
        made.append(BotClient(*about, Random(1), EVERYDAY, message_content))
        return made[-1]

    yield client
    for item in made:
        item.services.publisher.close()


async def test_it_reaches_discord_through_the_proxy_that_a_host_names(make: Make) -> None:
    proxy = "http://proxy.example:3128"
    assert make(https_proxy=proxy).http.proxy == proxy
    assert make().http.proxy is None


@pytest.mark.parametrize("reads", [True, False])
async def test_the_invite_asks_for_needed_permissions_and_granted_intents(
    make: Make, *, reads: bool
) -> None:
    asked = {name for name, is_on in make(message_content=reads).intents if is_on}
    needed = {"guilds", "guild_messages", "dm_messages", "guild_reactions", "dm_reactions"}
    assert asked == needed | ({"message_content"} if reads else set())


@NEEDS_POSTGRESQL
async def test_a_bot_runs_the_configured_shards(make: Make) -> None:
    some = make(shards="4-7/16", database_url="postgresql://somewhere/dvonn")
    assert (some.shard_ids, some.shard_count) == ([4, 5, 6, 7], 16)
    assert make().shard_ids is None


async def test_nothing_that_it_sends_pings_by_default(make: Make) -> None:
    mentions = make().allowed_mentions
    assert mentions is not None
    rings = (mentions.everyone, mentions.users, mentions.roles, mentions.replied_user)
    assert rings == (False,) * 4


async def test_a_commands_time_proves_a_response_wrong(make: Make) -> None:
    client = make()
    time, now = client._time, datetime.now(UTC)
    for hour, source in ((now, TimeSource.REQUESTS), (now - HOUR, TimeSource.GATEWAY)):
        time.observe(format_datetime(hour, usegmt=True), time.steady, source)
    assert not time.is_sure
    command = interaction()
    command.type = discord.InteractionType.application_command
    await client.on_interaction(command)
    assert time.is_sure


async def test_requests_handled_elsewhere_are_checked_later(make: Make) -> None:
    """The process that handled the message may have died before the machine moved."""
    client = make()
    asked: Any = SimpleNamespace(
        services=client.services, interaction=SimpleNamespace(channel_id=5)
    )
    Answer.leave_to_other(asked)
    client.services.check_later(ChannelId(6))
    looking = {task.get_name(): task for task in asyncio.all_tasks()}
    assert {"check 5", "check 6"} <= looking.keys()
    await end([looking["check 5"], looking["check 6"]])


async def test_parts_see_an_unfinished_game_of_others(
    make: Make, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Part(ClientService):
        def on_game(self, game: Game) -> None:
            seen.append(game.row.id)

    monkeypatch.setattr("bot.client.client._HANDOVER_S", 0)
    seen, client = list[int](), make()
    client._parts[:] = [Part(), Part()]
    number = (await table.begin(None, level=1, start=Start.BALANCED)).row.id
    for channel in (CHANNEL, ChannelId(CHANNEL + 1)):  # the other one has no game
        client.services.check_later(channel)
        (look,) = (task for task in asyncio.all_tasks() if task.get_name() == f"check {channel}")
        await look
    assert seen == [number, number]
