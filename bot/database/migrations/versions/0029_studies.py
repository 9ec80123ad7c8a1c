"""Store people's own boards.

Revises: 0028
Date: 2026-11-28
"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "studies",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("player_id", sa.BigInteger, nullable=False),
        sa.Column("game_id", _ROW_ID),
        sa.Column("start", sa.String(24)),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("turned", sa.Boolean, nullable=False),
        sa.Column("kept", sa.Boolean, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_studies_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_studies"),
    )
    op.create_index("ux_studies_game", "studies", ["player_id", "game_id"], unique=True)
    op.create_index("ix_studies_start", "studies", ["player_id", "start", "changed_at"])
    op.create_index("ix_studies_kept", "studies", ["player_id", "kept", "changed_at"])
    op.create_index("ix_studies_of_game", "studies", ["game_id"])
    op.create_index("ix_studies_changed", "studies", ["changed_at"])
