"""Moderators' blocks of people in a server, and the log of their acts.

Revises: 0038
Date: 2026-11-30
"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add two tables and a column."""
    op.create_table(
        "server_blocks",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("until_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "player_id", name="pk_server_blocks"),
    )
    op.create_index("ix_server_blocks_player", "server_blocks", ["player_id"])
    op.create_index("ix_server_blocks_until", "server_blocks", ["until_at"])
    op.create_table(
        "moderator_acts",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("by_id", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.BigInteger()),
        sa.Column("command", sa.String(32), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_moderator_acts"),
        sqlite_autoincrement=True,
    )
    for column in ("guild", "by", "player"):
        op.create_index(f"ix_moderator_acts_{column}", "moderator_acts", [f"{column}_id"])
    op.add_column("guild_settings", sa.Column("log_channel_id", sa.BigInteger()))
