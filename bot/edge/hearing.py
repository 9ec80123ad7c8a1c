"""Whether a shard hears: asked of Discord itself, and written down."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import discord
import structlog

from bot.clock import Interval
from bot.edge.work import Work
from bot.operations.life import Life
from bot.operations.metrics import (
    GATEWAY_HEARD_SECONDS,
    GATEWAY_LATENCY_SECONDS,
    GATEWAY_SILENCES,
)
from bot.store import Store

_log = structlog.get_logger()

_ANSWER_WITHIN = timedelta(seconds=10)
_LATEST = timedelta(minutes=2)
"""A shard that was not heard for so long does not come back by itself."""


class Hearing:
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
        store: Store,
        work: Work,
        life: Life,
        *,
        complete: Callable[[], bool],
        now: Callable[[], datetime],
    ) -> None:
        self._client = client
        self._shard_id = shard_id
        self._store = store
        self._work = work
        self._life = life
        self._complete = complete
        self._now = now
        self._one_at_a_time = asyncio.Lock()
        self._heard = now()
        self._was_deaf = False
        self._life.sign(self._name, next_within=_LATEST)

    @property
    def _name(self) -> str:
        return f"shard {self._shard_id}"

    async def begin(self) -> None:
        """At a new session: nobody's time ran since something was heard last."""
        count = self._client.shard_count or 1
        before = await self._store.listening.heard_until(self._shard_id, count)
        if before is not None:
            await self._missed(before, self._now())

    async def surely(self) -> datetime | None:
        """Until when everything was heard and played: until just now, or None where that is unsure.

        A deaf one begins a new session.
        """
        async with self._one_at_a_time:
            return await self._listen()

    async def missed(self, since: datetime) -> None:
        """Nothing was done from a moment until now, as when the whole machine slept."""
        await self._missed(since, self._now())

    async def _listen(self) -> datetime | None:
        began = await self._ask()
        if began is None or not self._complete():
            return None
        with self._work.piece():
            if self._was_deaf:
                await self._missed(self._heard, began)
            count = self._client.shard_count or 1
            await self._store.listening.set_heard_until(self._shard_id, count, began)
        self._heard, self._was_deaf = began, False
        GATEWAY_HEARD_SECONDS.labels(self._shard_id).set(began.timestamp())
        return began

    async def _ask(self) -> datetime | None:
        """When Discord was asked for what has come since; None where the shard is deaf."""
        shard = self._client.get_shard(self._shard_id)
        if shard is None or shard.is_closed():
            self._was_deaf = True  # discord.py is connecting again
            return None
        began = self._now()
        guild = next((one for one in self._client.guilds if one.shard_id == self._shard_id), None)
        try:
            if guild is not None and self._client.user is not None:
                async with asyncio.timeout(_ANSWER_WITHIN.total_seconds()):
                    await guild.query_members(user_ids=[self._client.user.id], cache=False)
        except TimeoutError:
            self._was_deaf = True
            _log.warning("Discord has gone silent: connecting again", shard=self._shard_id)
            GATEWAY_SILENCES.labels(self._shard_id).inc()
            await shard.reconnect()
            return None
        self._life.sign(self._name, next_within=_LATEST)
        GATEWAY_LATENCY_SECONDS.labels(self._shard_id).set(shard.latency)
        return began

    async def _missed(self, begins: datetime, ends: datetime) -> None:
        if ends > begins:
            outage = Interval(begins=begins, ends=ends)
            count = self._client.shard_count or 1
            await self._store.outages.add(self._shard_id, count, outage)
