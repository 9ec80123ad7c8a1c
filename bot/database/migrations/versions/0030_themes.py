"""Store the position from which a tournament's games start.

Revises: 0029
Date: 2026-11-28
"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty for all others."""
    op.add_column("tournaments", sa.Column("position", sa.String(90)))
