"""Let moderators stop the clocks of a server for a limited time.

Revises: 0035
Date: 2026-11-29
"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "clock_stops",
        sa.Column("id", number, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("begins_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_clock_stops"),
    )
    op.create_index("ix_clock_stops_guild", "clock_stops", ["guild_id", "ends_at"])
