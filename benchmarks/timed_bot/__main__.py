"""The bot, recording the time from each typed move's event until its board is sent.

The environment variable `TIMES` names a file. When the bot stops, it writes a line there for each
move, with two numbers of seconds. The first is the time from reading the gateway's payload until
the request with the board went out, including all waits for Discord's limits and for the database.
The second is the part of that time in which the request waited for the limit on requests per
second.
"""

import os
import re
import sys
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
from discord.gateway import DiscordWebSocket
from discord.state import ConnectionState

from bot.__main__ import main
from bot.base.priority_semaphore import Priority
from bot.client import client as wiring
from bot.connection.discord_clock import DiscordClock
from bot.connection.rate_budget import RateBudget

_SENDS = re.compile(r"/channels/([0-9]+)/messages$")
_received: defaultdict[int, deque[float]] = defaultdict(deque)
_took: list[tuple[float, float]] = []
_waited = ContextVar("waited", default=0.0)
_arrived = 0.0


def _noting_arrivals(receive: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    async def received(socket: DiscordWebSocket, message: Any, /) -> None:
        global _arrived  # noqa: PLW0603 - one payload is read at a time
        _arrived = time.perf_counter()
        await receive(socket, message)

    return received


def _noting_moves(parse: Callable[..., None]) -> Callable[..., None]:
    def parse_message(state: Any, data: Any) -> None:
        if not data["author"].get("bot"):
            _received[int(data["channel_id"])].append(_arrived)
        parse(state, data)

    return parse_message


def _noting_waits(take: Callable[..., Awaitable[int]]) -> Callable[..., Awaitable[int]]:
    async def turn(pace: RateBudget, haste: Priority) -> int:
        began = time.perf_counter()
        place = await take(pace, haste)
        _waited.set(time.perf_counter() - began)
        return place

    return turn


def _noting_boards(make: Callable[[DiscordClock], aiohttp.TraceConfig]) -> Any:
    async def sent(
        _session: object, _about: SimpleNamespace, request: aiohttp.TraceRequestHeadersSentParams
    ) -> None:
        match = _SENDS.search(request.url.path)
        if request.method == "POST" and match is not None and (clicks := _received[int(match[1])]):
            _took.append((time.perf_counter() - clicks.popleft(), _waited.get()))

    def tracing(clock: DiscordClock) -> aiohttp.TraceConfig:
        trace = make(clock)
        trace.on_request_headers_sent.append(sent)
        return trace

    return tracing


if __name__ == "__main__":
    socket: Any = DiscordWebSocket
    state: Any = ConnectionState
    joins: Any = wiring
    pace: Any = RateBudget
    socket.received_message = _noting_arrivals(socket.received_message)
    state.parse_message_create = _noting_moves(state.parse_message_create)
    pace.acquire = _noting_waits(pace.acquire)
    joins.tracing = _noting_boards(joins.tracing)
    try:
        status = main([])
    finally:
        Path(os.environ["TIMES"]).write_text(
            "".join(f"{number:.6f} {waited:.6f}\n" for number, waited in _took)
        )
    sys.exit(status)
