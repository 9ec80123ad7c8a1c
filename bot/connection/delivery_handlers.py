"""Kinds of deliveries: each turns queued deliveries into a Discord message."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, ClassVar

import discord

from bot.base.ids import MessageId, Shards
from bot.connection.channel_requests import Channels, messages_since, send_post
from bot.connection.posts import Post
from bot.database.delivery_rows import Delivery, DeliveryKind, DeliveryRoute


def _nothing(_message: MessageId) -> None: ...


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message that is ready to go out."""

    deliveries: Sequence[Delivery]
    """Deliveries that the message announces, at least one."""
    send: Callable[[], Awaitable[MessageId]]
    after_send: Callable[[MessageId], None] = _nothing
    """Callback after sending. Nothing depends on it."""
    data: Mapping[str, Any] | None = None
    """New data of its deliveries once it is sent. None keeps theirs."""


class DeliveryHandler(ABC):
    """The handler of one kind of delivery."""

    name: ClassVar[DeliveryKind]
    in_order: ClassVar[bool] = False
    """True if a game's deliveries are sent one by one, oldest first, across all such kinds.

    They are queued with their event, and the process that wrote it sends them at once.
    """
    after_catch_up: ClassVar[bool] = False
    """True to hold these until the moves typed during an outage have been played."""
    found_data: ClassVar[Mapping[str, Any] | None] = None
    """Data of deliveries whose message was found after a lost answer. None: their data stays."""
    recheck_after: ClassVar[timedelta] = timedelta(seconds=5)
    """Time until a retry of deliveries that a message left out."""

    def __init__(self, channels: Channels) -> None:
        self.channels = channels

    @abstractmethod
    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the message for some deliveries, or None if there is nothing to send yet.

        Deliveries that it leaves out wait. Superseded ones are dropped. Makes no request to
        Discord.
        """

    def matches(self, message: discord.Message, row: Delivery) -> bool:  # noqa: ARG002
        return False

    async def find(self, row: Delivery) -> MessageId | None:
        """Return the message that an earlier attempt sent, or None.

        Raises:
            One of `DISCORD_ERRORS`: if Discord does not say.
        """
        async for message in messages_since(await self.channels.destination(row), row.tried_at):
            if self.channels.is_own(message) and self.matches(message, row):
                return MessageId(message.id)
        return None

    def queue(self, row: Delivery) -> tuple[str, int] | None:  # noqa: ARG002
        """Return the key of deliveries that are sent one by one, oldest first, or None.

        A delivery that could not be sent does not hold up the next one.
        """
        return None

    async def superseded(self, rows: Sequence[Delivery]) -> Sequence[Delivery]:  # noqa: ARG002
        """Return the superseded ones among a game's unsent deliveries of this kind."""
        return ()

    def group_key(self, row: Delivery) -> Hashable | None:
        """Return the key of deliveries that share one message, or None to send this one alone."""
        return row.player if row.route is DeliveryRoute.DM else None

    async def batch_with(self, row: Delivery, shards: Shards) -> list[Delivery]:  # noqa: ARG002
        """Return deliveries that may join the same message, before the first attempt."""
        return []

    async def delayed(self, row: Delivery) -> None:  # noqa: B027 - mostly nobody need know
        """React to a message that could not be sent and will be retried."""

    async def on_found(self, row: Delivery) -> None:  # noqa: B027 - mostly nothing depends on it
        """React to a message that an earlier attempt sent and that counted as unsent until now."""

    async def on_refused(self, row: Delivery) -> None:  # noqa: B027 - mostly it just waits
        """React to a refusal by Discord, such as for a deleted channel."""

    def outgoing_message(self, told: Sequence[Delivery], post: Post) -> OutgoingMessage:
        """Return an ordinary message. The batch number of its rows is the nonce."""
        return OutgoingMessage(told, partial(self._send, told[0], post))

    async def _send(self, row: Delivery, post: Post) -> MessageId:
        return await send_post(await self.channels.destination(row), post, str(row.batch))
