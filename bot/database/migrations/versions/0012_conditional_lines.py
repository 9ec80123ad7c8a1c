"""Plans become a tree of moves. A list of spaces is a special case.

A list stays in its columns, where older code finds it. Anything else is in the new column.

Revises: 0011
Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, and the index for finding one person's plans."""
    op.add_column("plans", sa.Column("tree", sa.JSON()))
    op.create_index("ix_plans_player", "plans", ["player_id"])
