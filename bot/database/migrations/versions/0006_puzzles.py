"""Add attempts at puzzles, the ratings of solvers and puzzles, and servers' daily puzzles.

Revises: 0005
Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger()


def _rated() -> list[sa.Column[object]]:
    return [
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("rated_at", _BIG, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
    ]


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "solvers",
        sa.Column("player_id", _BIG, autoincrement=False, nullable=False),
        *_rated(),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("best_streak", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_solvers"),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle_id", sa.String(8), nullable=False),
        *_rated(),
        sa.PrimaryKeyConstraint("puzzle_id", name="pk_puzzle_ratings"),
    )
    op.create_table(
        "puzzle_attempts",
        sa.Column("player_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("puzzle_id", sa.String(8), nullable=False),
        sa.Column("at", _BIG, nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("rating_before", sa.Double(), nullable=False),
        sa.Column("rating_after", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "puzzle_id", name="pk_puzzle_attempts"),
    )
    op.create_index("ix_puzzle_attempts_player", "puzzle_attempts", ["player_id", "at"])
    op.create_table(
        "daily_settings",
        sa.Column("guild_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("channel_id", _BIG, nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("zone", sa.String(40), nullable=False),
        sa.Column("due_at", _BIG, nullable=False),
        sa.CheckConstraint("minute BETWEEN 0 AND 1439", "ck_daily_settings_minute"),
        sa.PrimaryKeyConstraint("guild_id", name="pk_daily_settings"),
    )
    op.create_index("ix_daily_settings_due", "daily_settings", ["due_at"])
    op.create_table(
        "daily_puzzles",
        sa.Column("guild_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("puzzle_id", sa.String(8), nullable=False),
        sa.Column("posted_at", _BIG, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "day", name="pk_daily_puzzles"),
    )
    op.create_table(
        "daily_answers",
        sa.Column("guild_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("player_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("at", _BIG, nullable=False),
        sa.ForeignKeyConstraint(
            ["guild_id", "day"],
            ["daily_puzzles.guild_id", "daily_puzzles.day"],
            "fk_daily_answers_guild_id",
        ),
        sa.PrimaryKeyConstraint("guild_id", "day", "player_id", name="pk_daily_answers"),
    )
    op.create_index("ix_daily_answers_player", "daily_answers", ["player_id"])
