"""Reads channels in order, beginning with messages missed while the bot was away.

A channel's new messages are held back only while its missed ones are read. Servers take turns.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Self
from weakref import WeakValueDictionary

import discord
import structlog

from bot.base.errors import StoreError
from bot.base.ids import NO_GUILD, ChannelId, GuildId, RunningChannel, Shards, SourceId
from bot.client.missed_messages import CatchUp
from bot.connection.bounded_cache import BoundedCache, Edits
from bot.connection.request_errors import DISCORD_ERRORS
from bot.connection.tasks import end
from bot.play.handlers.interactions import Services
from bot.play.handlers.typed_messages import TypedMessageHandler

_log = structlog.get_logger()

_RETRY_PAUSES_S = (1, 2, 5, 10, 30, 60)
_ANNOUNCEMENT_TIMEOUT = timedelta(seconds=10)
"""Time after READY within which Discord announces the servers with running games."""
_POLL_S = 0.05
_DETECTION_TIME = timedelta(minutes=3)
"""Maximum time until discord.py notices that a connection is dead."""
_MAX_CONCURRENT = 16
"""Maximum number of pages and messages that are processed at the same time."""
_MAX_PER_SERVER = 4
"""Maximum number of pages and messages of one server that are processed at the same time."""


class ChannelHolds:
    """Channels whose messages are held back.

    If a channel has several holds, the last release counts.
    """

    def __init__(self) -> None:
        self._held: Counter[ChannelId] = Counter()
        self._free: dict[ChannelId, asyncio.Event] = {}

    def hold(self, channels: Iterable[ChannelId]) -> "Hold":
        hold = Hold(self, set(channels))
        for channel in hold.channels:
            self._held[channel] += 1
            self._free.setdefault(channel, asyncio.Event())
        return hold

    async def passed(self, channel: ChannelId) -> None:
        """Wait until a channel's messages are no longer held back."""
        while (free := self._free.get(channel)) is not None:
            await free.wait()

    def release(self, channel: ChannelId) -> None:
        self._held[channel] -= 1
        if not self._held[channel]:
            del self._held[channel]
            self._free.pop(channel).set()


class Hold:
    """A hold on channels. As a context manager, it releases all remaining channels on exit."""

    def __init__(self, holds: ChannelHolds, channels: set[ChannelId]) -> None:
        self._holds = holds
        self.channels = channels

    def release(self, channel: ChannelId) -> None:
        if channel in self.channels:
            self.channels.remove(channel)
            self._holds.release(channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for channel in list(self.channels):
            self.release(channel)


class GuildTurns:
    """Lets servers take turns, page by page and message by message."""

    def __init__(self) -> None:
        self._all = asyncio.Semaphore(_MAX_CONCURRENT)
        self._of: WeakValueDictionary[GuildId, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def slot_for(self, guild: GuildId) -> AsyncIterator[None]:
        """Wait for a server's turn and keep it during the block. Live events go in between."""
        slots = self._of.setdefault(guild, asyncio.Semaphore(_MAX_PER_SERVER))
        async with slots, self._all:
            await asyncio.sleep(0)
            yield


class Listener:
    """Holds back a channel's new messages until the missed ones are played."""

    def __init__(
        self, move_reader: TypedMessageHandler, catch_up: CatchUp, services: Services
    ) -> None:
        self._move_reader = move_reader
        self._catch_up = catch_up
        self._services = services
        self._edits = Edits()
        self._holds = ChannelHolds()
        self._turns = GuildTurns()
        # Tasks that reread channels with messages that could not be stored.
        self._unstored: dict[ChannelId, asyncio.Task[None]] = {}
        # Shards with a new session, while the channels to read are not yet known.
        self._undecided: dict[int, asyncio.Event] = {}
        self._reading: WeakValueDictionary[ChannelId, asyncio.Lock] = WeakValueDictionary()
        # The newest missed message that has been played.
        self._read_until: BoundedCache[ChannelId, SourceId] = BoundedCache()
        # Servers to read again once the current pass ends.
        self._rereading: dict[GuildId, bool] = {}

    async def on_message(self, message: discord.Message) -> None:
        await self._wait_for_turn(message)
        try:
            await self._move_reader.read(message)
        except StoreError as error:
            await self._play_later(message, error)

    async def on_edited(self, message: discord.Message) -> None:
        """Process a message again if its author edits it soon after."""
        if not self._edits.is_new(message):
            return
        await self._wait_for_turn(message)
        try:
            await self._move_reader.read(message, is_edited=True)
        except StoreError as error:
            await self._play_later(message, error)

    async def _wait_for_turn(self, message: discord.Message) -> None:
        shard = 0 if message.guild is None else message.guild.shard_id
        while (decided := self._undecided.get(shard)) is not None:
            await decided.wait()
        await self._holds.passed(ChannelId(message.channel.id))

    @property
    def has_unstored(self) -> bool:
        return bool(self._unstored)

    async def _play_later(self, message: discord.Message, error: StoreError) -> None:
        """Read a channel again from this message on, until the database works."""
        channel = ChannelId(message.channel.id)
        guild = NO_GUILD if message.guild is None else GuildId(message.guild.id)
        if channel in self._unstored:
            return  # an earlier message is already waiting, and will be followed by this one
        before = SourceId(message.id - 1)
        running_channel = RunningChannel(guild=guild, channel=channel, last=before)
        hold = self._holds.hold([channel])

        async def read_again() -> None:
            with hold:
                try:
                    await self._read_history(running_channel, before)
                finally:
                    del self._unstored[channel]

        self._unstored[channel] = asyncio.create_task(read_again())
        if error.writing:  # it was a move, not just text that looks like one
            await self._move_reader.announce_delay(message)

    async def close(self) -> None:
        await end(self._unstored.values())

    def expect(self, shard: int) -> None:
        """Hold back a shard's messages until `catch_up` knows which channels to read.

        It may be called again, even during a session that could not catch up.
        """
        self._undecided.setdefault(shard, asyncio.Event())

    async def catch_up(self, shards: Shards) -> None:
        """Play the messages that these shards missed while disconnected."""
        hold: Hold | None = None
        try:
            channels = await self._services.store.games.running_channels(shards)
            received_until = await self._received_until(shards)
            hold = self._holds.hold(channel.channel for channel in channels)
        finally:
            for shard in shards.ids:
                if (decided := self._undecided.pop(shard, None)) is not None:
                    decided.set()
        await self._read_all(channels, hold, received_until)

    async def read_again(self, guild: GuildId) -> None:
        """Play the messages in a server's channels that the bot could not read before.

        If it is called during a pass, one more pass follows, no matter how many calls there were.
        """
        if guild in self._rereading:
            self._rereading[guild] = True
            return
        self._rereading[guild] = True
        try:
            while self._rereading[guild]:
                self._rereading[guild] = False
                channels = await self._services.store.games.running_channels_in(guild)
                hold = self._holds.hold(channel.channel for channel in channels)
                await self._read_all(channels, hold)
        finally:
            del self._rereading[guild]

    async def _read_all(
        self, channels: list[RunningChannel], hold: Hold, received_until: int = 0
    ) -> None:
        """Process the missed messages of held channels, then release the channels.

        Channels without new messages, according to Discord, are released immediately and read last.
        Only a few of ten thousand games have a move in that time, and Discord allows only fifty
        requests a second.
        """
        channel_requests = self._services.publisher.channels
        silent: list[RunningChannel] = []

        def read_from(channel: RunningChannel) -> SourceId:
            return SourceId(
                max(channel.last, received_until, self._read_until.get(channel.channel) or 0)
            )

        async def read(channel: RunningChannel) -> None:
            await self._read_history(channel, read_from(channel))
            hold.release(channel.channel)

        with hold:  # releases channels that were not read because of a new session, too
            async with asyncio.TaskGroup() as reading:
                async for server in self._announced_channels(channels):
                    for channel in server:
                        if channel_requests.is_silent(
                            channel.guild, channel.channel, read_from(channel)
                        ):
                            silent.append(channel)
                            hold.release(channel.channel)
                        else:
                            reading.create_task(read(channel))
        await asyncio.gather(*map(read, silent))

    async def _announced_channels(
        self, channels: Iterable[RunningChannel]
    ) -> AsyncIterator[list[RunningChannel]]:
        """Yield channels by server, once Discord has announced it or a timeout has passed."""
        waiting: defaultdict[GuildId, list[RunningChannel]] = defaultdict(list)
        for channel in channels:
            waiting[channel.guild].append(channel)
        loop = asyncio.get_running_loop()
        until = loop.time() + _ANNOUNCEMENT_TIMEOUT.total_seconds()
        while waiting:
            is_late = loop.time() >= until
            for guild in list(waiting):
                if is_late or self._services.publisher.channels.is_announced(guild):
                    yield waiting.pop(guild)
            if waiting:
                await asyncio.sleep(_POLL_S)

    async def _read_history(self, running_channel: RunningChannel, after: SourceId) -> None:
        """Read a channel's missed messages, with retries."""
        pauses = iter(_RETRY_PAUSES_S)
        lock = self._reading.setdefault(running_channel.channel, asyncio.Lock())
        while True:
            try:
                async with lock:
                    turn = partial(self._channel_turn, running_channel.guild)
                    until = await self._catch_up.catch_up(running_channel.channel, after, turn)
            except Exception as error:
                pause_s = next(pauses, _RETRY_PAUSES_S[-1])
                _log.warning(
                    "catch-up failed, retrying",
                    channel=running_channel.channel,
                    error=str(error),
                    retry_s=pause_s,
                    exc_info=not isinstance(error, (*DISCORD_ERRORS, StoreError)),
                )
                await asyncio.sleep(pause_s)
            else:
                self._read_until.put(running_channel.channel, until)
                return

    @asynccontextmanager
    async def _channel_turn(self, guild: GuildId) -> AsyncIterator[None]:
        async with self._turns.slot_for(guild):
            with self._services.work.track():
                yield

    async def _received_until(self, shards: Shards) -> int:
        """Return the snowflake of the time when these shards had received all messages."""
        query = self._services.store.listening.received_until
        moments = [await query(shard, shards.count) for shard in shards.ids]
        times = [moment for moment in moments if moment is not None]
        if len(times) < len(moments) or not times:
            return 0
        return discord.utils.time_snowflake(min(times) - _DETECTION_TIME)
