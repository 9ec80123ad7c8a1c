"""What the machine is asked where it thinks in processes of another host."""

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    Index,
    Integer,
    String,
    Table,
    literal_column,
    text,
)

from bot.database.columns import Instant, metadata, one_of
from bot.features.machine.model import JobKind, JobState

_WAITING = text("state = 'waiting'")

# A row a question; whoever asks takes it away with the answer, or when it is not wanted any more.
machine_jobs = Table(
    "machine_jobs",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),  # a number of chance
    Column("asker", BigInteger, nullable=False),  # the process, by a number of chance
    Column("kind", String(7), nullable=False),
    Column("urgency", Integer, nullable=False),  # the lowest number first
    Column("asked_at", Instant, nullable=False),
    Column("version", String(40), nullable=False),  # of who asks: only the same one answers
    Column("question", JSON, nullable=False),
    Column("state", String(7), nullable=False),
    Column("answer", JSON(none_as_null=True)),
    Column("wanted_until", Instant, nullable=False),  # unless whoever asks says that they live
    Column("due_at", Instant, nullable=False),  # until then it is leased to a worker
    Column("tries", Integer, nullable=False),
    CheckConstraint(one_of("kind", JobKind), "kind"),
    CheckConstraint(one_of("state", JobState), "state"),
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

IS_ASKED = machine_jobs.c.state == literal_column("'waiting'")
