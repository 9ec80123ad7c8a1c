"""Asks Discord whether a shard hears, and writes it down."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import discord
import structlog

from bot.base import metrics
from bot.base.intervals import Interval
from bot.connection.connection_check import Connection, Echo
from bot.connection.liveness import Liveness, shard_name
from bot.connection.store import ListeningTable, OutageTable
from bot.connection.unfinished_work import Work

_log = structlog.get_logger()

_LATEST = timedelta(minutes=2)
"""A shard that was not heard for so long does not come back by itself."""


class GatewayProbe:
    """Listens with one shard.

    A socket can live and its heart beat while Discord tells it nothing any more. So we ask for
    something that can only come as an event: ourselves, as a member of a server.

    Args:
        complete: Tells whether all that was typed and heard of has been played. As long as it has
            not, the shard may live, and yet nothing is written down of having heard everything.
    """

    def __init__(
        self,
        client: discord.AutoShardedClient,
        shard_id: int,
        listening: ListeningTable,
        outages: OutageTable,
        work: Work,
        liveness: Liveness,
        *,
        connection: Connection,
        complete: Callable[[], bool],
        now: Callable[[], datetime],
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
        self._one_at_a_time = asyncio.Lock()
        self._heard = now()
        self._was_deaf = False
        self._liveness.expect(self._name, next_within=_LATEST)

    @property
    def _name(self) -> str:
        return shard_name(self._shard_id)

    async def begin(self) -> None:
        """Begin a new session: nobody's time ran since something was heard last."""
        count = self._client.shard_count or 1
        before = await self._listening.heard_until(self._shard_id, count)
        if before is not None:
            await self.missed(before)

    async def surely(self) -> datetime | None:
        """Return the time until which everything was heard and played; None where that is unsure.

        A deaf one connects again.
        """
        async with self._one_at_a_time:
            return await self._listen()

    async def _listen(self) -> datetime | None:
        began = await self._ask()
        if began is None or not self._complete():
            return None
        with self._work.piece():
            if self._was_deaf:
                await self.missed(self._heard, began)
            count = self._client.shard_count or 1
            await self._listening.set_heard_until(self._shard_id, count, began)
        self._heard, self._was_deaf = began, False
        metrics.GATEWAY_HEARD_SECONDS.labels(self._shard_id).set(began.timestamp())
        return began

    async def _ask(self) -> datetime | None:
        """Return when Discord was asked for what has come since; None where the shard is deaf."""
        shard = self._client.get_shard(self._shard_id)
        if shard is None or shard.is_closed():
            self._was_deaf = True  # discord.py is connecting again
            return None
        began = self._now()
        answer = await self._connection.ask()
        if answer is Echo.SILENCE:
            self._was_deaf = True
            metrics.GATEWAY_SILENCES.labels(self._shard_id).inc()
            await self._connection.doubt()
            return None
        self._liveness.hear(self._name, next_within=_LATEST)
        metrics.GATEWAY_LATENCY_SECONDS.labels(self._shard_id).set(shard.latency)
        if answer is Echo.AWAY:
            self._was_deaf = True  # nobody can play there: nobody's time is up
            return None
        return began

    async def missed(self, begins: datetime, until: datetime | None = None) -> None:
        """Note that nothing was heard from a moment until another, or now."""
        ends = until or self._now()
        if ends > begins:
            count = self._client.shard_count or 1
            await self._outages.add(self._shard_id, count, Interval(begins=begins, ends=ends))
