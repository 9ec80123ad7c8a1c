"""Channels play as teams: everybody there votes on the moves.

Revises: 0014
Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger()
_ROW = _BIG.with_variant(sa.Integer(), "sqlite")
_RUNNING = sa.text("outcome IS NULL")


def upgrade() -> None:
    """Add the columns of games and challenges, and the table."""
    op.add_column("games", sa.Column("vote_s", sa.Integer()))
    op.add_column("games", sa.Column("away_id", _BIG))
    op.create_index(
        "uq_games_running_away",
        "games",
        ["away_id"],
        unique=True,
        sqlite_where=_RUNNING,
        postgresql_where=_RUNNING,
    )
    op.add_column("challenges", sa.Column("vote_s", sa.Integer()))
    op.add_column("challenges", sa.Column("rival_id", _BIG))
    op.create_table(
        "votes",
        sa.Column("source_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("game_id", _ROW, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("channel_id", _BIG, nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("move", sa.String(7), nullable=False),
        sa.Column("voted_at", _BIG, nullable=False),
        sa.Column("closed_at", _BIG),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_votes_game_id"),
        sa.PrimaryKeyConstraint("source_id", name="pk_votes"),
    )
    op.create_index("ix_votes_board", "votes", ["game_id", "revision"])
    op.create_index("ix_votes_player", "votes", ["player_id", "game_id"])
    op.create_index("ix_votes_closed", "votes", ["closed_at"])
