"""The rows of the tables, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NewType

from bot.base.ids import ChannelId, GameId, GuildId, MessageId, Revision, UserId

DeliveryKind = NewType("DeliveryKind", str)
"""A kind of delivery; `bot.play.delivery` and features send it."""
THREAD: Final = DeliveryKind("thread")
BOARD: Final = DeliveryKind("board")
AWAY: Final = DeliveryKind("away")
"""A board in the channel of the other team, where one channel plays another."""
NOTE: Final = DeliveryKind("note")
"""News of a game whose board stays as it is."""
NEWS: Final = (BOARD, NOTE)
"""Kind of deliveries that tell of the events of a game."""


class Way(StrEnum):
    """The ways in which a delivery goes out."""

    CHANNEL = "channel"
    DM = "dm"
    INSTEAD = "instead"
    """Way through the channel, because the direct message did not arrive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDelivery:
    """Something to send."""

    kind: DeliveryKind
    key: str = ""
    """Key among its kind: each is sent once. News of an event has the event's name."""
    guild: GuildId
    """Server whose shard sends it."""
    channel: ChannelId
    """Channel, unless it goes directly; a thread's is the channel in which it opens."""
    game: GameId | None = None
    revision: Revision | None = None
    player: UserId | None = None
    """Recipient."""
    way: Way = Way.CHANNEL
    message: MessageId | None = None
    """The message that a thread starts from: a thread has the number of its message."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """Further data of its kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery(NewDelivery):
    """A thing to send, as it was written down."""

    id: int
    batch: int | None = None
    """The number of the message that tells of it, once it has been tried to send one."""
    tries: int
    tried_at: datetime
    """Time when sending it was last begun."""

    @property
    def turn(self) -> tuple[GameId, Revision]:
        """Event of which it tells."""
        assert self.game is not None  # noqa: S101 - asked only of what was put with an event
        assert self.revision is not None  # noqa: S101
        return self.game, self.revision


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that was sent of a game."""

    kind: DeliveryKind
    revision: Revision
    channel: ChannelId
    message: MessageId

    @property
    def place(self) -> tuple[ChannelId, MessageId]:
        """The channel and the message."""
        return self.channel, self.message
