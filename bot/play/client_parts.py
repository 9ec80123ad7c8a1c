"""The context that features' recurring work of a shard is given."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot.base.ids import ChannelId, Shards, UserId
from bot.play.doors.services import Services
from bot.play.use_cases.update import Update


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurring:
    """Something that is looked for again and again, and done for each thing that is due."""

    name: str
    every: timedelta
    due: Callable[[Shards], Awaitable[Iterable[Any]]]
    do: Callable[[Any], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardContext:
    """The services that recurring work of a shard uses."""

    services: Services
    heard: Callable[[], Awaitable[datetime | None]]
    """Tells until when everything was surely heard; asked once a look."""
    look: Callable[[], None]
    """Begins a new look."""
    machine: UserId | None
    """The machine's own number, where it plays."""
    later: Callable[[], datetime]
    """Tells when to look again at what waits."""


class ClientPart:
    """A part that works beside a client. Every method does nothing unless overridden."""

    def hear(self, update: Update) -> None:
        """Hear of a change of a game before it is told."""

    async def resume(self, shards: Shards) -> None:
        """Go on with what waits in some shards, once their past is played."""

    async def run(self, shards: Shards) -> None:
        """Do the work for some shards, for ever."""

    def look_later(self, channel: ChannelId) -> None:
        """Look at a channel's game after a while, as another process may have fallen over."""

    async def close(self) -> None:
        """Stop."""
