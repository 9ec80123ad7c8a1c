"""Discord's delay is told as it is, however quick Discord answers."""

import asyncio
from typing import Any

from discord import gateway

from bot.connection.shard_sessions import time_heartbeats

INTERVAL_S = 41.25


async def test_an_answer_before_the_thread_hears_of_the_beat_is_no_delay(monkeypatch: Any) -> None:
    monkeypatch.setattr(gateway, "KeepAliveHandler", gateway.KeepAliveHandler)  # put back later
    time_heartbeats()
    nowhere: Any = None
    connection = gateway.DiscordWebSocket(nowhere, loop=asyncio.get_running_loop())
    connection._max_heartbeat_timeout = 60
    heart = gateway.KeepAliveHandler(ws=connection, interval=INTERVAL_S, shard_id=0)
    heart._last_send -= INTERVAL_S  # the beat before

    heart.get_payload()
    heart.ack()

    assert 0 <= heart.latency < INTERVAL_S / 2
