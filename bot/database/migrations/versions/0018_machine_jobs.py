"""Add stored questions to a machine on another host.

Revises: 0017
Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger()
_WAITING = sa.text("state = 'waiting'")


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "machine_jobs",
        sa.Column("id", _BIG, autoincrement=False, nullable=False),
        sa.Column("asker", _BIG, nullable=False),
        sa.Column("kind", sa.String(7), nullable=False),
        sa.Column("urgency", sa.Integer(), nullable=False),
        sa.Column("asked_at", _BIG, nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("question", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(7), nullable=False),
        sa.Column("answer", sa.JSON()),
        sa.Column("wanted_until", _BIG, nullable=False),
        sa.Column("due_at", _BIG, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('choose', 'judge', 'analyse', 'review', 'puzzles')", "ck_machine_jobs_kind"
        ),
        sa.CheckConstraint("state IN ('waiting', 'done', 'failed')", "ck_machine_jobs_state"),
        sa.CheckConstraint("(answer IS NULL) = (state <> 'done')", "ck_machine_jobs_done"),
        sa.PrimaryKeyConstraint("id", name="pk_machine_jobs"),
    )
    op.create_index("ix_machine_jobs_asker", "machine_jobs", ["asker"])
    op.create_index("ix_machine_jobs_wanted", "machine_jobs", ["wanted_until"])
    op.create_index(
        "ix_machine_jobs_waiting",
        "machine_jobs",
        ["urgency", "asked_at"],
        sqlite_where=_WAITING,
        postgresql_where=_WAITING,
    )
