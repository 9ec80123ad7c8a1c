"""Between the client and discord.py's own loops: every session begins through here.

discord.py begins a new session whenever one is refused or a connection is closed, every five
seconds if need be. It asks `before_identify_hook` first, with the socket open already and within a
minute: a short wait fits there. For a longer one the socket is let go and the shard left alone, and
it is connected again once its time has come; the other shards go on meanwhile.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, Literal

import aiohttp
import discord
import yarl
from discord import gateway, shard
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket

from bot.connection.discord_clock import DiscordClock
from bot.connection.gateway_probe import Connection
from bot.connection.identify_limiter import WORTH_TELLING, IdentifyLimiter
from bot.connection.liveness import CONNECTING, shard_name
from bot.connection.requests import TROUBLE
from bot.connection.second_bot import SecondBot, Sign

_IN_PLACE = timedelta(seconds=40)
"""Time that the hook may take: discord.py gives it a minute."""
_ANSWER_WITHIN_S = 10.0
_MINUTE_S = 60.0
_SOCKETS_A_MINUTE = 6
"""Discord closes the socket each time, or tells us to resume: no need to hammer at it."""
_BRAKE_S = 5.0
_LONGEST_BACKOFF = 2
"""Exponent of the longest wait of a shard whose connection breaks again and again: 2**2 seconds."""

_opened: ContextVar[aiohttp.ClientResponse | None] = ContextVar("opened", default=None)
"""Response that has become the socket of the connection that is being made."""


class _Backoff(ExponentialBackoff[Literal[False]]):
    """The waits of a shard that reconnects; discord.py's own grow to 17 minutes."""

    def __init__(self) -> None:
        super().__init__()
        self._max = _LONGEST_BACKOFF


class MustWaitError(ConnectionError):
    """A session must not be begun yet."""


class ShardSessions:
    """Lets one client's shards begin sessions."""

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
        self._coming_back: set[int] = set()
        self._sockets: deque[float] = deque()
        self._asking: asyncio.Task[None] | None = None
        time_heartbeats()
        shard.ExponentialBackoff = _Backoff  # type: ignore[attr-defined,assignment]  # discord.py has no place for it

    def watch(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """See the sockets that are opened by what this trace is of."""
        trace.on_request_start.append(self._before_request)
        trace.on_request_end.append(_after_request)
        return trace

    async def use_address(self) -> None:
        """Take the gateway's address from the API, for later sessions too.

        discord.py asks for it once; a session that cannot be resumed begins anew at the default
        address, which is Discord's own whatever DISCORD_API_URL says.
        """
        address = await self._learn_limit()
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(address)

    def connection(self, shard_id: int) -> Connection:
        """Return what is known of a shard's connection."""
        if shard_id not in self._connections:
            self._connections[shard_id] = Connection(self._client, shard_id, self._identify_limiter)
        return self._connections[shard_id]

    async def before_launch(self, shard_id: int) -> None:
        """Wait with a shard's first connection until it may begin a session."""
        await self._ask_discord()
        await self._identify_limiter.wait(shard_id, self._count, CONNECTING)

    async def before_identify(self, shard_id: int) -> None:
        """Count a session that a shard begins now.

        Raises:
            MustWaitError: if the shard has to wait, at its start.
            CancelledError: if it has to wait, later: with it discord.py leaves the shard alone.
        """
        ends = self._time.steady + _IN_PLACE.total_seconds()
        while True:
            await self._ask_discord()
            left = await self._identify_limiter.begin(shard_id, self._count)
            if not left:
                return
            if left > WORTH_TELLING or self._time.steady + left.total_seconds() > ends:
                break
            await self._time.sleep(left.total_seconds())
        socket = _opened.get()
        if socket is not None:
            socket.close()
        if self._client.get_shard(shard_id) is None:
            raise MustWaitError(f"shard {shard_id} must not begin a session yet")
        self._refused.add(shard_id)
        if shard_id not in self._coming_back:
            self._coming_back.add(shard_id)
            self._keep_running(f"identify {shard_id}", self._come_back(shard_id))
        raise asyncio.CancelledError

    async def _come_back(self, shard_id: int) -> None:
        """Connect a shard that was left alone, once it may begin a session."""
        try:
            while shard_id in self._refused:
                self._refused.discard(shard_id)
                await self._identify_limiter.wait(shard_id, self._count, shard_name(shard_id))
                shard = self._client.get_shard(shard_id)
                assert shard is not None  # it was left alone, not forgotten  # noqa: S101
                await shard.reconnect()
        finally:
            self._coming_back.discard(shard_id)

    @property
    def _count(self) -> int:
        return self._client.shard_count or 1

    async def _ask_discord(self) -> None:
        """Learn how many sessions are left, if that is to be had: without it the last word holds.

        The request itself is never cancelled, though discord.py may lose its patience with us.
        """
        if not self._identify_limiter.is_behind:
            return
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._learn())
        await asyncio.wait((self._asking,), timeout=_ANSWER_WITHIN_S)

    async def _learn(self) -> None:
        with suppress(*TROUBLE, discord.GatewayNotFound):
            await self._learn_limit()

    async def _learn_limit(self) -> str:
        """Learn how many sessions Discord allows; return the gateway's address."""
        began = self._time.steady
        _, address, limit = await self._client.http.get_bot_gateway()
        self._identify_limiter.learn(limit, took_s=self._time.steady - began)
        return address

    async def look_for_others(self, second_bot: SecondBot) -> None:
        """See whether somebody has begun a session that the database does not know of."""
        await self._learn()
        if await self._identify_limiter.begun_elsewhere():
            second_bot.note(Sign.SESSION)

    async def _before_request(
        self, _session: Any, _context: Any, about: aiohttp.TraceRequestStartParams
    ) -> None:
        """Connect with the gateway less often where that is in vain again and again."""
        if about.url.scheme not in {"ws", "wss"}:
            return
        now = self._time.steady
        while self._sockets and self._sockets[0] < now - _MINUTE_S:
            self._sockets.popleft()
        if len(self._sockets) >= _SOCKETS_A_MINUTE + 2 * self._count:
            await self._time.sleep(_BRAKE_S)
        self._sockets.append(self._time.steady)


async def _after_request(
    _session: Any, _context: Any, about: aiohttp.TraceRequestEndParams
) -> None:
    if about.url.scheme in {"ws", "wss"}:
        _opened.set(about.response)


class Heartbeat(gateway.KeepAliveHandler):
    """Notes when a beat is about to go out.

    discord.py notes it once the thread that wanted it hears so. Where the answer is there before,
    it counts from the beat before: Discord seems 41 seconds behind, and the log says so.
    """

    def get_payload(self) -> Any:
        self._last_send = time.perf_counter()
        return super().get_payload()


def time_heartbeats() -> None:
    """Let connections that are made from now on time them so."""
    gateway.KeepAliveHandler = Heartbeat  # type: ignore[misc]  # discord.py has no place for it
