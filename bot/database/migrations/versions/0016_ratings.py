"""Games are rated.

Revises: 0015
Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger()
_ROW = _BIG.with_variant(sa.Integer(), "sqlite")
_RATED = sa.text("rated_at IS NOT NULL")
_PACE = "pace IN ('live', 'slow')"


def upgrade() -> None:
    """Add the columns of games, challenges and servers, and two tables."""
    op.add_column("challenges", sa.Column("rated", sa.Boolean()))
    op.add_column("games", sa.Column("rated", sa.Boolean()))
    op.add_column("games", sa.Column("rated_at", _BIG))
    op.add_column("games", sa.Column("engine", sa.Integer()))
    op.create_index(
        "ix_games_rated",
        "games",
        ["rated_at", "id"],
        sqlite_where=_RATED,
        postgresql_where=_RATED,
    )
    op.add_column("guild_settings", sa.Column("rated", sa.Boolean()))
    op.create_table(
        "ratings",
        sa.Column("guild_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("pace", sa.String(4), nullable=False),
        sa.Column("player_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("rated_at", _BIG, nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("best", sa.Double()),
        sa.CheckConstraint(_PACE, "ck_ratings_pace"),
        sa.PrimaryKeyConstraint("guild_id", "pace", "player_id", name="pk_ratings"),
    )
    op.create_index(
        "ix_ratings_best", "ratings", ["guild_id", "pace", "settled", "rating", "player_id"]
    )
    op.create_index("ix_ratings_player", "ratings", ["player_id"])
    op.create_index("ix_ratings_rated", "ratings", ["rated_at"])
    op.create_table(
        "rating_changes",
        sa.Column("game_id", _ROW, autoincrement=False, nullable=False),
        sa.Column("guild_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("player_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("pace", sa.String(4), nullable=False),
        sa.Column("at", _BIG, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("opponent_id", _BIG, nullable=False),
        sa.Column("opponent_rating", sa.Double(), nullable=False),
        sa.Column("opponent_deviation", sa.Double(), nullable=False),
        sa.Column("since", _BIG, nullable=False),
        sa.Column("rating_before", sa.Double(), nullable=False),
        sa.Column("deviation_before", sa.Double(), nullable=False),
        sa.Column("volatility_before", sa.Double(), nullable=False),
        sa.Column("rating_after", sa.Double(), nullable=False),
        sa.Column("deviation_after", sa.Double(), nullable=False),
        sa.Column("volatility_after", sa.Double(), nullable=False),
        sa.CheckConstraint(_PACE, "ck_rating_changes_pace"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_rating_changes_game_id"),
        sa.PrimaryKeyConstraint("game_id", "guild_id", "player_id", name="pk_rating_changes"),
    )
    op.create_index(
        "ix_rating_changes_player", "rating_changes", ["player_id", "guild_id", "pace", "at"]
    )
