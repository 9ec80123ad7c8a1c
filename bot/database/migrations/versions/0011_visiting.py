"""Games in places that the bot is not in, where people have brought it along.

Revises: 0010
Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; the games until now are none of those."""
    op.add_column("games", sa.Column("visiting", sa.Boolean()))
