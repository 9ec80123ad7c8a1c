"""Add indexes for finding finished games by their players.

Revises: 0003
Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_ENDED = sa.text("ended_at IS NOT NULL")


def upgrade() -> None:
    """Add an index for each seat."""
    for seat in ("white", "black"):
        op.create_index(
            f"ix_games_ended_{seat}",
            "games",
            ["guild_id", f"{seat}_id", "ended_at", "id"],
            sqlite_where=_ENDED,
            postgresql_where=_ENDED,
        )
