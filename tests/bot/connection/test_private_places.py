"""Tests for the list of private and patched library names."""

import inspect
import re
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final

import discord
import pytest
from discord import shard
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route
from discord.ui import DynamicItem
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from tests.private_places import (
    ROOT,
    found_in_texts,
    in_text,
    may_have,
    private_places,
    shared_names,
)

MOST: Final = 8
README: Final = ROOT / "bot" / "connection" / "README.md"
ROW: Final = re.compile(
    r"^\| `(?P<place>discord\.[\w.]+)` \| `(?P<file>[\w./]+)` \| .+ \|$", re.MULTILINE
)

LISTED: Final = {
    row["place"]: (README.parent / row["file"]).resolve().relative_to(ROOT).as_posix()
    for row in ROW.finditer(README.read_text(encoding="utf-8"))
}


def source(of: Any) -> str:
    return inspect.getsource(of)


def parameters(of: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(of).parameters)


async def request() -> None:
    assert inspect.iscoroutinefunction(HTTPClient.request)
    assert parameters(HTTPClient.request)[:2] == ["self", "route"]
    client = discord.Client(intents=discord.Intents.none())
    assert isinstance(client.http, HTTPClient)
    for makes in (HTTPClient.get_bot_gateway, HTTPClient.send_message):
        assert "self.request(" in source(makes), "it no longer passes each request"


async def expired_limits() -> None:
    assert parameters(HTTPClient._try_clear_expired_ratelimits) == ["self"]
    assert "self._try_clear_expired_ratelimits()" in source(HTTPClient.get_ratelimit)


async def answers() -> None:
    assert isinstance(async_context, ContextVar)
    assert parameters(AsyncWebhookAdapter.request)[:3] == ["self", "route", "session"]
    for makes in (discord.InteractionResponse.defer, discord.Interaction.original_response):
        assert "async_context.get()" in source(makes)


async def base() -> None:
    before = Route.BASE
    assert before == "https://discord.com/api/v10"
    assert Route("GET", "/users/@me").url == f"{before}/users/@me"


async def default_gateway() -> None:
    assert DiscordWebSocket.DEFAULT_GATEWAY.host == "gateway.discord.gg"
    assert "gateway or cls.DEFAULT_GATEWAY" in source(DiscordWebSocket.from_client)


async def backoff() -> None:
    waits: Any = vars(shard)["ExponentialBackoff"]
    assert "ExponentialBackoff()" in source(shard.Shard.__init__)
    assert "self._backoff.delay()" in source(shard.Shard)
    assert waits().delay() <= 2


async def get_websocket() -> None:
    client = discord.AutoShardedClient(intents=discord.Intents.none(), shard_ids=[0], shard_count=1)
    assert parameters(client._get_websocket) == ["guild_id", "shard_id"]
    assert "self.__shards[shard_id].ws" in source(discord.AutoShardedClient._get_websocket)
    closing = source(DiscordWebSocket._can_handle_close)
    assert "4000" not in closing, "a socket that is closed so is no longer resumed"


async def connection() -> None:
    client = discord.AutoShardedClient(intents=discord.Intents.none(), shard_ids=[0], shard_count=1)
    parsers = client._connection.parsers
    assert {"READY", "INTERACTION_CREATE", "MESSAGE_UPDATE"} <= set(parsers)
    assert "self._discord_parsers = connection.parsers" in source(DiscordWebSocket.from_client) or (
        "_discord_parsers" in source(DiscordWebSocket)
    )


LOOKS: Final = {
    "discord.http.HTTPClient.request": request,
    "discord.http.HTTPClient._try_clear_expired_ratelimits": expired_limits,
    "discord.webhook.async_.async_context": answers,
    "discord.http.Route.BASE": base,
    "discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY": default_gateway,
    "discord.shard.ExponentialBackoff": backoff,
    "discord.AutoShardedClient._get_websocket": get_websocket,
    "discord.AutoShardedClient._connection": connection,
}


PLACES: Final = {(file, place.rpartition(".")[2]) for place, file in LISTED.items()}
INHERITED: Final = {("bot/client/client.py", "_connection")}
"""Places that are used by a subclass."""


def test_the_list_names_each_place_and_no_other() -> None:
    assert found_in_texts() | INHERITED == PLACES
    assert set(LISTED) == set(LOOKS)
    assert len(LISTED) <= MOST


@pytest.mark.later("it imports all modules, for names that subclasses share: one is there")
def test_subclasses_use_no_other_place() -> None:
    assert private_places() == PLACES


@pytest.mark.parametrize("place", LOOKS)
async def test_the_library_still_has(place: str) -> None:
    await LOOKS[place]()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("from discord import gateway\ngateway.Heart = Other", "Heart"),
        ("import discord\ndiscord.VoiceClient.warn_nacl = False", "warn_nacl"),
        ("def f(http):\n    http.request = 1  # type: ignore[method-assign]", "request"),
        ("def f(client):\n    return client._connection.parsers", "_connection"),
        ("def f(client):\n    return getattr(client, '_ready')", "_ready"),
        ("from sqlalchemy.util import _collections", "_collections"),
        ("import discord\nsetattr(discord, 'Client', None)", "Client"),
        ("from discord.webhook.async_ import async_context\nasync_context.set(1)", "async_context"),
    ],
)
def test_a_new_place_is_found(text: str, name: str) -> None:
    assert may_have(text)
    assert set(in_text(text)) == {name}


def test_own_and_documented_names_are_not_private_places() -> None:
    text = "class A:\n    def f(self, pair):\n        return self._x, pair._replace()"
    assert set(in_text(text)) == set()


def test_a_subclass_that_reaches_into_its_base_is_found() -> None:
    class Item(DynamicItem[Any], template="a"):
        """It has the same name as something in discord.py."""

        def reach(self) -> object:
            return self._row

    assert shared_names(Item) == {"_row"}
