"""Let challengers choose that running out of time loses at once, even in unrated games.

Revises: 0032
Date: 2026-11-29
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("challenges", sa.Column("strict", sa.Boolean()))
