"""What the tables hold, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NewType

from bot.model.events import EventRow
from bot.model.game import GameState
from bot.model.ids import ChannelId, GameId, GuildId, MessageId, Revision, SourceId, UserId
from bot.model.lists import Plan
from bot.model.pings import Ping


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningChannel:
    """Where a game is being played.

    Attributes:
        last: The source of the game's last event.
    """

    guild: GuildId
    channel: ChannelId
    last: SourceId


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is written in one transaction: events, and what follows from them."""

    events: tuple[EventRow, ...]
    """At least one, of one game, in order."""
    state: GameState
    seats: tuple[UserId, UserId] | None = None
    """White's and Black's player, where that is settled only now."""
    to_move: UserId | None
    plans: Mapping[UserId, Plan] | None
    """The plans that were thought to stand, or None where none can."""
    plans_after: Mapping[UserId, Plan]
    look_at: datetime | None
    """When the game is to be looked at again, where it has a clock."""
    ping: Ping | None = None
    """Who asks the other player for something, or agrees to it."""


DeliveryKind = NewType("DeliveryKind", str)
"""What a delivery is; a room that sends some says how (`bot.edge.delivery`)."""
THREAD: Final = DeliveryKind("thread")
BOARD: Final = DeliveryKind("board")


class Way(StrEnum):
    """How a delivery goes out."""

    CHANNEL = "channel"
    DM = "dm"
    INSTEAD = "instead"
    """In the channel, because the direct message did not arrive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDelivery:
    """Something to send."""

    kind: DeliveryKind
    key: str = ""
    """Which of its kind it is: each is sent once. What tells of an event is named by that."""
    guild: GuildId
    """Whose shard sends it."""
    channel: ChannelId
    """Where it goes, unless directly; a thread's is the channel in which it opens."""
    game: GameId | None = None
    revision: Revision | None = None
    player: UserId | None = None
    """Who is told."""
    way: Way = Way.CHANNEL
    message: MessageId | None = None
    """The message that a thread starts from: a thread has the number of its message."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """What else its kind has to know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery(NewDelivery):
    """One thing to send, as it was written down."""

    id: int
    silent: bool = False
    """The player to move wants no mention."""
    batch: int | None = None
    """The number of the message that tells of it, once it has been tried to send one."""
    tries: int
    tried_at: datetime
    """When sending it was last begun."""

    @property
    def turn(self) -> tuple[GameId, Revision]:
        """Of which event it tells."""
        assert self.game is not None  # noqa: S101 - asked only of what was put with an event
        assert self.revision is not None  # noqa: S101
        return self.game, self.revision
