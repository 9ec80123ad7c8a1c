"""The tables of guesses and of users' guess counts."""

import sqlalchemy as sa

from bot.database.schema import Instant, RetentionRule, RowId, metadata

# Spectators' guesses of the next move. Nobody sees them before it is played.
calls = sa.Table(
    "calls",
    metadata,
    sa.Column("game_id", RowId, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("revision", sa.Integer, primary_key=True),  # the revision that created the board
    sa.Column("player_id", sa.BigInteger, primary_key=True),
    sa.Column("move", sa.String(7), nullable=False),  # in standard coordinates
    sa.Column("called_at", Instant, nullable=False),
    # Once the move is played: its event's revision, its time, and true if the guess was right.
    sa.Column("told", sa.Integer),
    sa.Column("told_at", Instant),
    sa.Column("is_right", sa.Boolean),
    sa.CheckConstraint("(told IS NULL) = (is_right IS NULL)", "told"),
    sa.CheckConstraint("(told_at IS NULL) = (is_right IS NULL)", "told_at"),
    sa.Index("ix_calls_player", "player_id"),
    sa.Index("ix_calls_told", "told_at"),
    info=RetentionRule().info,
)

# The number of a user's guesses in a server, and how many were right.
callers = sa.Table(
    "callers",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("player_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("calls", sa.Integer, nullable=False),
    sa.Column("right_calls", sa.Integer, nullable=False),
    sa.Index("ix_callers_player", "player_id"),
    sa.Index("ix_callers_best", "guild_id", "right_calls"),
    info=RetentionRule().info,
)
