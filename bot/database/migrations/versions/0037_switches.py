"""Add one column for all further switches of players.

Revises: 0036
Date: 2026-11-29
"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("players", sa.Column("switched", sa.JSON()))
