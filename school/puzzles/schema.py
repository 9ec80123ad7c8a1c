"""The tables of puzzles: answers, ratings, and each server's daily and own puzzles."""

import sqlalchemy as sa

from bot.base.retention import DeletedKind
from bot.database.schema import FEW_ROWS, Instant, RetentionRule, RowId, metadata

_MINUTES_OF_DAY = 1_440

# Ratings of users who have tried puzzles.
solvers = sa.Table(
    "solvers",
    metadata,
    sa.Column("player_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("rating", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("volatility", sa.Double, nullable=False),
    sa.Column("rated_at", Instant, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("solved", sa.Integer, nullable=False),
    sa.Column("streak", sa.Integer, nullable=False),  # number of solved puzzles in a row
    sa.Column("best_streak", sa.Integer, nullable=False),
    sa.Index("ix_solvers_rated", "rated_at"),
    info=RetentionRule(expires=(DeletedKind.RATINGS, "rated_at")).info,
)

# Ratings of puzzles that someone has tried. Other puzzles have the ratings in `dvonn-lessons`.
puzzle_ratings = sa.Table(
    "puzzle_ratings",
    metadata,
    sa.Column("puzzle_id", sa.String(8), primary_key=True),
    sa.Column("rating", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("volatility", sa.Double, nullable=False),
    sa.Column("rated_at", Instant, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("solved", sa.Integer, nullable=False),
    info=FEW_ROWS,
)

# A user's first answer to each puzzle. Later answers don't count.
puzzle_attempts = sa.Table(
    "puzzle_attempts",
    metadata,
    sa.Column("player_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("puzzle_id", sa.String(8), primary_key=True),
    sa.Column("at", Instant, nullable=False),
    sa.Column("solved", sa.Boolean, nullable=False),
    sa.Column("rating_before", sa.Double, nullable=False),  # of the solver
    sa.Column("rating_after", sa.Double, nullable=False),
    sa.Index("ix_puzzle_attempts_player", "player_id", "at"),
    sa.Index("ix_puzzle_attempts_at", "at"),
    info=RetentionRule(expires=(DeletedKind.ANSWERS, "at")).info,
)

# A user's last puzzle, which they get again until they answer it.
given_puzzles = sa.Table(
    "given_puzzles",
    metadata,
    sa.Column("player_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("puzzle", sa.String(24), nullable=False),  # id and source
    sa.Column("at", Instant, nullable=False),
    sa.Index("ix_given_puzzles_at", "at"),
    info=RetentionRule(expires=(DeletedKind.ANSWERS, "at")).info,
)

# Channel and time of a server's daily puzzle. A server without a row has none.
daily_settings = sa.Table(
    "daily_settings",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("minute", sa.Integer, nullable=False),  # minute of the day in the zone
    sa.Column("zone", sa.String(40), nullable=False),
    sa.Column("due_at", Instant, nullable=False),  # when the next puzzle is due
    sa.CheckConstraint(f"minute BETWEEN 0 AND {_MINUTES_OF_DAY - 1}", "minute"),
    sa.Index("ix_daily_settings_due", "due_at"),
    info=RetentionRule(shows_server=True).info,
)

# A server's daily puzzles, one per day.
daily_puzzles = sa.Table(
    "daily_puzzles",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("day", sa.String(10), primary_key=True),  # for example 2026-11-22
    sa.Column("puzzle_id", sa.String(8), nullable=False),
    sa.Column("posted_at", Instant, nullable=False),
)

# Users' first answers to a daily puzzle on its day.
daily_answers = sa.Table(
    "daily_answers",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("player_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("solved", sa.Boolean, nullable=False),
    sa.Column("at", Instant, nullable=False),
    sa.ForeignKeyConstraint(
        ["guild_id", "day"],
        ["daily_puzzles.guild_id", "daily_puzzles.day"],
        "fk_daily_answers_guild_id",
    ),
    sa.Index("ix_daily_answers_player", "player_id"),
    sa.Index("ix_daily_answers_at", "at"),
    info=RetentionRule(expires=(DeletedKind.ANSWERS, "at")).info,
)

# Puzzles from a server's own games, which only that server gets.
server_puzzles = sa.Table(
    "server_puzzles",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("puzzle_id", sa.String(8), primary_key=True),
    sa.Column("game_id", RowId, sa.ForeignKey("games.id"), nullable=False),
    # the game's players, who can withdraw their consent
    sa.Column("white_id", sa.BigInteger, nullable=False),
    sa.Column("black_id", sa.BigInteger, nullable=False),
    sa.Column("puzzle", sa.JSON, nullable=False),  # in the format of dvonn.puzzles
    sa.Column("made_at", Instant, nullable=False),
    sa.Index("ix_server_puzzles_white", "white_id"),
    sa.Index("ix_server_puzzles_black", "black_id"),
    sa.Index("ix_server_puzzles_made", "guild_id", "made_at"),
    sa.Index("ix_server_puzzles_game", "game_id"),
    info=RetentionRule(of_server=True).info,
)
