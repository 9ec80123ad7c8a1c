"""Store puzzles that were given, so that an unanswered one is given again.

Revises: 0030
Date: 2026-11-29
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "given_puzzles",
        sa.Column("player_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("puzzle", sa.String(24), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_given_puzzles"),
    )
    op.create_index("ix_given_puzzles_at", "given_puzzles", ["at"])
