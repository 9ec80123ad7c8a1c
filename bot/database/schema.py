"""The table of what is to be sent to Discord, and tables that no code uses any more."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    UniqueConstraint,
    text,
)

from bot.database.columns import Instant, RowId, metadata

_UNSENT = text("sent_at IS NULL AND dropped_at IS NULL")

# What must reach Discord exactly once. Of what kinds it is, each sender of some says.
deliveries = Table(
    "deliveries",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("key", String(80), nullable=False),  # which of its kind: there is no second one
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),  # a thread's row names its parent
    Column("game_id", RowId, ForeignKey("games.id")),
    Column("revision", Integer),  # of the event that it tells of
    Column("player_id", BigInteger),  # who is told
    Column("way", String(7), nullable=False),
    Column("message_id", BigInteger),  # the message sent; for a thread, the one it starts from
    Column("data", JSON, nullable=False),  # the kind's own
    Column("silent", Boolean, nullable=False),  # read no more; goes in a later release
    Column("batch", BigInteger),  # the message that tells of it, by a number of ours
    Column("created_at", Instant, nullable=False),
    Column("due_at", Instant, nullable=False),  # until then it is leased to a process, or waits
    Column("tries", Integer, nullable=False),
    Column("tried_at", Instant, nullable=False),
    Column("sent_at", Instant),
    Column("dropped_at", Instant),
    CheckConstraint("way IN ('channel', 'dm', 'instead')", "way"),
    # Not the kind first: SQLite would take it for the one of few rows, and read all of a kind.
    UniqueConstraint("key", "kind"),
    Index("ix_deliveries_game", "game_id", "kind", "revision"),
    Index("ix_deliveries_unsent", "due_at", sqlite_where=_UNSENT, postgresql_where=_UNSENT),
)

_WAITING = text("state = 'waiting'")

# Questions to the machine on another host, which SAQ's tables hold now.
machine_jobs = Table(
    "machine_jobs",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("asker", BigInteger, nullable=False),
    Column("kind", String(7), nullable=False),
    Column("urgency", Integer, nullable=False),
    Column("asked_at", Instant, nullable=False),
    Column("version", String(40), nullable=False),
    Column("question", JSON, nullable=False),
    Column("state", String(7), nullable=False),
    Column("answer", JSON(none_as_null=True)),
    Column("wanted_until", Instant, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("tries", Integer, nullable=False),
    CheckConstraint("kind IN ('choose', 'judge', 'analyse', 'review', 'puzzles')", "kind"),
    CheckConstraint("state IN ('waiting', 'done', 'failed')", "state"),
    CheckConstraint("(answer IS NULL) = (state <> 'done')", "done"),
    Index("ix_machine_jobs_asker", "asker"),
    Index("ix_machine_jobs_wanted", "wanted_until"),
    Index(
        "ix_machine_jobs_waiting",
        "urgency",
        "asked_at",
        sqlite_where=_WAITING,
        postgresql_where=_WAITING,
    ),
)
