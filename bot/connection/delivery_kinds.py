"""Kinds of deliveries: classes that turn a row of the table into a message on Discord."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, ClassVar

import discord

from bot.base.ids import MessageId, Shards
from bot.connection.channel_requests import Channels, past, send
from bot.connection.posts import Post
from bot.database.delivery_rows import Delivery, DeliveryKind, Way


def _nothing(_message: MessageId) -> None: ...


@dataclass(frozen=True, slots=True)
class Parcel:
    """A message that is ready to go out."""

    told: Sequence[Delivery]
    """Deliveries of which it tells; at least one."""
    send: Callable[[], Awaitable[MessageId]]
    afterwards: Callable[[MessageId], None] = _nothing
    """Call after it has been sent, on which nothing depends."""
    data: Mapping[str, Any] | None = None
    """Data that its deliveries have once it is sent, in place of theirs."""


class Kind(ABC):
    """The way in which deliveries of one kind are told."""

    name: ClassVar[DeliveryKind]
    in_order: ClassVar[bool] = False
    """A game's go out one after the other, oldest first, together with those of such other kinds.

    They are put with their event, and the process that has written it sends them at once.
    """
    after_past: ClassVar[bool] = False
    """True if they wait until all is played that was typed while the bot was away."""
    found_data: ClassVar[Mapping[str, Any] | None] = None
    """Data of deliveries whose message was found: what it tells was not noted. None: as it is."""
    waits: ClassVar[timedelta] = timedelta(seconds=5)
    """Time until another look at what was left out of a message."""

    def __init__(self, channels: Channels) -> None:
        self.channels = channels

    @abstractmethod
    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """Return the message that tells of rows, which are leased to us; None: of none, for now.

        What it leaves out waits, and what is needless is dropped here. Nothing is asked of Discord.
        """

    def is_it(self, message: discord.Message, row: Delivery) -> bool:  # noqa: ARG002
        return False

    async def find(self, row: Delivery) -> MessageId | None:
        """Return the message that an earlier try has sent, if it did.

        Raises:
            One of `TROUBLE`: if Discord does not say.
        """
        async for message in past(await self.channels.place(row), row.tried_at):
            if self.channels.is_own(message) and self.is_it(message, row):
                return MessageId(message.id)
        return None

    def queue(self, row: Delivery) -> tuple[str, int] | None:  # noqa: ARG002
        """Return the key of deliveries that go out one after the other, oldest first.

        What was not taken lets the next one go before it. None: it waits for nothing.
        """
        return None

    async def overtaken(self, rows: Sequence[Delivery]) -> Sequence[Delivery]:  # noqa: ARG002
        """Return the needless ones of a game's unsent deliveries of this kind."""
        return ()

    def together(self, row: Delivery) -> Hashable | None:
        """Return the key of deliveries that one message tells of; None: it is told alone."""
        return row.player if row.way is Way.DM else None

    async def along(self, row: Delivery, shards: Shards) -> list[Delivery]:  # noqa: ARG002
        """Return what may be told by the same message, before the first try."""
        return []

    async def delayed(self, row: Delivery) -> None:  # noqa: B027 - mostly nobody need know
        """Deal with a message that could not be sent this time, and waits."""

    async def refused(self, row: Delivery) -> None:  # noqa: B027 - mostly it just waits
        """Deal with a refusal by Discord, as where a place is no more."""

    def parcel(self, told: Sequence[Delivery], post: Post) -> Parcel:
        """Return an ordinary message, with the number of its rows as its nonce."""
        return Parcel(told, partial(self._send, told[0], post))

    async def _send(self, row: Delivery, post: Post) -> MessageId:
        return await send(await self.channels.place(row), post, str(row.batch))
