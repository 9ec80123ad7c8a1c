"""The table of deliveries and its rows as values, and tables that no code uses any more."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NewType

import sqlalchemy as sa

from bot.base.ids import ChannelId, GameId, GuildId, MessageId, Revision, UserId
from bot.database.schema import Instant, RowId, metadata

DeliveryKind = NewType("DeliveryKind", str)
"""A kind of delivery; `bot.play.delivery` and features send it."""
THREAD: Final = DeliveryKind("thread")
BOARD: Final = DeliveryKind("board")
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
    way: Way = Way.CHANNEL
    message: MessageId | None = None
    """The message that a thread starts from: a thread has the number of its message."""
    data: Mapping[str, Any] = field(default_factory=dict)


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


_UNSENT = sa.text("sent_at IS NULL AND dropped_at IS NULL")

# What must reach Discord exactly once. Of what kinds it is, each sender of some says.
deliveries = sa.Table(
    "deliveries",
    metadata,
    sa.Column("id", RowId, primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("key", sa.String(80), nullable=False),  # which of its kind: there is no second one
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),  # a thread's row names its parent
    sa.Column("game_id", RowId, sa.ForeignKey("games.id")),
    sa.Column("revision", sa.Integer),  # of the event that it tells of
    sa.Column("player_id", sa.BigInteger),  # who is told
    sa.Column("way", sa.String(7), nullable=False),
    # The message sent; for a thread, the one it starts from
    sa.Column("message_id", sa.BigInteger),
    sa.Column("data", sa.JSON, nullable=False),  # the kind's own
    sa.Column("silent", sa.Boolean, nullable=False),  # read no more; goes in a later release
    sa.Column("batch", sa.BigInteger),  # the message that tells of it, by a number of ours
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("due_at", Instant, nullable=False),  # until then it is leased to a process, or waits
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("tried_at", Instant, nullable=False),
    sa.Column("sent_at", Instant),
    sa.Column("dropped_at", Instant),
    sa.CheckConstraint("way IN ('channel', 'dm', 'instead')", "way"),
    # Not the kind first: SQLite would take it for the one of few rows, and read all of a kind.
    sa.UniqueConstraint("key", "kind"),
    sa.Index("ix_deliveries_game", "game_id", "kind", "revision"),
    sa.Index("ix_deliveries_unsent", "due_at", sqlite_where=_UNSENT, postgresql_where=_UNSENT),
)

_WAITING = sa.text("state = 'waiting'")

# Questions to the machine on another host, which SAQ's tables hold now.
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

# A ladder and a play-off each month, which servers could have before leagues.
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
