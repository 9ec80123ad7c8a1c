"""Add spectators' guesses at the next move, and practice with a player's own mistakes.

Revises: 0007
Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger()
_ROW = _BIG.with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "calls",
        sa.Column("game_id", _ROW, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("move", sa.String(7), nullable=False),
        sa.Column("called_at", _BIG, nullable=False),
        sa.Column("told", sa.Integer()),
        sa.Column("told_at", _BIG),
        sa.Column("is_right", sa.Boolean()),
        sa.CheckConstraint("(told IS NULL) = (is_right IS NULL)", "ck_calls_told"),
        sa.CheckConstraint("(told_at IS NULL) = (is_right IS NULL)", "ck_calls_told_at"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_calls_game_id"),
        sa.PrimaryKeyConstraint("game_id", "revision", "player_id", name="pk_calls"),
    )
    op.create_index("ix_calls_player", "calls", ["player_id"])
    op.create_index("ix_calls_told", "calls", ["told_at"])
    op.create_table(
        "callers",
        sa.Column("guild_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("player_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("right_calls", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "player_id", name="pk_callers"),
    )
    op.create_index("ix_callers_player", "callers", ["player_id"])
    op.create_index("ix_callers_best", "callers", ["guild_id", "right_calls"])
    op.create_table(
        "practice",
        sa.Column("player_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("game_id", _ROW, autoincrement=False, nullable=False),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("due_at", _BIG),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_practice_game_id"),
        sa.PrimaryKeyConstraint("player_id", "game_id", "ply", name="pk_practice"),
    )
    op.create_index("ix_practice_due", "practice", ["player_id", "due_at"])
