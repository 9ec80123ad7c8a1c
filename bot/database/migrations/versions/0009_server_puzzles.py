"""Add puzzles from a server's games, if both players allow it.

Revises: 0008
Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger()
_ROW = _BIG.with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table, and the choice."""
    op.add_column("players", sa.Column("puzzles", sa.Boolean()))
    op.create_table(
        "server_puzzles",
        sa.Column("guild_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("puzzle_id", sa.String(8), nullable=False),
        sa.Column("game_id", _ROW, nullable=False),
        sa.Column("white_id", _BIG, nullable=False),
        sa.Column("black_id", _BIG, nullable=False),
        sa.Column("puzzle", sa.JSON(), nullable=False),
        sa.Column("made_at", _BIG, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_server_puzzles_game_id"),
        sa.PrimaryKeyConstraint("guild_id", "puzzle_id", name="pk_server_puzzles"),
    )
    op.create_index("ix_server_puzzles_white", "server_puzzles", ["white_id"])
    op.create_index("ix_server_puzzles_black", "server_puzzles", ["black_id"])
    op.create_index("ix_server_puzzles_made", "server_puzzles", ["guild_id", "made_at"])
