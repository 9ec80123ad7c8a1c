"""Add a daily message that lists all games that wait for a player.

Revises: 0033
Date: 2026-11-29
"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the time of the day, and when the next message is due."""
    op.add_column("players", sa.Column("digest_at", sa.Integer()))
    op.add_column("players", sa.Column("digest_due", sa.BigInteger()))
    op.create_index("ix_players_digest", "players", ["digest_due"])
