"""In which order a channel is heard: what was written while the bot was away comes first."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta

import discord
import structlog

from bot.edge.desk import Desk
from bot.edge.trouble import TROUBLE
from bot.edge.typed import Typist
from bot.edge.work import end
from bot.errors import StoreError
from bot.ids import ChannelId, GuildId, SourceId
from bot.store.rows import RunningChannel, Shards

_log = structlog.get_logger()

_AT_ONCE = 8
"""How many channels' pasts are read at the same time."""
_PAUSES_S = (1, 2, 5, 10, 30, 60)
_TOLD_WITHIN = timedelta(seconds=10)
"""How long we wait for Discord to tell, after READY, of the servers where games are played."""
_UNSURE = timedelta(minutes=3)
"""A connection can be dead this long before discord.py notices."""


class Listener:
    """Holds back what is written in a channel until what was written there before is played."""

    def __init__(self, typist: Typist, desk: Desk) -> None:
        self._typist = typist
        self._desk = desk
        # Where the database could not be used for what was typed: it is read again from there.
        self._unwritten: dict[ChannelId, asyncio.Task[None]] = {}
        # Channels of which the past is being read. No entry: nothing to wait for.
        self._waiting: dict[ChannelId, asyncio.Event] = {}
        # Shards whose session is new, while it is not known which channels matter.
        self._looking: dict[int, asyncio.Event] = {}
        self._one_at_a_time = asyncio.Lock()

    async def hear(self, message: discord.Message) -> None:
        """Read a message in its turn."""
        while self._looking:
            await next(iter(self._looking.values())).wait()
        if (past := self._waiting.get(ChannelId(message.channel.id))) is not None:
            await past.wait()
        try:
            await self._typist.read(message)
        except StoreError as error:
            await self._play_later(message, error)

    @property
    def has_unwritten(self) -> bool:
        """Whether something that was typed waits for the database."""
        return bool(self._unwritten)

    async def _play_later(self, message: discord.Message, error: StoreError) -> None:
        """Read a channel again, from a message on, until the database can be used."""
        channel = ChannelId(message.channel.id)
        if channel in self._unwritten:
            return  # an earlier message waits, and this one is behind it

        async def read_again() -> None:
            try:
                before = SourceId(message.id - 1)
                await self._read_past(channel, before, asyncio.Semaphore(1))
            finally:
                del self._unwritten[channel]
                self._let_go(channel)

        self._hold_back([channel])
        self._unwritten[channel] = asyncio.create_task(read_again())
        if error.writing:  # it was a move, not just something that looks like one
            await self._typist.put_off(message)

    def _hold_back(self, channels: Iterable[ChannelId]) -> None:
        for channel in channels:
            self._waiting.setdefault(channel, asyncio.Event())

    def _let_go(self, channel: ChannelId) -> None:
        if channel in self._unwritten:
            return  # somebody else is not ready yet
        if (waiting := self._waiting.pop(channel, None)) is not None:
            waiting.set()

    async def close(self) -> None:
        """Stop reading again; what has not been played is found at the next start."""
        await end(self._unwritten.values())

    def expect(self, shard: int) -> None:
        """Hold back every message from now on, until `catch_up` knows which channels matter.

        It may be said again, and by a session that another one has kept from catching up.
        """
        self._looking.setdefault(shard, asyncio.Event())

    async def catch_up(self, shards: Shards) -> None:
        """Play what was written while these shards, whose session is new, were not connected."""
        async with self._one_at_a_time:
            try:
                channels = await self._desk.store.games.running_channels(shards)
                heard = await self._heard_until(shards)
                self._hold_back(one.channel for one in channels)
            finally:
                for shard in shards.ids:
                    if (looking := self._looking.pop(shard, None)) is not None:
                        looking.set()
            await self._read_all(channels, heard)

    async def read_again(self, guild: GuildId, shards: Shards) -> None:
        """Play what was written in a server's channels while the bot could not read them."""
        if not await self._desk.store.games.running_in_guild(guild):
            return
        async with self._one_at_a_time:
            channels = await self._desk.store.games.running_channels(shards)
            ours = [one for one in channels if one.guild == guild]
            self._hold_back(one.channel for one in ours)
            await self._read_all(ours)

    async def _read_all(self, channels: list[RunningChannel], heard: int = 0) -> None:
        """Read the pasts of channels that are held back, and let go of them.

        Those in which Discord knows of nothing new need not wait, and are read last: of ten
        thousand games a few had a move meanwhile, and Discord answers fifty questions a second.
        """
        here = self._desk.publisher.channels
        at_once = asyncio.Semaphore(_AT_ONCE)

        def after(one: RunningChannel) -> SourceId:
            return SourceId(max(one.last, heard))

        async def read(one: RunningChannel) -> None:
            await self._read_past(one.channel, after(one), at_once)
            self._let_go(one.channel)

        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(_TOLD_WITHIN.total_seconds()):
                    await here.told_of({one.guild for one in channels})
            loud, silent = [], []
            for one in channels:
                if here.is_silent(one.guild, one.channel, after(one)):
                    silent.append(one)
                    self._let_go(one.channel)
                else:
                    loud.append(one)
            await asyncio.gather(*map(read, loud))
        finally:  # also of those that a new session has kept from beginning
            for one in channels:
                self._let_go(one.channel)
        await asyncio.gather(*map(read, silent))

    async def _read_past(
        self, channel: ChannelId, after: SourceId, at_once: asyncio.Semaphore
    ) -> None:
        """Read a channel's past, as often as it takes."""
        waits = iter(_PAUSES_S)
        while True:
            try:
                async with at_once:
                    with self._desk.work.piece():
                        await self._typist.catch_up(channel, after)
            except (*TROUBLE, StoreError) as error:
                pause_s = next(waits, _PAUSES_S[-1])
                _log.warning(
                    "the past cannot be read yet",
                    channel=channel,
                    error=str(error),
                    again_after_s=pause_s,
                )
                await asyncio.sleep(pause_s)
            else:
                return

    async def _heard_until(self, shards: Shards) -> int:
        """The number that a message had when these shards last surely heard everything."""
        moments = [
            await self._desk.store.listening.heard_until(shard, shards.count)
            for shard in shards.ids
        ]
        known = [moment for moment in moments if moment is not None]
        if len(known) < len(moments) or not known:
            return 0
        return discord.utils.time_snowflake(min(known) - _UNSURE)
