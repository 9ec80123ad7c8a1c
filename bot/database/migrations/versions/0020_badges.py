"""Add badges.

Revises: 0019
Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger()
_ROW = _BIG.with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "badges",
        sa.Column("tournament_id", _ROW, nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("earned_at", _BIG, nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], "fk_badges_tournament_id"),
        sa.PrimaryKeyConstraint("tournament_id", "player_id", name="pk_badges"),
    )
    op.create_index("ix_badges_player", "badges", ["player_id"])
