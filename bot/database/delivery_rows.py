"""The table of deliveries, its row types, and tables that are no longer used."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NewType

import sqlalchemy as sa

from bot.base.ids import ChannelId, GameId, GuildId, MessageId, Revision, UserId
from bot.database.schema import Instant, RetentionRule, RowId, metadata, partial_index

DeliveryKind = NewType("DeliveryKind", str)
"""Name of a kind of delivery. `bot.play.delivery` or a feature sends it."""
THREAD: Final = DeliveryKind("thread")
BOARD: Final = DeliveryKind("board")
NOTE: Final = DeliveryKind("note")
"""Announcement of an event that leaves the board unchanged."""
NEWS: Final = (BOARD, NOTE)
"""Kinds of deliveries that announce a game's events."""


class DeliveryRoute(StrEnum):
    """Routes of a delivery."""

    CHANNEL = "channel"
    DM = "dm"
    INSTEAD = "instead"
    """The channel, because the direct message could not be delivered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDelivery:
    """A delivery that is not queued yet."""

    kind: DeliveryKind
    key: str = ""
    """Key that is unique within the kind. An event's announcement uses the event's key."""
    guild: GuildId
    """The server whose shard sends it."""
    channel: ChannelId
    """Target channel, unless it is a direct message. For a thread, the parent channel."""
    game: GameId | None = None
    revision: Revision | None = None
    player: UserId | None = None
    route: DeliveryRoute = DeliveryRoute.CHANNEL
    message: MessageId | None = None
    """The message that a thread starts from. The thread has the same id."""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery(NewDelivery):
    """A queued delivery."""

    id: int
    batch: int | None = None
    """Our number for the message that contains it, or None before the first attempt."""
    tries: int
    tried_at: datetime
    """Lower bound for the time at which its message was sent."""

    @property
    def event_key(self) -> tuple[GameId, Revision]:
        """Game and revision of the announced event."""
        assert self.game is not None  # noqa: S101 - used only for deliveries of events
        assert self.revision is not None  # noqa: S101
        return self.game, self.revision


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A sent message of a game."""

    kind: DeliveryKind
    revision: Revision
    channel: ChannelId
    message: MessageId

    @property
    def location(self) -> tuple[ChannelId, MessageId]:
        """The channel and the message."""
        return self.channel, self.message


_UNSENT = sa.text("sent_at IS NULL AND dropped_at IS NULL")

# Messages that must reach Discord exactly once. Each sender declares the kinds that it sends.
deliveries = sa.Table(
    "deliveries",
    metadata,
    sa.Column("id", RowId, primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("key", sa.String(80), nullable=False),  # unique within its kind
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),  # for a thread, the parent channel
    sa.Column("game_id", RowId, sa.ForeignKey("games.id")),
    sa.Column("revision", sa.Integer),  # of the announced event
    sa.Column("player_id", sa.BigInteger),  # recipient
    sa.Column("way", sa.String(7), nullable=False),
    # the sent message, or for a thread the one that it starts from
    sa.Column("message_id", sa.BigInteger),
    sa.Column("data", sa.JSON, nullable=False),  # specific to the kind
    sa.Column("silent", sa.Boolean, nullable=False),  # unused; a later release drops it
    sa.Column("batch", sa.BigInteger),  # our number of the message that announces it
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("due_at", Instant, nullable=False),  # until then, it waits or is being sent
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("tried_at", Instant, nullable=False),
    sa.Column("sent_at", Instant),
    sa.Column("dropped_at", Instant),
    sa.CheckConstraint("way IN ('channel', 'dm', 'instead')", "way"),
    # The kind is not the first column, because SQLite would then read all rows of a kind.
    sa.UniqueConstraint("key", "kind"),
    sa.Index("ix_deliveries_game", "game_id", "kind", "revision"),
    partial_index("ix_deliveries_unsent", "due_at", condition=_UNSENT),
    info=RetentionRule().info,
)
