"""Decides when discord.py may start a session.

discord.py starts a new session whenever one is rejected or a connection is closed. It calls
`before_identify_hook` first. By then the WebSocket is open, and Discord closes it after a minute,
so the hook can only wait briefly. For a longer wait the WebSocket is closed, and the shard
reconnects once it may start a session. Other shards continue.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import timedelta
from typing import Any, Literal

import aiohttp
import discord
import yarl
from discord import shard
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket

from bot.connection.discord_clock import DiscordClock
from bot.connection.gateway_probe import Connection
from bot.connection.identify_limiter import NORMAL_WAIT, IdentifyLimiter
from bot.connection.liveness import CONNECTING, shard_name
from bot.connection.request_errors import DISCORD_ERRORS
from bot.connection.second_bot import SecondBot, Sign
from bot.connection.socket_throttle import SocketThrottle, close_opened_socket

_MAX_HOOK_WAIT = timedelta(seconds=40)
"""Maximum wait in the hook. discord.py allows a minute."""
_ANSWER_WITHIN_S = 10.0
_LONGEST_BACKOFF_S = 4.0
"""Maximum delay before a shard reconnects, in seconds."""


class _Backoff(ExponentialBackoff[Literal[False]]):
    """Delays before a shard reconnects. discord.py's own grow to 17 minutes."""

    def delay(self) -> float:
        return min(super().delay(), _LONGEST_BACKOFF_S)


class SessionDelayedError(ConnectionError):
    """A session must not be started yet."""


class ShardSessions:
    """Decides when one client's shards may start sessions."""

    def __init__(
        self,
        client: discord.AutoShardedClient,
        identify_limiter: IdentifyLimiter,
        time: DiscordClock,
        keep_running: Callable[[str, Coroutine[Any, Any, None]], None],
    ) -> None:
        self._client = client
        self._identify_limiter = identify_limiter
        self._time = time
        self._keep_running = keep_running
        self._connections: dict[int, Connection] = {}
        self._refused: set[int] = set()
        self._reconnecting: set[int] = set()
        self._sockets = SocketThrottle(time, lambda: self._count)
        self._limit_request: asyncio.Task[None] | None = None
        shard.ExponentialBackoff = _Backoff  # type: ignore[attr-defined,assignment]  # discord.py has no place for it

    def watch(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Add a hook to a trace that tracks each new WebSocket of its client."""
        return self._sockets.watch(trace)

    async def use_address(self) -> None:
        """Use the gateway address from the API for all sessions.

        discord.py requests that address only once. If a session can't be resumed, discord.py uses
        its default address for the next one, ignoring DISCORD_API_URL.
        """
        address = await self._read_limit()
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(address)

    def connection(self, shard_id: int) -> Connection:
        """Return a shard's connection."""
        if shard_id not in self._connections:
            self._connections[shard_id] = Connection(self._client, shard_id, self._identify_limiter)
        return self._connections[shard_id]

    async def before_launch(self, shard_id: int) -> None:
        """Delay a shard's first connection until it may start a session."""
        await self._ask_discord()
        await self._identify_limiter.wait(shard_id, self._count, CONNECTING)

    async def before_identify(self, shard_id: int) -> None:
        """Record a shard's new session, or make the shard wait.

        Raises:
            SessionDelayedError: if the shard has to wait for its first session.
            CancelledError: if it has to wait for a later one. This makes discord.py stop the shard.
        """
        ends = self._time.steady + _MAX_HOOK_WAIT.total_seconds()
        while True:
            await self._ask_discord()
            delay = await self._identify_limiter.begin(shard_id, self._count)
            if not delay:
                return
            if delay > NORMAL_WAIT or self._time.steady + delay.total_seconds() > ends:
                break
            await self._time.sleep(delay.total_seconds())
        close_opened_socket()
        if self._client.get_shard(shard_id) is None:
            raise SessionDelayedError(f"shard {shard_id} must not start a session yet")
        self._refused.add(shard_id)
        if shard_id not in self._reconnecting:
            self._reconnecting.add(shard_id)
            self._keep_running(f"identify {shard_id}", self._reconnect_later(shard_id))
        raise asyncio.CancelledError

    async def _reconnect_later(self, shard_id: int) -> None:
        """Reconnect a stopped shard once it may start a session."""
        try:
            while shard_id in self._refused:
                self._refused.discard(shard_id)
                await self._identify_limiter.wait(shard_id, self._count, shard_name(shard_id))
                shard = self._client.get_shard(shard_id)
                assert shard is not None  # it is stopped, not removed  # noqa: S101
                await shard.reconnect()
        finally:
            self._reconnecting.discard(shard_id)

    @property
    def _count(self) -> int:
        return self._client.shard_count or 1

    async def _ask_discord(self) -> None:
        """Update the number of session starts left.

        If Discord doesn't respond, the old number remains.

        The request itself is never canceled, even if discord.py cancels the caller.
        """
        if not self._identify_limiter.is_behind:
            return
        if self._limit_request is None or self._limit_request.done():
            self._limit_request = asyncio.create_task(self._refresh_limit())
        await asyncio.wait((self._limit_request,), timeout=_ANSWER_WITHIN_S)

    async def _refresh_limit(self) -> None:
        with suppress(*DISCORD_ERRORS, discord.GatewayNotFound):
            await self._read_limit()

    async def _read_limit(self) -> str:
        """Update the session limit and return the gateway's address."""
        began = self._time.steady
        _, address, limit = await self._client.http.get_bot_gateway()
        self._identify_limiter.learn(limit, took_s=self._time.steady - began)
        return address

    async def check_for_others(self, second_bot: SecondBot) -> None:
        """Report a sign of a second bot if Discord counts sessions that the database lacks.

        Sessions of other processes with this database are not evidence, and can explain some of
        them.
        """
        began = await self._identify_limiter.last_start_elsewhere()
        if began is not None:
            second_bot.on_own_session(began)
        await self._refresh_limit()
        if await self._identify_limiter.has_foreign_starts():
            second_bot.note(Sign.SESSION)


def _drop_late_heartbeat_warning(record: logging.LogRecord) -> bool:
    """Drop discord.py's false warnings of late heartbeats.

    discord.py records a heartbeat's time after sending it. If the response arrives before that,
    discord.py measures from the previous heartbeat, and warns that Discord is 41 seconds behind.
    `gateway_probe.py` measures this better.
    """
    return not record.getMessage().startswith("Can't keep up")


logging.getLogger("discord.gateway").addFilter(_drop_late_heartbeat_warning)
