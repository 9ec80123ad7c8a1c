"""The tables of guesses: each guess of a move, and the counts of right ones."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
)

from bot.database.columns import Instant, RowId, metadata

# What spectators think is played next; nobody learns of it before it is.
calls = Table(
    "calls",
    metadata,
    Column("game_id", RowId, ForeignKey("games.id"), primary_key=True),
    Column("revision", Integer, primary_key=True),  # the one that brought the board
    Column("player_id", BigInteger, primary_key=True),
    Column("move", String(7), nullable=False),  # in standard coordinates
    Column("called_at", Instant, nullable=False),
    # Once the move was played: by which event, when, and whether it was this one.
    Column("told", Integer),
    Column("told_at", Instant),
    Column("is_right", Boolean),
    CheckConstraint("(told IS NULL) = (is_right IS NULL)", "told"),
    CheckConstraint("(told_at IS NULL) = (is_right IS NULL)", "told_at"),
    Index("ix_calls_player", "player_id"),
    Index("ix_calls_told", "told_at"),
)

# How often people have called moves in a server, and called them right.
callers = Table(
    "callers",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("calls", Integer, nullable=False),
    Column("right_calls", Integer, nullable=False),
    Index("ix_callers_player", "player_id"),
    Index("ix_callers_best", "guild_id", "right_calls"),
)
