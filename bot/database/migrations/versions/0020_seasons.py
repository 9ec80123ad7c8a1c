"""Add seasons, with one ladder and one play-off a month in servers that want them, and badges.

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
_OF_SEASON = sa.text("season_id IS NOT NULL")
_KINDS = "kind IN ('champion', 'ladder', 'winner')"


def upgrade() -> None:
    """Add the tables, and the column and the index that allow each format only once a season."""
    op.add_column("tournaments", sa.Column("season_id", _BIG))
    op.create_index(
        "uq_tournaments_season",
        "tournaments",
        ["guild_id", "season_id", "format"],
        unique=True,
        sqlite_where=_OF_SEASON,
        postgresql_where=_OF_SEASON,
    )
    op.create_table(
        "seasons",
        sa.Column("guild_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("channel_id", _BIG, nullable=False),
        sa.Column("zone", sa.String(40), nullable=False),
        sa.Column("level", sa.Integer()),
        sa.Column("due_at", _BIG, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_seasons"),
    )
    op.create_index("ix_seasons_due", "seasons", ["due_at"])
    op.create_table(
        "badges",
        sa.Column("tournament_id", _ROW, nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("earned_at", _BIG, nullable=False),
        sa.CheckConstraint(_KINDS, "ck_badges_kind"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], "fk_badges_tournament_id"),
        sa.PrimaryKeyConstraint("tournament_id", "player_id", name="pk_badges"),
    )
    op.create_index("ix_badges_player", "badges", ["player_id"])
