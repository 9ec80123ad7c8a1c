"""Store the position from which a challenge's game will start.

Revises: 0025
Date: 2026-11-28
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty for all others."""
    op.add_column("challenges", sa.Column("position", sa.String(90)))
