"""Add the defaults of games per server.

Revises: 0001
Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. Null means the bot's default."""
    op.add_column("guild_settings", sa.Column("start", sa.String(9)))
    op.add_column("guild_settings", sa.Column("clock", sa.String(60)))
    op.add_column("guild_settings", sa.Column("coordinates", sa.String(8)))
    op.add_column("guild_settings", sa.Column("place", sa.String(6)))
