"""A server's games are found by the seed of their board.

Revises: 0024
Date: 2026-11-28
"""

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add an index."""
    op.create_index("ix_games_seed", "games", ["guild_id", "seed"])
