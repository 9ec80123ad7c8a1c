"""Add people's progress with the lessons.

Revises: 0006
Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "lessons",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("step", sa.String(20), nullable=False),
        sa.Column("solved_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "step", name="pk_lessons"),
    )
