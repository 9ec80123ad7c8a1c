"""The table of deliveries and its rows as values, and tables that no code uses now."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NewType

import sqlalchemy as sa

from bot.base.ids import ChannelId, GameId, GuildId, MessageId, Revision, UserId
from bot.database.schema import Instant, RetentionRule, RowId, metadata

DeliveryKind = NewType("DeliveryKind", str)
"""Name of a kind of delivery, which `bot.play.delivery` or a feature sends."""
THREAD: Final = DeliveryKind("thread")
BOARD: Final = DeliveryKind("board")
NOTE: Final = DeliveryKind("note")
"""News of a game whose board does not change."""
NEWS: Final = (BOARD, NOTE)
"""Kinds of deliveries that announce the events of a game."""


class DeliveryRoute(StrEnum):
    """The routes of a delivery."""

    CHANNEL = "channel"
    DM = "dm"
    INSTEAD = "instead"
    """The channel, because the direct message did not arrive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDelivery:
    """A delivery before it is queued."""

    kind: DeliveryKind
    key: str = ""
    """Unique key within the kind. News of an event has the event's key."""
    guild: GuildId
    """Server whose shard sends it."""
    channel: ChannelId
    """Target channel, unless it is a direct message. For a thread, its parent channel."""
    game: GameId | None = None
    revision: Revision | None = None
    player: UserId | None = None
    route: DeliveryRoute = DeliveryRoute.CHANNEL
    message: MessageId | None = None
    """The message that a thread starts from. A thread has the id of its message."""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery(NewDelivery):
    """A queued delivery."""

    id: int
    batch: int | None = None
    """Our number of the message that announces it, or None before the first attempt."""
    tries: int
    tried_at: datetime
    """Lower bound for the time of the sent message."""

    @property
    def event_key(self) -> tuple[GameId, Revision]:
        """Game and revision of the event that it announces."""
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

# Messages that must reach Discord exactly once. Each sender names the kinds that it sends.
deliveries = sa.Table(
    "deliveries",
    metadata,
    sa.Column("id", RowId, primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("key", sa.String(80), nullable=False),  # unique within its kind
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),  # a thread's row names its parent
    sa.Column("game_id", RowId, sa.ForeignKey("games.id")),
    sa.Column("revision", sa.Integer),  # of the event that it announces
    sa.Column("player_id", sa.BigInteger),  # recipient
    sa.Column("way", sa.String(7), nullable=False),
    # The message sent; for a thread, the one it starts from
    sa.Column("message_id", sa.BigInteger),
    sa.Column("data", sa.JSON, nullable=False),  # the kind's own
    sa.Column("silent", sa.Boolean, nullable=False),  # unused; a later release drops it
    sa.Column("batch", sa.BigInteger),  # our number of the message that announces it
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("due_at", Instant, nullable=False),  # until then it waits, or its sender has it
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("tried_at", Instant, nullable=False),
    sa.Column("sent_at", Instant),
    sa.Column("dropped_at", Instant),
    sa.CheckConstraint("way IN ('channel', 'dm', 'instead')", "way"),
    # The kind is not first: SQLite would consider it selective, and read all rows of a kind.
    sa.UniqueConstraint("key", "kind"),
    sa.Index("ix_deliveries_game", "game_id", "kind", "revision"),
    sa.Index("ix_deliveries_unsent", "due_at", sqlite_where=_UNSENT, postgresql_where=_UNSENT),
    info=RetentionRule().info,
)

_WAITING = sa.text("state = 'waiting'")

# Questions to the machine on another host. SAQ's tables hold them now.
machine_jobs = sa.Table(
    "machine_jobs",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("asker", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.String(7), nullable=False),
    sa.Column("urgency", sa.Integer, nullable=False),
    sa.Column("asked_at", Instant, nullable=False),
    sa.Column("version", sa.String(40), nullable=False),
    sa.Column("question", sa.JSON, nullable=False),
    sa.Column("state", sa.String(7), nullable=False),
    sa.Column("answer", sa.JSON(none_as_null=True)),
    sa.Column("wanted_until", Instant, nullable=False),
    sa.Column("due_at", Instant, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.CheckConstraint("kind IN ('choose', 'judge', 'analyse', 'review', 'puzzles')", "kind"),
    sa.CheckConstraint("state IN ('waiting', 'done', 'failed')", "state"),
    sa.CheckConstraint("(answer IS NULL) = (state <> 'done')", "done"),
    sa.Index("ix_machine_jobs_asker", "asker"),
    sa.Index("ix_machine_jobs_wanted", "wanted_until"),
    sa.Index(
        "ix_machine_jobs_waiting",
        "urgency",
        "asked_at",
        sqlite_where=_WAITING,
        postgresql_where=_WAITING,
    ),
)

# A monthly ladder and play-off of a server. No longer used.
seasons = sa.Table(
    "seasons",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("zone", sa.String(40), nullable=False),
    sa.Column("level", sa.Integer),
    sa.Column("due_at", Instant, nullable=False),
    sa.Index("ix_seasons_due", "due_at"),
)
