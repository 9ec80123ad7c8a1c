"""Checks whether a shard receives events, records this, and reconnects a silent shard."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import TYPE_CHECKING

import discord
import structlog

from bot.base import metrics
from bot.base.zones import Interval
from bot.connection.liveness import Liveness, shard_name
from bot.connection.store import ListeningTable, OutageTable
from bot.connection.tasks import InFlightWork

_log = structlog.get_logger()

if TYPE_CHECKING:
    from bot.connection.identify_limiter import IdentifyLimiter

_ANSWER_WITHIN_S = 10.0
_MAX_QUERIES = 2
"""Number of servers to query before a connection counts as silent.

A single server may have an outage.
"""
_RESUMABLE_CLOSE = 4000
"""WebSocket close code that keeps the session alive."""


class ProbeState(Enum):
    """Results of a probe."""

    HEARD = auto()
    SILENCE = auto()
    AWAY = auto()
    """All servers of the shard are unavailable, so none could be queried."""


class Connection:
    """A shard's connection, across its WebSockets."""

    def __init__(
        self, client: discord.AutoShardedClient, shard_id: int, identify_limiter: IdentifyLimiter
    ) -> None:
        self._client = client
        self._shard_id = shard_id
        self._identify_limiter = identify_limiter
        self._answered: int | None = None
        self._silent: set[int] = set()
        self._knows_its_servers = False
        self._warned_unavailable = False
        self.is_doubted = False
        """True if no server answered and the WebSocket was closed to resume the session."""

    def is_new(self) -> None:
        """Record that a new session has begun. Discord will announce its servers next."""
        self._knows_its_servers = self.is_doubted = False

    async def ask(self) -> ProbeState:
        """Query servers for data that arrives only as an event.

        If the shard has no server, heartbeats are enough: discord.py closes a connection whose
        heartbeats aren't acknowledged.
        """
        servers = [guild for guild in self._client.guilds if guild.shard_id == self._shard_id]
        available = [guild for guild in servers if not guild.unavailable]
        if servers and not available and not self._knows_its_servers:
            available = await self._first_server()
        self._knows_its_servers = True
        if not available:
            return self._all_unavailable() if servers else ProbeState.HEARD
        self._warned_unavailable = False
        available.sort(key=lambda guild: (guild.id in self._silent, guild.id != self._answered))
        for server in available[:_MAX_QUERIES]:
            if await self._answers(server):
                self._answered, self._silent, self.is_doubted = server.id, set(), False
                self._identify_limiter.clear_wait(self._shard_id)
                return ProbeState.HEARD
            self._silent.add(server.id)
        return ProbeState.SILENCE

    async def reconnect(self) -> None:
        """Resume a silent session on a new WebSocket.

        If that fails, start a new session.

        The current WebSocket is kept until a new session may be started.
        """
        shard = self._client.get_shard(self._shard_id)
        if shard is None or shard.is_closed():
            return  # discord.py is already reconnecting
        if not self.is_doubted:
            self.is_doubted = True
            _log.warning("gateway silent, reconnecting", shard=self._shard_id)
            await self._resume()
            return
        count, name = self._client.shard_count or 1, shard_name(self._shard_id)
        if await self._identify_limiter.must_wait(self._shard_id, count, name):
            return
        _log.warning("gateway still silent, starting a new session", shard=self._shard_id)
        self.is_doubted = False
        await shard.reconnect()

    async def renew(self) -> None:
        """Resume the session on a new WebSocket, whose handshake contains Discord's time."""
        shard = self._client.get_shard(self._shard_id)
        if shard is None or shard.is_closed():
            return
        _log.info(
            "clock uncertain, resuming the session to get the gateway's time",
            shard=self._shard_id,
        )
        await self._resume()

    async def _resume(self) -> None:
        # discord.py's own reconnect() would end the session and start another.
        socket = self._client._get_websocket(shard_id=self._shard_id)  # noqa: SLF001
        await socket.close(_RESUMABLE_CLOSE)

    def _all_unavailable(self) -> ProbeState:
        if not self._warned_unavailable:
            self._warned_unavailable = True
            _log.warning("all guilds of the shard unavailable", shard=self._shard_id)
        return ProbeState.AWAY

    async def _answers(self, server: discord.Guild) -> bool:
        user = self._client.user
        assert user is not None  # the client is logged in  # noqa: S101
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(_ANSWER_WITHIN_S):
                await server.query_members(user_ids=[user.id], cache=False)
        except TimeoutError:
            return False
        metrics.GATEWAY_LATENCY_SECONDS.labels(self._shard_id).set(loop.time() - began)
        return True

    async def _first_server(self) -> list[discord.Guild]:
        """Return the first server that Discord announces in a new session, as a list."""
        try:
            server = await self._client.wait_for(
                "guild_available",
                check=lambda guild: guild.shard_id == self._shard_id,
                timeout=_ANSWER_WITHIN_S,
            )
        except TimeoutError:
            return []
        return [server]


_MAX_SILENCE = timedelta(minutes=2)
"""Duration of silence after which a shard is assumed not to recover without help."""


_DOUBT_TIMEOUT = timedelta(seconds=20)
"""Maximum time with an uncertain clock before the shard reconnects to get a second time source."""
_DOUBT_INTERVAL = timedelta(minutes=10)
_LONG_OUTAGE = timedelta(minutes=1)
"""Minimum length of an outage after which the times shown on boards are wrong."""


class GatewayProbe:
    """Probes one shard.

    A WebSocket can be open and have heartbeats although Discord no longer sends events on it. So
    the probe queries data that arrives only as an event: the bot's own membership in a server.

    Args:
        complete: Returns True if all received messages have been handled. Until then, the shard may
            count as alive, but no time is recorded.
    """

    def __init__(
        self,
        client: discord.AutoShardedClient,
        shard_id: int,
        listening: ListeningTable,
        outages: OutageTable,
        work: InFlightWork,
        liveness: Liveness,
        *,
        connection: Connection,
        complete: Callable[[], bool],
        now: Callable[[], datetime],
        is_time_sure: Callable[[], bool],
        after_outage: Callable[[], Awaitable[None]],
    ) -> None:
        self._client = client
        self._shard_id = shard_id
        self._listening = listening
        self._outages = outages
        self._work = work
        self._liveness = liveness
        self._connection = connection
        self._complete = complete
        self._now = now
        self._is_hour_sure = is_time_sure
        self._after_outage = after_outage
        self._one_at_a_time = asyncio.Lock()
        self._last_received = now()
        self._missed_events = False
        self._renews_at: datetime | None = None
        self._liveness.expect(self._name, next_within=_MAX_SILENCE)

    @property
    def _name(self) -> str:
        return shard_name(self._shard_id)

    async def begin(self) -> None:
        """Begin a new session. Clocks have been stopped since the last recorded time."""
        count = self._client.shard_count or 1
        before = await self._listening.received_until(self._shard_id, count)
        if before is not None:
            await self.record_outage(before)

    async def received_until(self) -> datetime | None:
        """Return the time up to which all events were handled, or None if unknown.

        A silent shard reconnects. While Discord's time is uncertain, no deadline passes. If this
        lasts, the shard reconnects too, because the handshake is a second time source.
        """
        async with self._one_at_a_time:
            received_until = await self._probe_and_record()
            if self._is_hour_sure():
                self._renews_at = None
                return received_until
            now = self._now()
            if self._renews_at is None:
                self._renews_at = now + _DOUBT_TIMEOUT
            elif now >= self._renews_at:
                self._renews_at = now + _DOUBT_INTERVAL
                await self._connection.renew()
            return None

    async def _probe_and_record(self) -> datetime | None:
        began = await self._ask()
        if began is None or not self._complete():
            return None
        with self._work.track():
            if self._missed_events:
                await self.record_outage(self._last_received, began)
            count = self._client.shard_count or 1
            await self._listening.set_received_until(self._shard_id, count, began)
        self._last_received, self._missed_events = began, False
        metrics.GATEWAY_HEARD_SECONDS.labels(self._shard_id).set(began.timestamp())
        return began

    async def _ask(self) -> datetime | None:
        """Return the time of a query that an event answered, or None."""
        shard = self._client.get_shard(self._shard_id)
        if shard is None or shard.is_closed():
            self._missed_events = True  # discord.py is already reconnecting
            return None
        began = self._now()
        answer = await self._connection.ask()
        if answer is ProbeState.SILENCE:
            self._missed_events = True
            metrics.GATEWAY_SILENCES.labels(self._shard_id).inc()
            await self._connection.reconnect()
            return None
        self._liveness.record(self._name, next_within=_MAX_SILENCE)
        if answer is ProbeState.AWAY:
            self._missed_events = True  # nobody can play there, so no deadline passes
            return None
        return began

    async def record_outage(self, begins: datetime, until: datetime | None = None) -> None:
        """Record an outage from one time until another, or until now."""
        ends = until or self._now()
        if ends > begins:
            count = self._client.shard_count or 1
            await self._outages.add(self._shard_id, count, Interval(begins=begins, ends=ends))
        if ends - begins >= _LONG_OUTAGE:
            await self._after_outage()
