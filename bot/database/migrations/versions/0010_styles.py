"""Add the language and the look of boards as choices of people, servers and channels.

Revises: 0009
Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger()


def upgrade() -> None:
    """Add the choices, and the table of channels' own choices."""
    op.add_column("players", sa.Column("language", sa.String(12)))
    op.add_column("players", sa.Column("theme", sa.String(20)))
    op.add_column("players", sa.Column("coordinates", sa.String(8)))
    op.add_column("players", sa.Column("side", sa.Boolean()))
    op.add_column("players", sa.Column("preview", sa.Boolean()))
    op.add_column("guild_settings", sa.Column("language", sa.String(12)))
    op.add_column("guild_settings", sa.Column("theme", sa.String(20)))
    op.create_table(
        "channel_settings",
        sa.Column("guild_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("channel_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("language", sa.String(12)),
        sa.Column("theme", sa.String(20)),
        sa.Column("coordinates", sa.String(8)),
        sa.PrimaryKeyConstraint("guild_id", "channel_id", name="pk_channel_settings"),
    )
