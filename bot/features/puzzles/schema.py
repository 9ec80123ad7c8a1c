"""The tables of puzzles: who has solved what, how they are rated, and each server's daily ones."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    Table,
)

from bot.base.retention import Gone
from bot.database.columns import Instant, Keeping, RowId, metadata

_MINUTES_OF_DAY = 1_440

# How strong those are who have tried puzzles.
solvers = Table(
    "solvers",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("rated_at", Instant, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    Column("streak", Integer, nullable=False),  # how many in a row until now
    Column("best_streak", Integer, nullable=False),
    Index("ix_solvers_rated", "rated_at"),
    info=Keeping(goes=(Gone.RATINGS, "rated_at")).info,
)

# How hard those puzzles have turned out to be that somebody has tried; of others the data tell.
puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle_id", String(8), primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("rated_at", Instant, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
)

# Somebody's first answer to each puzzle: a later one counts for nothing.
puzzle_attempts = Table(
    "puzzle_attempts",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("puzzle_id", String(8), primary_key=True),
    Column("at", Instant, nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("rating_before", Double, nullable=False),  # the solver's
    Column("rating_after", Double, nullable=False),
    Index("ix_puzzle_attempts_player", "player_id", "at"),
    Index("ix_puzzle_attempts_at", "at"),
    info=Keeping(goes=(Gone.ANSWERS, "at")).info,
)

# Where and when a server wants a puzzle a day; one without a row wants none.
daily_settings = Table(
    "daily_settings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("minute", Integer, nullable=False),  # of the day, by the clocks of the zone
    Column("zone", String(40), nullable=False),
    Column("due_at", Instant, nullable=False),  # when the next one is to be posted
    CheckConstraint(f"minute BETWEEN 0 AND {_MINUTES_OF_DAY - 1}", "minute"),
    Index("ix_daily_settings_due", "due_at"),
    info=Keeping(shows_server=True).info,
)

# The puzzles of a server's days: there is one a day.
daily_puzzles = Table(
    "daily_puzzles",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", String(10), primary_key=True),  # as in 2026-11-22
    Column("puzzle_id", String(8), nullable=False),
    Column("posted_at", Instant, nullable=False),
)

# Who has answered them in time, each with their first answer.
daily_answers = Table(
    "daily_answers",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", String(10), primary_key=True),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("solved", Boolean, nullable=False),
    Column("at", Instant, nullable=False),
    ForeignKeyConstraint(
        ["guild_id", "day"],
        ["daily_puzzles.guild_id", "daily_puzzles.day"],
        "fk_daily_answers_guild_id",
    ),
    Index("ix_daily_answers_player", "player_id"),
    Index("ix_daily_answers_at", "at"),
    info=Keeping(goes=(Gone.ANSWERS, "at")).info,
)

# Puzzles from a server's own games, for that server alone.
server_puzzles = Table(
    "server_puzzles",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("puzzle_id", String(8), primary_key=True),
    Column("game_id", RowId, ForeignKey("games.id"), nullable=False),
    Column("white_id", BigInteger, nullable=False),  # the game's players: they can take it back
    Column("black_id", BigInteger, nullable=False),
    Column("puzzle", JSON, nullable=False),  # as the data of dvonn.puzzles have it
    Column("made_at", Instant, nullable=False),
    Index("ix_server_puzzles_white", "white_id"),
    Index("ix_server_puzzles_black", "black_id"),
    Index("ix_server_puzzles_made", "guild_id", "made_at"),
    Index("ix_server_puzzles_game", "game_id"),
    info=Keeping(of_server=True).info,
)
