"""Tests for the filter for discord.py's log lines that would mislead a host."""

import asyncio
from typing import Any

import discord
import pytest
from discord import gateway

from bot.client import client
from bot.connection import shard_sessions

INTERVAL_S = 41.25


PARTS = (client, shard_sessions)
"""Modules that filter log lines, once they are imported."""


async def test_only_important_facts_have_a_line(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("warn_nacl", "warn_dave"):
        monkeypatch.setattr(discord.VoiceClient, name, True)
    discord.Client(intents=discord.Intents.default())
    assert not discord.VoiceClient.warn_nacl, "it has warned"

    nowhere: Any = None
    connection = gateway.DiscordWebSocket(nowhere, loop=asyncio.get_running_loop())
    connection._max_heartbeat_timeout = 60
    heart = gateway.KeepAliveHandler(ws=connection, interval=INTERVAL_S, shard_id=0)
    heart._last_send -= INTERVAL_S  # the previous heartbeat
    heart.ack()
    assert heart.latency > INTERVAL_S, "it has warned"

    assert caplog.messages == []
