"""Add a choice: a vacation that begins before a player would lose on time.

Revises: 0034
Date: 2026-11-29
"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("players", sa.Column("auto_vacation", sa.Boolean()))
