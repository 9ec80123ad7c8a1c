"""The first schema: challenges, games, events, deliveries, servers' settings, listening.

Revises: nothing
Date: 2026-11-20
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Numbers for moments (milliseconds since 1970) and for Discord's ids.
_big = sa.BigInteger()
_row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_open = sa.text("state = 'open'")
_running = sa.text("outcome IS NULL")
_unsent = sa.text("sent_at IS NULL AND dropped_at IS NULL")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "games",
        sa.Column("id", _row_id, nullable=False),
        sa.Column("guild_id", _big, nullable=False),
        sa.Column("channel_id", _big, nullable=False),
        sa.Column("white_id", _big, nullable=False),
        sa.Column("black_id", _big, nullable=False),
        sa.Column("coordinates", sa.String(8), nullable=False),
        sa.Column("start", sa.String(9), nullable=False),
        sa.Column("seed", _big, nullable=False),
        sa.Column("clock", sa.String(60), nullable=False),
        sa.Column("machine_id", _big),
        sa.Column("level", sa.Integer()),
        sa.Column("continues_id", _row_id),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(11)),
        sa.Column("winner", sa.String(1)),
        sa.Column("margin", sa.Integer()),
        sa.Column("own_thread", sa.Boolean(), nullable=False),
        sa.Column("created_at", _big, nullable=False),
        sa.Column("ended_at", _big),
        sa.Column("hinted_at", _big),
        sa.CheckConstraint(
            "outcome IN ('count', 'resignation', 'time', 'agreement', 'abort')",
            name="ck_games_outcome",
        ),
        sa.CheckConstraint("winner IN ('W', 'B')", name="ck_games_winner"),
        sa.CheckConstraint("winner IS NULL OR outcome IS NOT NULL", name="ck_games_won"),
        sa.CheckConstraint(
            "(margin IS NULL) = (outcome IS NULL OR outcome <> 'count')", name="ck_games_margin"
        ),
        sa.CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", name="ck_games_ended"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.ForeignKeyConstraint(["continues_id"], ["games.id"], name="fk_games_continues_id"),
        sa.UniqueConstraint("continues_id", name="uq_games_continues_id"),
        sqlite_autoincrement=True,
    )
    for name, column, unique in (
        ("uq_games_running_channel", "channel_id", True),
        ("ix_games_running_white", "white_id", False),
        ("ix_games_running_black", "black_id", False),
    ):
        op.create_index(
            name,
            "games",
            [column],
            unique=unique,
            sqlite_where=_running,
            postgresql_where=_running,
        )
    op.create_index("ix_games_ended", "games", ["channel_id", "ended_at"])
    op.create_table(
        "challenges",
        sa.Column("id", _row_id, nullable=False),
        sa.Column("guild_id", _big, nullable=False),
        sa.Column("channel_id", _big, nullable=False),
        sa.Column("challenger_id", _big, nullable=False),
        sa.Column("opponent_id", _big),
        sa.Column("colour", sa.String(6), nullable=False),
        sa.Column("coordinates", sa.String(8), nullable=False),
        sa.Column("start", sa.String(9), nullable=False),
        sa.Column("clock", sa.String(60), nullable=False),
        sa.Column("level", sa.Integer()),
        sa.Column("place", sa.String(6), nullable=False),
        sa.Column("state", sa.String(9), nullable=False),
        sa.Column("source_id", _big, nullable=False),
        sa.Column("created_at", _big, nullable=False),
        sa.Column("answered_at", _big),
        sa.Column("message_id", _big),
        sa.Column("game_id", _row_id),
        sa.Column("rematch_of", _row_id),
        sa.CheckConstraint("colour IN ('white', 'black', 'random')", name="ck_challenges_colour"),
        sa.CheckConstraint(
            "state IN ('open', 'accepted', 'declined', 'cancelled', 'expired')",
            name="ck_challenges_state",
        ),
        sa.CheckConstraint("place IN ('here', 'thread')", name="ck_challenges_place"),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_challenges_game_id"),
        sa.ForeignKeyConstraint(["rematch_of"], ["games.id"], name="fk_challenges_rematch_of"),
        sa.UniqueConstraint("source_id", name="uq_challenges_source_id"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "uq_challenges_open_rematch",
        "challenges",
        ["rematch_of"],
        unique=True,
        sqlite_where=_open,
        postgresql_where=_open,
    )
    op.create_index("ix_challenges_rematch", "challenges", ["rematch_of"])
    op.create_index(
        "ix_challenges_challenger", "challenges", ["guild_id", "challenger_id", "created_at"]
    )
    op.create_index(
        "ix_challenges_open",
        "challenges",
        ["created_at"],
        sqlite_where=_open,
        postgresql_where=_open,
    )
    op.create_index(
        "ix_challenges_open_challenger",
        "challenges",
        ["challenger_id", "guild_id"],
        sqlite_where=_open,
        postgresql_where=_open,
    )
    op.create_table(
        "events",
        sa.Column("game_id", _row_id, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("actor_id", _big, nullable=False),
        sa.Column("source_id", _big),
        sa.Column("used_ms", _big),
        sa.Column("at", _big, nullable=False),
        sa.CheckConstraint(
            "kind IN ('start', 'move', 'resign', 'abort', 'pick', 'side', 'offer', 'decline', "
            "'takeback', 'draw', 'finish', 'timeout', 'desert', 'continue')",
            name="ck_events_kind",
        ),
        sa.PrimaryKeyConstraint("game_id", "revision", name="pk_events"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_events_game_id"),
        sa.UniqueConstraint("source_id", name="uq_events_source_id"),
    )
    op.create_table(
        "deliveries",
        sa.Column("id", _row_id, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("key", sa.String(80), nullable=False),
        sa.Column("guild_id", _big, nullable=False),
        sa.Column("channel_id", _big, nullable=False),
        sa.Column("game_id", _row_id),
        sa.Column("revision", sa.Integer()),
        sa.Column("player_id", _big),
        sa.Column("way", sa.String(7), nullable=False),
        sa.Column("message_id", _big),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("silent", sa.Boolean(), nullable=False),
        sa.Column("batch", _big),
        sa.Column("created_at", _big, nullable=False),
        sa.Column("due_at", _big, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("tried_at", _big, nullable=False),
        sa.Column("sent_at", _big),
        sa.Column("dropped_at", _big),
        sa.CheckConstraint("way IN ('channel', 'dm', 'instead')", name="ck_deliveries_way"),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_deliveries_game_id"),
        sa.UniqueConstraint("key", "kind", name="uq_deliveries_key_kind"),
    )
    op.create_index("ix_deliveries_game", "deliveries", ["game_id", "kind", "revision"])
    op.create_index(
        "ix_deliveries_unsent",
        "deliveries",
        ["due_at"],
        sqlite_where=_unsent,
        postgresql_where=_unsent,
    )
    op.create_table(
        "plans",
        sa.Column("game_id", _row_id, nullable=False),
        sa.Column("player_id", _big, nullable=False),
        sa.Column("spaces", sa.String(200), nullable=False),
        sa.Column("else_next", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="pk_plans"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_plans_game_id"),
    )
    op.create_table(
        "timers",
        sa.Column("game_id", _row_id, nullable=False),
        sa.Column("guild_id", _big, nullable=False),
        sa.Column("due_at", _big, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_timers"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_timers_game_id"),
    )
    op.create_index("ix_timers_due", "timers", ["due_at"])
    op.create_table(
        "players",
        sa.Column("player_id", _big, nullable=False, autoincrement=False),
        sa.Column("mentions", sa.Boolean(), nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.Column("zone", sa.String(40)),
        sa.Column("quiet_from", sa.Integer()),
        sa.Column("quiet_until", sa.Integer()),
        sa.Column("remind_by", sa.String(7)),
        sa.Column("remind_at", sa.String(20)),
        sa.PrimaryKeyConstraint("player_id", name="pk_players"),
    )
    op.create_table(
        "blocks",
        sa.Column("player_id", _big, nullable=False, autoincrement=False),
        sa.Column("blocked_id", _big, nullable=False, autoincrement=False),
        sa.PrimaryKeyConstraint("player_id", "blocked_id", name="pk_blocks"),
    )
    op.create_table(
        "pings",
        sa.Column("by_id", _big, nullable=False, autoincrement=False),
        sa.Column("to_id", _big, nullable=False, autoincrement=False),
        sa.Column("kind", sa.String(9), nullable=False),
        sa.Column("counted_until", _big, nullable=False),
        sa.CheckConstraint("kind IN ('challenge', 'offer')", name="ck_pings_kind"),
        sa.PrimaryKeyConstraint("by_id", "to_id", "kind", name="pk_pings"),
    )
    op.create_index("ix_pings_counted", "pings", ["counted_until"])
    op.create_table(
        "vacations",
        sa.Column("id", _row_id, nullable=False),
        sa.Column("player_id", _big, nullable=False),
        sa.Column("begins_at", _big, nullable=False),
        sa.Column("ends_at", _big, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_vacations"),
    )
    op.create_index("ix_vacations_player", "vacations", ["player_id", "ends_at"])
    op.create_table(
        "outages",
        sa.Column("id", _row_id, nullable=False),
        sa.Column("shard_id", sa.Integer(), nullable=False),
        sa.Column("shard_count", sa.Integer(), nullable=False),
        sa.Column("began_at", _big, nullable=False),
        sa.Column("ended_at", _big, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outages"),
    )
    op.create_index("ix_outages_ended", "outages", ["ended_at"])
    op.create_table(
        "guild_settings",
        sa.Column("guild_id", _big, nullable=False, autoincrement=False),
        sa.Column("games_per_person", sa.Integer()),
        sa.Column("placement_boards", sa.String(4)),
        sa.CheckConstraint(
            "games_per_person BETWEEN 1 AND 25", name="ck_guild_settings_games_per_person"
        ),
        sa.CheckConstraint(
            "placement_boards IN ('new', 'edit')", name="ck_guild_settings_placement_boards"
        ),
        sa.PrimaryKeyConstraint("guild_id", name="pk_guild_settings"),
    )
    op.create_table(
        "game_channels",
        sa.Column("guild_id", _big, nullable=False),
        sa.Column("channel_id", _big, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "channel_id", name="pk_game_channels"),
    )
    op.create_table(
        "listening",
        sa.Column("shard_id", sa.Integer(), nullable=False),
        sa.Column("shard_count", sa.Integer(), nullable=False),
        sa.Column("heard_at", _big, nullable=False),
        sa.PrimaryKeyConstraint("shard_id", "shard_count", name="pk_listening"),
    )
    op.create_table(
        "identifies",
        sa.Column("id", _row_id, nullable=False),
        sa.Column("shard_id", sa.Integer(), nullable=False),
        sa.Column("shard_count", sa.Integer(), nullable=False),
        sa.Column("at", _big, nullable=False),
        sa.Column("by_host", sa.Boolean(), nullable=False),
        sa.Column("stopped", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_identifies"),
    )
