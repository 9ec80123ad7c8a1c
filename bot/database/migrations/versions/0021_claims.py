"""A rated game without a clock that lies can be claimed as won, where it began so.

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
    """Add the column: the terms of a game that runs stay as they are."""
    op.add_column("games", sa.Column("claimable", sa.Boolean()))
