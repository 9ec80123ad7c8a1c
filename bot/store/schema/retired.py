"""Tables that no code uses any more.

They stay in the schema, and so in backups and in what is compared with a database: a bot of an
earlier commit may run beside this one. A later release drops them.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    Index,
    Integer,
    String,
    Table,
    text,
)

from bot.store.schema.columns import Instant, metadata

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
