"""Who has to wait: channels whose past is being read, and whose turn it is to be read."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Self
from weakref import WeakValueDictionary

from bot.model.ids import ChannelId, GuildId

_AT_ONCE = 16
"""How many pages are read, and messages played, at the same time."""
_OF_A_SERVER = 4
"""How many of them may be one server's."""


class Holds:
    """Channels in which nothing is heard for the moment. Several may hold one: the last lets go."""

    def __init__(self) -> None:
        self._held: Counter[ChannelId] = Counter()
        self._free: dict[ChannelId, asyncio.Event] = {}

    def hold(self, channels: Iterable[ChannelId]) -> "Hold":
        """Hold channels back from now on."""
        hold = Hold(self, set(channels))
        for channel in hold.channels:
            self._held[channel] += 1
            self._free.setdefault(channel, asyncio.Event())
        return hold

    async def passed(self, channel: ChannelId) -> None:
        """Wait until a channel is not held back."""
        while (free := self._free.get(channel)) is not None:
            await free.wait()

    def let_go(self, channel: ChannelId) -> None:
        """One less holds a channel."""
        self._held[channel] -= 1
        if not self._held[channel]:
            del self._held[channel]
            self._free.pop(channel).set()


class Hold:
    """What one holds back; as a context manager it lets go of what is left at the end."""

    def __init__(self, holds: Holds, channels: set[ChannelId]) -> None:
        self._holds = holds
        self.channels = channels

    def let_go(self, channel: ChannelId) -> None:
        """Let go of a channel; once is enough."""
        if channel in self.channels:
            self.channels.remove(channel)
            self._holds.let_go(channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for channel in list(self.channels):
            self.let_go(channel)


class Turns:
    """Lets servers read in turn, page by page and message by message, whoever came first."""

    def __init__(self) -> None:
        self._all = asyncio.Semaphore(_AT_ONCE)
        self._of: WeakValueDictionary[GuildId, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def of(self, guild: GuildId) -> AsyncIterator[None]:
        """A server's turn, until the block ends. What is live goes on in between."""
        own = self._of.setdefault(guild, asyncio.Semaphore(_OF_A_SERVER))
        async with own, self._all:
            await asyncio.sleep(0)
            yield
