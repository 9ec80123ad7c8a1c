"""Add indexes for finding the level of the machine that a player chose last.

Revises: 0023
Date: 2026-11-28
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_CHOSEN = sa.text("level IS NOT NULL AND continues_id IS NULL AND tournament_id IS NULL")


def upgrade() -> None:
    """Add an index for each seat."""
    for seat in ("white", "black"):
        op.create_index(
            f"ix_games_level_{seat}",
            "games",
            [f"{seat}_id", "id"],
            sqlite_where=_CHOSEN,
            postgresql_where=_CHOSEN,
        )
