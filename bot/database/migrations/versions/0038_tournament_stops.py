"""Let organizers stop the clocks of one tournament for a limited time.

Revises: 0037
Date: 2026-11-29
"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("clock_stops", sa.Column("tournament_id", sa.BigInteger()))
