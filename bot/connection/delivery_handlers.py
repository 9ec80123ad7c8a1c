"""Base class of delivery handlers, which turn queued deliveries into Discord messages."""

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


def _do_nothing(_message: MessageId) -> None: ...


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message that is ready to be sent."""

    deliveries: Sequence[Delivery]
    """Deliveries that the message announces (at least one)."""
    send: Callable[[], Awaitable[MessageId]]
    after_send: Callable[[MessageId], None] = _do_nothing
    """Callback after sending. Sending does not depend on its success."""
    data: Mapping[str, Any] | None = None
    """New data for the deliveries after sending, or None to leave their data unchanged."""


class DeliveryHandler(ABC):
    """Handles one kind of delivery."""

    name: ClassVar[DeliveryKind]
    in_order: ClassVar[bool] = False
    """True if a game's deliveries of all such kinds are sent one at a time, oldest first.

    They are queued with their event. The process that wrote the event sends them immediately.
    """
    after_catch_up: ClassVar[bool] = False
    """True to hold these deliveries back until moves typed during an outage have been played."""
    found_data: ClassVar[Mapping[str, Any] | None] = None
    """New data for a delivery whose message was found after a lost response.

    None leaves it unchanged.
    """
    recheck_after: ClassVar[timedelta] = timedelta(seconds=5)
    """Delay before retrying deliveries that a message left out."""

    def __init__(self, channels: Channels) -> None:
        self.channels = channels

    @abstractmethod
    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the message for some deliveries, or None if there is nothing to send yet.

        Deliveries that it leaves out stay queued. Superseded ones are dropped. This makes no
        requests.
        """

    def matches(self, message: discord.Message, row: Delivery) -> bool:  # noqa: ARG002
        return False

    async def find(self, row: Delivery) -> MessageId | None:
        """Return the message that an earlier attempt sent, or None.

        Raises:
            One of `DISCORD_ERRORS`: if the search fails.
        """
        async for message in messages_since(await self.channels.destination(row), row.tried_at):
            if self.channels.is_own(message) and self.matches(message, row):
                return MessageId(message.id)
        return None

    def queue(self, row: Delivery) -> tuple[str, int] | None:  # noqa: ARG002
        """Return a queue key, or None.

        Deliveries with the same key are sent in order, one at a time.

        A failed delivery does not hold up the next one.
        """
        return None

    async def superseded(self, rows: Sequence[Delivery]) -> Sequence[Delivery]:  # noqa: ARG002
        """Return the superseded deliveries among a game's unsent ones of this kind."""
        return ()

    def group_key(self, row: Delivery) -> Hashable | None:
        """Return the key of deliveries that share one message, or None to send this one alone."""
        return row.player if row.route is DeliveryRoute.DM else None

    async def batch_with(self, row: Delivery, shards: Shards) -> list[Delivery]:  # noqa: ARG002
        """Return the deliveries that may share one message, before the first attempt."""
        return []

    async def delayed(self, row: Delivery) -> None:  # noqa: B027 - most kinds need no reaction
        """React to a message that failed and will be retried."""

    async def on_found(self, row: Delivery) -> None:  # noqa: B027 - most kinds need no reaction
        """React to a message that counted as unsent, although an earlier attempt had sent it."""

    async def on_refused(self, row: Delivery) -> None:  # noqa: B027 - most kinds need no reaction
        """React to a message that Discord refused, for example in a deleted channel."""

    def outgoing_message(self, rows: Sequence[Delivery], post: Post) -> OutgoingMessage:
        """Return an ordinary message. Its nonce is the batch number of its rows."""
        return OutgoingMessage(rows, partial(self._send, rows[0], post))

    async def _send(self, row: Delivery, post: Post) -> MessageId:
        return await send_post(await self.channels.destination(row), post, str(row.batch))
