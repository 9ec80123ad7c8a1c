"""Add games in places where the bot is not a member, but people have added it to their accounts.

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
    """Add the column. No existing game is of this kind."""
    op.add_column("games", sa.Column("visiting", sa.Boolean()))
