"""Add tournaments: their entrants, their pairings, and the games that belong to one.

Revises: 0016
Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger()
_ROW = _BIG.with_variant(sa.Integer(), "sqlite")
_RESULTS = "result IN ('white', 'black', 'draw', 'neither', 'bye', 'zero_bye')"
_FORMATS = "format IN ('robin', 'swiss', 'knockout', 'ladder', 'league')"
_OF_LEAGUE = sa.text("league_id IS NOT NULL")
_STATES = "state IN ('open', 'check_in', 'running', 'done', 'cancelled')"
_ENDED = "(ended_at IS NULL) = (state IN ('open', 'check_in', 'running'))"


def upgrade() -> None:
    """Add the tables, the games' column, and who may organize."""
    op.add_column("games", sa.Column("tournament_id", _BIG))
    op.add_column("guild_settings", sa.Column("role_id", _BIG))
    op.create_table(
        "tournaments",
        sa.Column("id", _ROW, nullable=False),
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("channel_id", _BIG, nullable=False),
        sa.Column("by_id", _BIG, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("format", sa.String(8), nullable=False),
        sa.Column("start", sa.String(9), nullable=False),
        sa.Column("clock", sa.String(60), nullable=False),
        sa.Column("coordinates", sa.String(8), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("rounds", sa.Integer()),
        sa.Column("begins_at", _BIG),
        sa.Column("round_time_s", sa.Integer()),
        sa.Column("lasts_s", sa.Integer()),
        sa.Column("level", sa.Integer()),
        sa.Column("machine_id", _BIG),
        sa.Column("third_place", sa.Boolean(), nullable=False),
        sa.Column("twice", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("division_size", sa.Integer()),
        sa.Column("league_id", _BIG),
        sa.Column("season", sa.Integer()),
        sa.Column("division", sa.Integer()),
        sa.Column("source_id", _BIG),
        sa.Column("state", sa.String(9), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("round_began", _BIG),
        sa.Column("due_at", _BIG),
        sa.Column("event_id", _BIG),
        sa.Column("created_at", _BIG, nullable=False),
        sa.Column("began_at", _BIG),
        sa.Column("ended_at", _BIG),
        sa.Column("anonymous_at", _BIG),
        sa.CheckConstraint(_FORMATS, "ck_tournaments_format"),
        sa.CheckConstraint(_STATES, "ck_tournaments_state"),
        sa.CheckConstraint(_ENDED, "ck_tournaments_ended"),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("source_id", name="uq_tournaments_source_id"),
        sqlite_autoincrement=True,
    )
    for name, column, condition in (
        ("due", "due_at", "due_at IS NOT NULL"),
        ("running", "guild_id", "ended_at IS NULL"),
        ("named", "ended_at", "ended_at IS NOT NULL AND anonymous_at IS NULL"),
    ):
        op.create_index(
            f"ix_tournaments_{name}",
            "tournaments",
            [column],
            sqlite_where=sa.text(condition),
            postgresql_where=sa.text(condition),
        )
    op.create_index(
        "uq_tournaments_league",
        "tournaments",
        ["league_id", "season", "division"],
        unique=True,
        sqlite_where=_OF_LEAGUE,
        postgresql_where=_OF_LEAGUE,
    )
    op.create_index("ix_tournaments_guild", "tournaments", ["guild_id", "id"])
    op.create_index("ix_tournaments_by", "tournaments", ["by_id"])
    op.create_table(
        "entrants",
        sa.Column("tournament_id", _ROW, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("rating", sa.Double()),
        sa.Column("joined_round", sa.Integer(), nullable=False),
        sa.Column("joined_at", _BIG, nullable=False),
        sa.Column("checked_in", sa.Boolean(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("missed", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("source_id", _BIG),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], "fk_entrants_tournament_id"),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_entrants"),
        sa.UniqueConstraint("source_id", name="uq_entrants_source_id"),
        sa.UniqueConstraint(
            "tournament_id", "player_id", name="uq_entrants_tournament_id_player_id"
        ),
    )
    op.create_index("ix_entrants_player", "entrants", ["player_id"])
    op.create_table(
        "pairings",
        sa.Column("tournament_id", _ROW, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("white", sa.Integer(), nullable=False),
        sa.Column("black", sa.Integer()),
        sa.Column("result", sa.String(8)),
        sa.Column("forfeit", sa.Boolean(), nullable=False),
        sa.Column("margin", sa.Integer()),
        sa.Column("adjudicated", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("game_id", _ROW),
        sa.Column("message_id", _BIG),
        sa.Column("paired_at", _BIG, nullable=False),
        sa.Column("by_id", _BIG),
        sa.Column("note", sa.String(200)),
        sa.CheckConstraint(_RESULTS, "ck_pairings_result"),
        sa.CheckConstraint("white <> black", "ck_pairings_two"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], "fk_pairings_tournament_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_pairings_game_id"),
        sa.PrimaryKeyConstraint("tournament_id", "round", "board", name="pk_pairings"),
        sa.UniqueConstraint("game_id", name="uq_pairings_game_id"),
    )
    op.create_index("ix_pairings_by", "pairings", ["by_id"])
    op.create_table(
        "seats",
        sa.Column("tournament_id", _ROW, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], "fk_seats_tournament_id"),
        sa.PrimaryKeyConstraint("tournament_id", "round", "number", "turn", name="pk_seats"),
    )
