"""Results of people's games are counted, and people can hide their profile.

Revises: 0018
Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger()
_ENDED = sa.text("ended_at IS NOT NULL")
_HIDDEN = sa.text("profile IS NOT NULL")

_COUNT_WHAT_THERE_IS = """
INSERT INTO records (guild_id, player_id, machine, colour, start, won, drawn, lost, last_at)
SELECT pool, player_id, machine, colour, start, SUM(won), SUM(drawn), SUM(lost), MAX(ended_at)
FROM (
    {seats}
) AS results
GROUP BY pool, player_id, machine, colour, start
"""
_SEAT = """
    SELECT {pool} AS pool, {seat}_id AS player_id, machine_id IS NOT NULL AS machine,
        '{colour}' AS colour, start,
        CASE WHEN winner = '{colour}' THEN 1 ELSE 0 END AS won,
        CASE WHEN winner IS NULL THEN 1 ELSE 0 END AS drawn,
        CASE WHEN winner <> '{colour}' THEN 1 ELSE 0 END AS lost, ended_at
    FROM games
    WHERE outcome <> 'abort' AND continues_id IS NULL AND vote_s IS NULL
        AND {seat}_id > 2 AND {seat}_id <> COALESCE(machine_id, 0){beside}
"""


def upgrade() -> None:
    """Add the table, count the games that are over, and add a column and two indexes."""
    op.create_table(
        "records",
        sa.Column("guild_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("player_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("machine", sa.Boolean(), nullable=False),
        sa.Column("colour", sa.String(1), nullable=False),
        sa.Column("start", sa.String(9), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("last_at", _BIG, nullable=False),
        sa.CheckConstraint("colour IN ('W', 'B')", "ck_records_colour"),
        sa.CheckConstraint(
            "start IN ('placement', 'balanced', 'symmetric', 'pie')", "ck_records_start"
        ),
        sa.PrimaryKeyConstraint(
            "guild_id", "player_id", "machine", "colour", "start", name="pk_records"
        ),
    )
    op.create_index("ix_records_player", "records", ["player_id"])
    op.create_index("ix_records_last", "records", ["last_at"])
    seats = [
        _SEAT.format(pool=pool, seat=seat, colour=colour, beside=beside)
        for pool, beside in (("guild_id", " AND guild_id <> 0"), ("0", ""))
        for seat, colour in (("white", "W"), ("black", "B"))
    ]
    op.execute(_COUNT_WHAT_THERE_IS.format(seats="    UNION ALL".join(seats)))
    op.create_index(
        "ix_games_pair",
        "games",
        ["white_id", "black_id", "guild_id"],
        sqlite_where=_ENDED,
        postgresql_where=_ENDED,
    )
    op.add_column("players", sa.Column("profile", sa.Boolean()))
    op.create_index(
        "ix_players_hidden",
        "players",
        ["player_id"],
        sqlite_where=_HIDDEN,
        postgresql_where=_HIDDEN,
    )
