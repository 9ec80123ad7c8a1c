"""Let players claim a rated game without a clock, if their opponent has stopped playing.

This applies only to games that start with this rule.

Revises: 0020
Date: 2026-11-27
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. The terms of running games stay as they are."""
    op.add_column("games", sa.Column("claimable", sa.Boolean()))
