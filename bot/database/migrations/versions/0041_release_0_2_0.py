"""From 0.1.0 to 0.2.0. Revisions 0002 to 0040 existed only between these releases.

Revises: 0001
Date: 2026-11-30
"""

import time

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0001"
branch_labels = None
depends_on = None

# Also times (milliseconds since 1970) and Discord's ids.
_BIG = sa.BigInteger()
_ROW_ID = _BIG.with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Change the tables of 0.1.0, create new ones, and convert what games need."""
    _extend_games()
    _extend_people_and_servers()
    _create_tables_of_games_and_people()
    _create_school()
    _create_club()
    connection = op.get_bind()
    count_results(connection)
    settle_picks(connection)
    convert_levels(connection)
    convert_starts(connection)


def _extend_games() -> None:
    """Add columns and indexes of games and challenges, and more kinds of events."""
    op.add_column("games", sa.Column("visiting", sa.Boolean()))
    op.add_column("games", sa.Column("vote_s", sa.Integer()))
    op.add_column("games", sa.Column("tournament_id", _BIG))
    op.add_column("games", sa.Column("anonymous_at", _BIG))
    op.add_column("games", sa.Column("rated", sa.Boolean()))
    op.add_column("games", sa.Column("rated_at", _BIG))
    op.add_column("games", sa.Column("engine", sa.Integer()))
    op.add_column("games", sa.Column("claimable", sa.Boolean()))
    op.add_column("games", sa.Column("board", sa.String(160)))
    op.execute(
        "CREATE INDEX ix_games_ended_black ON games (guild_id, black_id, ended_at, id) "
        "WHERE ended_at IS NOT NULL"
    )
    op.execute(
        "CREATE INDEX ix_games_ended_white ON games (guild_id, white_id, ended_at, id) "
        "WHERE ended_at IS NOT NULL"
    )
    op.execute(
        "CREATE INDEX ix_games_level_black ON games (black_id, id) "
        "WHERE level IS NOT NULL AND continues_id IS NULL AND tournament_id IS NULL"
    )
    op.execute(
        "CREATE INDEX ix_games_level_white ON games (white_id, id) "
        "WHERE level IS NOT NULL AND continues_id IS NULL AND tournament_id IS NULL"
    )
    op.execute(
        "CREATE INDEX ix_games_named ON games (ended_at) "
        "WHERE ended_at IS NOT NULL AND anonymous_at IS NULL"
    )
    op.execute(
        "CREATE INDEX ix_games_named_guild ON games (guild_id) "
        "WHERE ended_at IS NOT NULL AND anonymous_at IS NULL"
    )
    op.execute(
        "CREATE INDEX ix_games_pair ON games (white_id, black_id, guild_id) "
        "WHERE ended_at IS NOT NULL"
    )
    op.execute("CREATE INDEX ix_games_rated ON games (rated_at, id) WHERE rated_at IS NOT NULL")
    op.execute("CREATE INDEX ix_games_running_guild ON games (guild_id) WHERE outcome IS NULL")
    op.execute("CREATE INDEX ix_games_seed ON games (guild_id, seed)")
    op.add_column("challenges", sa.Column("position", sa.String(90)))
    op.add_column("challenges", sa.Column("vote_s", sa.Integer()))
    op.add_column("challenges", sa.Column("rated", sa.Boolean()))
    op.add_column("challenges", sa.Column("strict", sa.Boolean()))
    op.execute(
        "CREATE INDEX ix_challenges_closed ON challenges (answered_at) "
        "WHERE answered_at IS NOT NULL AND game_id IS NULL"
    )
    op.execute("CREATE INDEX ix_challenges_game ON challenges (game_id)")
    op.add_column("plans", sa.Column("tree", sa.JSON()))
    op.execute("CREATE INDEX ix_plans_player ON plans (player_id)")
    _allow_more_events()


def _extend_people_and_servers() -> None:
    """Add settings of people and servers."""
    op.add_column("players", sa.Column("reviews", sa.Boolean()))
    op.add_column("players", sa.Column("puzzles", sa.Boolean()))
    op.add_column("players", sa.Column("language", sa.String(12)))
    op.add_column("players", sa.Column("theme", sa.String(20)))
    op.add_column("players", sa.Column("coordinates", sa.String(8)))
    op.add_column("players", sa.Column("side", sa.Boolean()))
    op.add_column("players", sa.Column("preview", sa.Boolean()))
    op.add_column("players", sa.Column("profile", sa.Boolean()))
    op.add_column("players", sa.Column("digest_at", sa.Integer()))
    op.add_column("players", sa.Column("digest_due", _BIG))
    op.add_column("players", sa.Column("auto_vacation", sa.Boolean()))
    op.add_column("players", sa.Column("switched", sa.JSON()))
    op.execute("CREATE INDEX ix_players_digest ON players (digest_due)")
    op.execute("CREATE INDEX ix_players_hidden ON players (player_id) WHERE profile IS NOT NULL")
    op.add_column("guild_settings", sa.Column("start", sa.String(9)))
    op.add_column("guild_settings", sa.Column("clock", sa.String(60)))
    op.add_column("guild_settings", sa.Column("coordinates", sa.String(8)))
    op.add_column("guild_settings", sa.Column("place", sa.String(6)))
    op.add_column("guild_settings", sa.Column("reviews", sa.Boolean()))
    op.add_column("guild_settings", sa.Column("language", sa.String(12)))
    op.add_column("guild_settings", sa.Column("theme", sa.String(20)))
    op.add_column("guild_settings", sa.Column("role_id", _BIG))
    op.add_column("guild_settings", sa.Column("log_channel_id", _BIG))
    op.add_column("guild_settings", sa.Column("winner_role_id", _BIG))
    op.add_column("guild_settings", sa.Column("left_at", _BIG))
    op.add_column("guild_settings", sa.Column("rated", sa.Boolean()))


def _create_tables_of_games_and_people() -> None:
    """Create tables of the game itself."""
    op.create_table(
        "votes",
        sa.Column("source_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("game_id", _ROW_ID, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("channel_id", _BIG, nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("move", sa.String(7), nullable=False),
        sa.Column("voted_at", _BIG, nullable=False),
        sa.Column("closed_at", _BIG),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_votes_game_id"),
        sa.PrimaryKeyConstraint("source_id", name="pk_votes"),
    )
    op.execute("CREATE INDEX ix_votes_board ON votes (game_id, revision)")
    op.execute("CREATE INDEX ix_votes_closed ON votes (closed_at)")
    op.execute("CREATE INDEX ix_votes_player ON votes (player_id, game_id)")
    op.create_table(
        "deletions",
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("at", _BIG, nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_deletions"),
    )
    op.create_table(
        "server_blocks",
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("until_at", _BIG, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "player_id", name="pk_server_blocks"),
    )
    op.execute("CREATE INDEX ix_server_blocks_player ON server_blocks (player_id)")
    op.execute("CREATE INDEX ix_server_blocks_until ON server_blocks (until_at)")
    op.create_table(
        "acts",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("tournament_id", _BIG),
        sa.Column("by_id", _BIG, nullable=False),
        sa.Column("player_id", _BIG),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("at", _BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_acts"),
        sqlite_autoincrement=True,
    )
    op.execute("CREATE INDEX ix_acts_by ON acts (by_id)")
    op.execute("CREATE INDEX ix_acts_guild ON acts (guild_id)")
    op.execute("CREATE INDEX ix_acts_player ON acts (player_id)")
    op.execute("CREATE INDEX ix_acts_tournament ON acts (tournament_id, id)")
    op.create_table(
        "clock_stops",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("tournament_id", _BIG),
        sa.Column("begins_at", _BIG, nullable=False),
        sa.Column("ends_at", _BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_clock_stops"),
    )
    op.execute("CREATE INDEX ix_clock_stops_guild ON clock_stops (guild_id, ends_at)")
    op.create_table(
        "channel_settings",
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("channel_id", _BIG, nullable=False),
        sa.Column("language", sa.String(12)),
        sa.Column("theme", sa.String(20)),
        sa.Column("coordinates", sa.String(8)),
        sa.PrimaryKeyConstraint("guild_id", "channel_id", name="pk_channel_settings"),
    )


def _create_school() -> None:
    """Create tables of reviews, exercises, lessons and puzzles."""
    op.create_table(
        "reviews",
        sa.Column("game_id", _ROW_ID, nullable=False),
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("state", sa.String(7), nullable=False),
        sa.Column("queued_at", _BIG, nullable=False),
        sa.Column("tells", sa.Boolean(), nullable=False),
        sa.Column("due_at", _BIG, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("review", sa.JSON()),
        sa.Column("engine", sa.String(40)),
        sa.Column("made_at", _BIG),
        sa.Column("closer_since", _BIG),
        sa.CheckConstraint("state IN ('waiting', 'done', 'refused')", "ck_reviews_state"),
        sa.CheckConstraint("(review IS NULL) = (state <> 'done')", "ck_reviews_done"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_reviews_game_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_reviews"),
    )
    op.execute(
        "CREATE INDEX ix_reviews_closer ON reviews (closer_since) WHERE closer_since IS NOT NULL"
    )
    op.execute("CREATE INDEX ix_reviews_waiting ON reviews (queued_at) WHERE state = 'waiting'")
    op.create_table(
        "studies",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("game_id", _ROW_ID),
        sa.Column("start", sa.String(24)),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("turned", sa.Boolean(), nullable=False),
        sa.Column("kept", sa.Boolean(), nullable=False),
        sa.Column("changed_at", _BIG, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_studies_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_studies"),
    )
    op.execute("CREATE INDEX ix_studies_changed ON studies (changed_at)")
    op.execute("CREATE INDEX ix_studies_kept ON studies (player_id, kept, changed_at)")
    op.execute("CREATE INDEX ix_studies_of_game ON studies (game_id)")
    op.execute("CREATE INDEX ix_studies_start ON studies (player_id, start, changed_at)")
    op.execute("CREATE UNIQUE INDEX ux_studies_game ON studies (player_id, game_id)")
    op.create_table(
        "practice",
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("game_id", _ROW_ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("due_at", _BIG),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_practice_game_id"),
        sa.PrimaryKeyConstraint("player_id", "game_id", "ply", name="pk_practice"),
    )
    op.execute("CREATE INDEX ix_practice_due ON practice (player_id, due_at)")
    op.execute("CREATE INDEX ix_practice_game ON practice (game_id)")
    op.create_table(
        "lessons",
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("step", sa.String(20), nullable=False),
        sa.Column("solved_at", _BIG, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "step", name="pk_lessons"),
    )
    op.execute("CREATE INDEX ix_lessons_solved ON lessons (solved_at)")
    op.create_table(
        "solvers",
        sa.Column("player_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("rated_at", _BIG, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("best_streak", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_solvers"),
    )
    op.execute("CREATE INDEX ix_solvers_rated ON solvers (rated_at)")
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle_id", sa.String(8), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("rated_at", _BIG, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("puzzle_id", name="pk_puzzle_ratings"),
    )
    op.create_table(
        "puzzle_attempts",
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("puzzle_id", sa.String(8), nullable=False),
        sa.Column("at", _BIG, nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("rating_before", sa.Double(), nullable=False),
        sa.Column("rating_after", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "puzzle_id", name="pk_puzzle_attempts"),
    )
    op.execute("CREATE INDEX ix_puzzle_attempts_at ON puzzle_attempts (at)")
    op.execute("CREATE INDEX ix_puzzle_attempts_player ON puzzle_attempts (player_id, at)")
    op.create_table(
        "given_puzzles",
        sa.Column("player_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("puzzle", sa.String(24), nullable=False),
        sa.Column("at", _BIG, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_given_puzzles"),
    )
    op.execute("CREATE INDEX ix_given_puzzles_at ON given_puzzles (at)")
    op.create_table(
        "daily_settings",
        sa.Column("guild_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("channel_id", _BIG, nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("zone", sa.String(40), nullable=False),
        sa.Column("due_at", _BIG, nullable=False),
        sa.CheckConstraint("minute BETWEEN 0 AND 1439", "ck_daily_settings_minute"),
        sa.PrimaryKeyConstraint("guild_id", name="pk_daily_settings"),
    )
    op.execute("CREATE INDEX ix_daily_settings_due ON daily_settings (due_at)")
    op.create_table(
        "daily_puzzles",
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("puzzle_id", sa.String(8), nullable=False),
        sa.Column("posted_at", _BIG, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "day", name="pk_daily_puzzles"),
    )
    op.create_table(
        "daily_answers",
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("at", _BIG, nullable=False),
        sa.ForeignKeyConstraint(
            ["guild_id", "day"],
            ["daily_puzzles.guild_id", "daily_puzzles.day"],
            "fk_daily_answers_guild_id",
        ),
        sa.PrimaryKeyConstraint("guild_id", "day", "player_id", name="pk_daily_answers"),
    )
    op.execute("CREATE INDEX ix_daily_answers_at ON daily_answers (at)")
    op.execute("CREATE INDEX ix_daily_answers_player ON daily_answers (player_id)")
    op.create_table(
        "server_puzzles",
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("puzzle_id", sa.String(8), nullable=False),
        sa.Column("game_id", _ROW_ID, nullable=False),
        sa.Column("white_id", _BIG, nullable=False),
        sa.Column("black_id", _BIG, nullable=False),
        sa.Column("puzzle", sa.JSON(), nullable=False),
        sa.Column("made_at", _BIG, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_server_puzzles_game_id"),
        sa.PrimaryKeyConstraint("guild_id", "puzzle_id", name="pk_server_puzzles"),
    )
    op.execute("CREATE INDEX ix_server_puzzles_black ON server_puzzles (black_id)")
    op.execute("CREATE INDEX ix_server_puzzles_game ON server_puzzles (game_id)")
    op.execute("CREATE INDEX ix_server_puzzles_made ON server_puzzles (guild_id, made_at)")
    op.execute("CREATE INDEX ix_server_puzzles_white ON server_puzzles (white_id)")


def _create_club() -> None:
    """Create tables of ratings, results, guesses and tournaments."""
    op.create_table(
        "ratings",
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("pace", sa.String(4), nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
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
        sa.CheckConstraint("pace IN ('live', 'slow')", "ck_ratings_pace"),
        sa.PrimaryKeyConstraint("guild_id", "pace", "player_id", name="pk_ratings"),
    )
    op.execute(
        "CREATE INDEX ix_ratings_best ON ratings (guild_id, pace, settled, rating, player_id)"
    )
    op.execute("CREATE INDEX ix_ratings_player ON ratings (player_id)")
    op.execute("CREATE INDEX ix_ratings_rated ON ratings (rated_at)")
    op.create_table(
        "rating_changes",
        sa.Column("game_id", _ROW_ID, nullable=False),
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
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
        sa.CheckConstraint("pace IN ('live', 'slow')", "ck_rating_changes_pace"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_rating_changes_game_id"),
        sa.PrimaryKeyConstraint("game_id", "guild_id", "player_id", name="pk_rating_changes"),
    )
    op.execute(
        "CREATE INDEX ix_rating_changes_player ON rating_changes (player_id, guild_id, pace, at)"
    )
    op.create_table(
        "records",
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
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
    op.execute("CREATE INDEX ix_records_last ON records (last_at)")
    op.execute("CREATE INDEX ix_records_player ON records (player_id)")
    op.create_table(
        "calls",
        sa.Column("game_id", _ROW_ID, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("move", sa.String(7), nullable=False),
        sa.Column("called_at", _BIG, nullable=False),
        sa.Column("told", sa.Integer()),
        sa.Column("told_at", _BIG),
        sa.Column("is_right", sa.Boolean()),
        sa.CheckConstraint("(told_at IS NULL) = (is_right IS NULL)", "ck_calls_told_at"),
        sa.CheckConstraint("(told IS NULL) = (is_right IS NULL)", "ck_calls_told"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_calls_game_id"),
        sa.PrimaryKeyConstraint("game_id", "revision", "player_id", name="pk_calls"),
    )
    op.execute("CREATE INDEX ix_calls_player ON calls (player_id)")
    op.execute("CREATE INDEX ix_calls_told ON calls (told_at)")
    op.create_table(
        "callers",
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("right_calls", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "player_id", name="pk_callers"),
    )
    op.execute("CREATE INDEX ix_callers_best ON callers (guild_id, right_calls)")
    op.execute("CREATE INDEX ix_callers_player ON callers (player_id)")
    op.create_table(
        "move_notes",
        sa.Column("game_id", _ROW_ID, nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(300), nullable=False),
        sa.Column("noted_at", _BIG, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_move_notes_game_id"),
        sa.PrimaryKeyConstraint("game_id", "player_id", "ply", name="pk_move_notes"),
    )
    op.execute("CREATE INDEX ix_move_notes_noted ON move_notes (noted_at)")
    op.execute("CREATE INDEX ix_move_notes_player ON move_notes (player_id)")
    op.create_table(
        "shared_notes",
        sa.Column("game_id", _ROW_ID, nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("shared_at", _BIG, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_shared_notes_game_id"),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="pk_shared_notes"),
    )
    op.execute("CREATE INDEX ix_shared_notes_player ON shared_notes (player_id)")
    op.execute("CREATE INDEX ix_shared_notes_shared ON shared_notes (shared_at)")
    op.create_table(
        "tournaments",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("guild_id", _BIG, nullable=False),
        sa.Column("channel_id", _BIG, nullable=False),
        sa.Column("by_id", _BIG, nullable=False),
        sa.Column("helper_id", _BIG),
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
        sa.CheckConstraint(
            "state IN ('open', 'check_in', 'running', 'done', 'cancelled')", "ck_tournaments_state"
        ),
        sa.CheckConstraint(
            "format IN ('robin', 'swiss', 'knockout', 'ladder', 'league')", "ck_tournaments_format"
        ),
        sa.CheckConstraint(
            "(ended_at IS NULL) = (state IN ('open', 'check_in', 'running'))",
            "ck_tournaments_ended",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("source_id", name="uq_tournaments_source_id"),
        sqlite_autoincrement=True,
    )
    op.execute("CREATE INDEX ix_tournaments_by ON tournaments (by_id)")
    op.execute("CREATE INDEX ix_tournaments_due ON tournaments (due_at) WHERE due_at IS NOT NULL")
    op.execute("CREATE INDEX ix_tournaments_guild ON tournaments (guild_id, id)")
    op.execute("CREATE INDEX ix_tournaments_helper ON tournaments (helper_id)")
    op.execute(
        "CREATE INDEX ix_tournaments_named ON tournaments (ended_at) "
        "WHERE ended_at IS NOT NULL AND anonymous_at IS NULL"
    )
    op.execute(
        "CREATE INDEX ix_tournaments_running ON tournaments (guild_id) WHERE ended_at IS NULL"
    )
    op.execute(
        "CREATE UNIQUE INDEX uq_tournaments_league ON tournaments (league_id, season, division) "
        "WHERE league_id IS NOT NULL"
    )
    op.create_table(
        "entrants",
        sa.Column("tournament_id", _ROW_ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", _BIG, nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("rating", sa.Double()),
        sa.Column("joined_round", sa.Integer(), nullable=False),
        sa.Column("joined_at", _BIG, nullable=False),
        sa.Column("checked_in", sa.Boolean(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("missed", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("earned_at", _BIG),
        sa.Column("source_id", _BIG),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], "fk_entrants_tournament_id"),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_entrants"),
        sa.UniqueConstraint("source_id", name="uq_entrants_source_id"),
        sa.UniqueConstraint(
            "tournament_id", "player_id", name="uq_entrants_tournament_id_player_id"
        ),
    )
    op.execute("CREATE INDEX ix_entrants_player ON entrants (player_id)")
    op.create_table(
        "pairings",
        sa.Column("tournament_id", _ROW_ID, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("white", sa.Integer(), nullable=False),
        sa.Column("black", sa.Integer()),
        sa.Column("result", sa.String(8)),
        sa.Column("forfeit", sa.Boolean(), nullable=False),
        sa.Column("margin", sa.Integer()),
        sa.Column("adjudicated", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("game_id", _ROW_ID),
        sa.Column("message_id", _BIG),
        sa.Column("paired_at", _BIG, nullable=False),
        sa.Column("by_id", _BIG),
        sa.Column("note", sa.String(200)),
        sa.Column("extra_s", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint("white <> black", "ck_pairings_two"),
        sa.CheckConstraint(
            "result IN ('white', 'black', 'draw', 'neither', 'bye', 'zero_bye')",
            "ck_pairings_result",
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_pairings_game_id"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], "fk_pairings_tournament_id"),
        sa.PrimaryKeyConstraint("tournament_id", "round", "board", name="pk_pairings"),
        sa.UniqueConstraint("game_id", name="uq_pairings_game_id"),
    )
    op.execute("CREATE INDEX ix_pairings_by ON pairings (by_id)")


_KINDS = (
    "kind IN ('start', 'move', 'resign', 'abort', 'pick', 'side', 'offer', 'decline', 'takeback', "
    "'draw', 'hints', 'finish', 'give', 'vacation', 'pause', 'resume', 'timeout', 'desert', "
    "'continue')"
)


def _allow_more_events() -> None:
    with op.batch_alter_table("events") as events:  # SQLite copies the table
        events.drop_constraint("ck_events_kind", type_="check")
        events.create_check_constraint("ck_events_kind", _KINDS)


_COUNT_RESULTS = """
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
    WHERE outcome <> 'abort' AND continues_id IS NULL
        AND {seat}_id <> COALESCE(machine_id, 0){beside}
"""


def count_results(connection: sa.Connection) -> None:
    """Count the results of games that ended, per server and (as guild 0) in all servers."""
    seats = [
        _SEAT.format(pool=pool, seat=seat, colour=colour, beside=beside)
        for pool, beside in (("guild_id", " AND guild_id <> 0"), ("0", ""))
        for seat, colour in (("white", "W"), ("black", "B"))
    ]
    connection.execute(sa.text(_COUNT_RESULTS.format(seats="    UNION ALL".join(seats))))


_games = sa.table(
    "games",
    *map(sa.column, ("id", "guild_id", "channel_id", "start", "outcome", "revision")),
    *map(sa.column, ("white_id", "black_id", "level")),
)
_events = sa.table(
    "events",
    *map(sa.column, ("game_id", "revision", "kind", "actor_id", "at")),
    sa.column("data", sa.JSON),
)
_deliveries = sa.table(
    "deliveries",
    *map(sa.column, ("kind", "key", "guild_id", "channel_id", "game_id", "revision", "way")),
    *map(sa.column, ("silent", "created_at", "due_at", "tries", "tried_at")),
    sa.column("data", sa.JSON),
)
_PICKS = (("pick", "white_id", {"number": 1}), ("side", "black_id", {"color": "B"}))
"""The choices in a pie start, which no longer exists: in order, each with its player."""


def settle_picks(connection: sa.Connection) -> None:
    """Pick the first board, and keep the colors, in games that wait for these choices.

    Their boards are then sent, as after each turn.
    """
    unsettled = sa.select(_games).where(_games.c.start == "pie", _games.c.outcome.is_(None))
    now = time.time_ns() // 1_000_000
    for game in connection.execute(unsettled).all():
        its_kinds = sa.select(_events.c.kind).where(_events.c.game_id == game.id)
        done, number = set(connection.execute(its_kinds).scalars()), game.revision
        for kind, seat, data in _PICKS:
            if kind not in done:
                number += 1
                row = {"game_id": game.id, "revision": number, "kind": kind, "data": data}
                row |= {"actor_id": getattr(game, seat), "at": now}
                connection.execute(sa.insert(_events).values(row))
        if number == game.revision:
            continue
        changes = {"revision": number}
        connection.execute(sa.update(_games).where(_games.c.id == game.id).values(changes))
        letter = {"kind": "board", "key": f"{game.id}-{number}", "game_id": game.id, "data": {}}
        letter |= {"guild_id": game.guild_id, "channel_id": game.channel_id, "revision": number}
        letter |= {"way": "channel", "silent": False, "tries": 0}
        letter |= dict.fromkeys(("created_at", "due_at", "tried_at"), now)
        connection.execute(sa.insert(_deliveries).values(letter))


_challenges = sa.table("challenges", *map(sa.column, ("level", "start", "state")))
_LEVELS = dict(enumerate((3, 4, 5, 7, 8, 10, 11, 13, 14, 16), start=1))
"""For each of the ten levels of 0.1.0, the one of 0.2.0 that is nearest in strength."""


def convert_levels(connection: sa.Connection) -> None:
    """Replace the levels of all games and challenges."""
    for table in (_games, _challenges):
        new = sa.case(_LEVELS, value=table.c.level)
        connection.execute(sa.update(table).where(table.c.level.is_not(None)).values(level=new))


def convert_starts(connection: sa.Connection) -> None:
    """Let open challenges with the pie or symmetric start begin on a balanced board."""
    old = _challenges.c.start.in_(("pie", "symmetric")) & (_challenges.c.state == "open")
    connection.execute(sa.update(_challenges).where(old).values(start="balanced"))
