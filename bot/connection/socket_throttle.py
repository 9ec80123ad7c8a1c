"""Delays gateway connections after repeated failures, and closes rejected ones.

discord.py opens a WebSocket for each attempt to start or resume a session, as often as every five
seconds.
"""

from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import aiohttp

from bot.connection.discord_clock import DiscordClock

_MINUTE_S = 60.0
_SOCKETS_A_MINUTE = 6
"""WebSockets per minute that are opened without a delay, plus two per shard."""
_DELAY_S = 5.0
_SCHEMES = frozenset({"ws", "wss"})

_opened: ContextVar[aiohttp.ClientResponse | None] = ContextVar("opened", default=None)
"""HTTP response of the WebSocket that is being opened."""


class SocketThrottle:
    """Delays one client's WebSockets. `shards` returns its number of shards."""

    def __init__(self, clock: DiscordClock, shards: Callable[[], int]) -> None:
        self._clock = clock
        self._shards = shards
        self._sockets: deque[float] = deque()

    def watch(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Add a hook to a trace that tracks each new WebSocket of its client."""
        trace.on_request_start.append(self._before_request)
        trace.on_request_end.append(_after_request)
        return trace

    async def _before_request(
        self, _session: Any, _context: Any, parameters: aiohttp.TraceRequestStartParams
    ) -> None:
        if parameters.url.scheme not in _SCHEMES:
            return
        now = self._clock.steady
        while self._sockets and self._sockets[0] < now - _MINUTE_S:
            self._sockets.popleft()
        if len(self._sockets) >= _SOCKETS_A_MINUTE + 2 * self._shards():
            await self._clock.sleep(_DELAY_S)
        self._sockets.append(self._clock.steady)


def close_opened_socket() -> None:
    """Close the WebSocket that the current task is opening, if there is one."""
    if (response := _opened.get()) is not None:
        response.close()


async def _after_request(
    _session: Any, _context: Any, parameters: aiohttp.TraceRequestEndParams
) -> None:
    if parameters.url.scheme in _SCHEMES:
        _opened.set(parameters.response)
