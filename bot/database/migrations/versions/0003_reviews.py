"""Add reviews of finished games, and the choice to have none.

Revises: 0002
Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_ROW = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_WAITING = sa.text("state = 'waiting'")


def upgrade() -> None:
    """Add the table and the columns. Null means the bot's default."""
    op.create_table(
        "reviews",
        sa.Column("game_id", _ROW, autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(7), nullable=False),
        sa.Column("queued_at", sa.BigInteger(), nullable=False),
        sa.Column("tells", sa.Boolean(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("review", sa.JSON()),
        sa.Column("engine", sa.String(40)),
        sa.Column("made_at", sa.BigInteger()),
        sa.CheckConstraint("state IN ('waiting', 'done', 'refused')", "ck_reviews_state"),
        sa.CheckConstraint("(review IS NULL) = (state <> 'done')", "ck_reviews_done"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_reviews_game_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_reviews"),
    )
    op.create_index(
        "ix_reviews_waiting",
        "reviews",
        ["queued_at"],
        sqlite_where=_WAITING,
        postgresql_where=_WAITING,
    )
    op.add_column("guild_settings", sa.Column("reviews", sa.Boolean()))
    op.add_column("players", sa.Column("reviews", sa.Boolean()))
