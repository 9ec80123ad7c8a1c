"""Store the boards of games that restrict help, to compare questions to the engine with them.

Revises: 0021
Date: 2026-11-27
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("games", sa.Column("board", sa.String(160)))
