"""The table of misplayed positions that users practice."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table

from bot.database.schema import Instant, RetentionRule, RowId, metadata

# Positions that a user has misplayed and practices.
practice = Table(
    "practice",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game_id", RowId, ForeignKey("games.id"), primary_key=True),
    # number of the ply, from 1
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("step", Integer, nullable=False),  # number of solutions in a row
    Column("due_at", Instant),  # null if it does not come back
    Index("ix_practice_due", "player_id", "due_at"),
    Index("ix_practice_game", "game_id"),
    info=RetentionRule().info,
)
