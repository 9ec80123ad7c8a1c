"""Record deletions of people's data, so that no backup brings the data back.

Revises: 0012
Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "deletions",
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_deletions"),
    )
