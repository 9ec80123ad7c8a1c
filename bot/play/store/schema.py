"""The tables of games, from challenge to result, and of people's and servers' settings.

Events are authoritative.
"""

import sqlalchemy as sa

from bot.database.schema import (
    NO_GAMES,
    OF_OTHERS,
    WRITTEN_BY_PEOPLE,
    Instant,
    RetentionRule,
    RowId,
    metadata,
    one_of,
    partial_index,
)
from bot.play.model.events import KINDS
from bot.play.model.terms import EndReason
from dvonn import Color

_OPEN = sa.text("state = 'open'")
_RUNNING = sa.text("outcome IS NULL")
_ENDED = sa.text("ended_at IS NOT NULL")
_NAMED = sa.text("ended_at IS NOT NULL AND anonymous_at IS NULL")
_RATED = sa.text("rated_at IS NOT NULL")
_CHOSEN_LEVEL = sa.text("level IS NOT NULL AND continues_id IS NULL AND tournament_id IS NULL")
_CLOSED = sa.text("answered_at IS NOT NULL AND game_id IS NULL")

# Ids that appear in texts and old buttons are never reused (AUTOINCREMENT).
challenges = sa.Table(
    "challenges",
    metadata,
    sa.Column("id", RowId, primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("challenger_id", sa.BigInteger, nullable=False),
    sa.Column("opponent_id", sa.BigInteger),  # null: open to anyone
    sa.Column("colour", sa.String(6), nullable=False),
    sa.Column("coordinates", sa.String(8), nullable=False),
    sa.Column("start", sa.String(9), nullable=False),
    sa.Column("position", sa.String(90)),  # if the game starts from a position
    sa.Column("clock", sa.String(60), nullable=False),  # a time control as text, or "none"
    sa.Column("level", sa.Integer),  # of the machine, if it is challenged
    sa.Column("place", sa.String(6), nullable=False),
    sa.Column("state", sa.String(9), nullable=False),
    sa.Column("source_id", sa.BigInteger, nullable=False, unique=True),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("answered_at", Instant),
    sa.Column("message_id", sa.BigInteger),  # its message, if known
    sa.Column("game_id", RowId, sa.ForeignKey("games.id")),
    sa.Column("rematch_of", RowId, sa.ForeignKey("games.id")),
    # Seconds per vote, if a team plays
    sa.Column("vote_s", sa.Integer),
    # True if the game is rated. Null: depends on who accepts
    sa.Column("rated", sa.Boolean),
    # true if running out of time loses immediately (null: the usual rule)
    sa.Column("strict", sa.Boolean),
    sa.CheckConstraint("colour IN ('white', 'black', 'random')", "colour"),
    sa.CheckConstraint(
        "state IN ('open', 'accepted', 'declined', 'cancelled', 'expired')", "state"
    ),
    sa.CheckConstraint("place IN ('here', 'thread')", "place"),
    # Of two requests for a rematch, the second accepts the first.
    partial_index(
        "uq_challenges_open_rematch",
        "rematch_of",
        unique=True,
        condition=_OPEN,
    ),
    sa.Index("ix_challenges_rematch", "rematch_of"),
    sa.Index("ix_challenges_challenger", "guild_id", "challenger_id", "created_at"),
    partial_index("ix_challenges_open", "created_at", condition=_OPEN),
    partial_index(
        "ix_challenges_open_challenger",
        "challenger_id",
        "guild_id",
        condition=_OPEN,
    ),
    sa.Index("ix_challenges_game", "game_id"),
    partial_index("ix_challenges_closed", "answered_at", condition=_CLOSED),
    info=RetentionRule(outlives_people=True).info,
    sqlite_autoincrement=True,
)

games = sa.Table(
    "games",
    metadata,
    sa.Column("id", RowId, primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    # the channel or thread where it is played
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("white_id", sa.BigInteger, nullable=False),
    sa.Column("black_id", sa.BigInteger, nullable=False),
    sa.Column("coordinates", sa.String(8), nullable=False),
    sa.Column("start", sa.String(9), nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),  # seed of a random start
    sa.Column("clock", sa.String(60), nullable=False),
    sa.Column("machine_id", sa.BigInteger),  # the player id of the machine, if it plays
    sa.Column("level", sa.Integer),
    # The game that the machine continues here after one of its players left.
    sa.Column("continues_id", RowId, sa.ForeignKey("games.id"), unique=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("outcome", sa.String(11)),  # how it ended (null: it is running)
    sa.Column("winner", sa.String(1)),  # the winning color, if any
    sa.Column("margin", sa.Integer),  # the winner's lead in pieces, if they were counted
    # True if the bot opened the thread
    sa.Column("own_thread", sa.Boolean, nullable=False),
    # True if the bot is a guest in that place. Null: older than this column
    sa.Column("visiting", sa.Boolean),
    # Seconds per vote. A team's player id is its channel's id, negated.
    sa.Column("vote_s", sa.Integer),
    sa.Column("tournament_id", sa.BigInteger),  # its tournament, if any
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("ended_at", Instant),
    sa.Column("hinted_at", Instant),  # when players got the hint on typing moves without the intent
    sa.Column("anonymous_at", Instant),  # when it was anonymized because of the host's setting
    sa.Column("rated", sa.Boolean),  # true if it is rated (null: older than ratings)
    # When it was rated. A player's games never have equal times, so this gives their order.
    sa.Column("rated_at", Instant),
    sa.Column("engine", sa.Integer),  # version of the machine that plays
    # True if the other player can claim the game after inactivity or on time. Null: older than that
    sa.Column("claimable", sa.Boolean),
    # Its newest board, as model.played_boards writes it. Null if help is not restricted, or if it
    # was last changed by an older bot that lacks this column.
    sa.Column("board", sa.String(160)),
    sa.CheckConstraint(one_of("outcome", EndReason), "outcome"),
    sa.CheckConstraint(one_of("winner", Color), "winner"),
    sa.CheckConstraint("winner IS NULL OR outcome IS NOT NULL", "won"),
    sa.CheckConstraint("(margin IS NULL) = (outcome IS NULL OR outcome <> 'count')", "margin"),
    sa.CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", "ended"),
    # "d2-d4" must be unambiguous, so a channel has at most one running game.
    partial_index(
        "uq_games_running_channel",
        "channel_id",
        unique=True,
        condition=_RUNNING,
    ),
    sa.Index("ix_games_ended", "channel_id", "ended_at"),
    sa.Index("ix_games_seed", "guild_id", "seed"),
    partial_index("ix_games_running_white", "white_id", condition=_RUNNING),
    partial_index("ix_games_running_black", "black_id", condition=_RUNNING),
    partial_index("ix_games_running_guild", "guild_id", condition=_RUNNING),
    partial_index(
        "ix_games_ended_white",
        "guild_id",
        "white_id",
        "ended_at",
        "id",
        condition=_ENDED,
    ),
    partial_index(
        "ix_games_ended_black",
        "guild_id",
        "black_id",
        "ended_at",
        "id",
        condition=_ENDED,
    ),
    partial_index("ix_games_named", "ended_at", condition=_NAMED),
    partial_index("ix_games_named_guild", "guild_id", condition=_NAMED),
    partial_index(
        "ix_games_pair",
        "white_id",
        "black_id",
        "guild_id",
        condition=_ENDED,
    ),
    partial_index("ix_games_rated", "rated_at", "id", condition=_RATED),
    *(
        partial_index(
            f"ix_games_level_{seat}",
            f"{seat}_id",
            "id",
            condition=_CHOSEN_LEVEL,
        )
        for seat in ("white", "black")
    ),
    info=RetentionRule(outlives_people=True).info,
    sqlite_autoincrement=True,
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("game_id", RowId, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("revision", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False),
    # specific to the kind; moves are in standard coordinates
    sa.Column("data", sa.JSON, nullable=False),
    sa.Column("actor_id", sa.BigInteger, nullable=False),
    sa.Column("source_id", sa.BigInteger),  # null: automatic, from a plan or a clock
    # Time that the actor's clock ran, if there is one
    sa.Column("used_ms", sa.BigInteger),
    sa.Column("at", Instant, nullable=False),
    sa.CheckConstraint(one_of("kind", KINDS), "kind"),
    # A message that Discord sends twice is played only once.
    sa.UniqueConstraint("source_id"),
    info=RetentionRule(outlives_people=True).info,
)


# All votes that were cast. A person's last vote in a turn counts.
votes = sa.Table(
    "votes",
    metadata,
    # A message that Discord sends twice counts as one vote. Ids are in order of time.
    sa.Column("source_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("game_id", RowId, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),  # revision that created the board
    sa.Column("channel_id", sa.BigInteger, nullable=False),  # the team's channel
    sa.Column("player_id", sa.BigInteger, nullable=False),
    sa.Column("move", sa.String(7), nullable=False),  # in standard coordinates
    sa.Column("voted_at", Instant, nullable=False),
    sa.Column("closed_at", Instant),  # when its game ended
    sa.Index("ix_votes_board", "game_id", "revision"),
    sa.Index("ix_votes_player", "player_id", "game_id"),
    sa.Index("ix_votes_closed", "closed_at"),
    info=RetentionRule().info,
)


# When to check a running game again: for a reminder, for a deadline, or for inactivity.
timers = sa.Table(
    "timers",
    metadata,
    sa.Column("game_id", RowId, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("due_at", Instant, nullable=False),
    sa.Index("ix_timers_due", "due_at"),
)


# Literals instead of parameters, so that the query planner can use the indexes above.
IS_OPEN = challenges.c.state == sa.literal_column("'open'")
IS_RUNNING = games.c.outcome.is_(None)
HAS_ENDED = games.c.ended_at.is_not(None)
HAS_CHOSEN_LEVEL = (
    games.c.level.is_not(None) & games.c.continues_id.is_(None) & games.c.tournament_id.is_(None)
)
IS_NAMED = HAS_ENDED & games.c.anonymous_at.is_(None)


_HIDDEN = sa.text("profile IS NOT NULL")

# Users' own settings. Null is the bot's default. Some switches have their own columns. Newer ones,
# of the game or of a feature, are in `switched`.
players = sa.Table(
    "players",
    metadata,
    sa.Column("player_id", sa.BigInteger, primary_key=True, autoincrement=False),
    # Mention them at each turn, so that Discord notifies them
    sa.Column("mentions", sa.Boolean, nullable=False),
    # Play the only legal move automatically
    sa.Column("automatic", sa.Boolean, nullable=False),
    sa.Column("zone", sa.String(40)),
    sa.Column("quiet_from", sa.Integer),  # minutes of the day
    sa.Column("quiet_until", sa.Integer),
    sa.Column("remind_by", sa.String(7)),
    sa.Column("remind_at", sa.String(20)),
    sa.Column("reviews", sa.Boolean),  # have their games reviewed automatically
    sa.Column("puzzles", sa.Boolean),  # let their games become puzzles
    # Language of texts to them, and settings of their private views.
    sa.Column("language", sa.String(12)),
    sa.Column("theme", sa.String(20)),
    sa.Column("coordinates", sa.String(8)),
    sa.Column("side", sa.Boolean),  # see their own side at the bottom
    sa.Column("preview", sa.Boolean),  # see a move's effects before it is played
    sa.Column("profile", sa.Boolean),  # let others see their profile and rank (null: they may)
    sa.Column("digest_at", sa.Integer),  # minute of the day for the digest of waiting games
    sa.Column("digest_due", Instant),
    sa.Column("auto_vacation", sa.Boolean),  # start a vacation before a loss on time
    sa.Column("switched", sa.JSON(none_as_null=True)),  # other switches, by key
    sa.Index("ix_players_digest", "digest_due"),
    partial_index("ix_players_hidden", "player_id", condition=_HIDDEN),
    info=RetentionRule().info,
)


# Users who deleted their data, so that no backup restores it.
deletions = sa.Table(
    "deletions",
    metadata,
    sa.Column("person", sa.String(64), primary_key=True),  # a hash of their user id
    sa.Column("at", Instant, nullable=False),
    info=NO_GAMES,
)

# Users whose challenges a player does not want. They aren't notified.
blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("player_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("blocked_id", sa.BigInteger, primary_key=True, autoincrement=False, info=OF_OTHERS),
    info=RetentionRule().info,
)

# Recent pings from one person to another in all servers, except by moves.
pings = sa.Table(
    "pings",
    metadata,
    sa.Column("by_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("to_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(9), primary_key=True),
    sa.Column("counted_until", Instant, nullable=False),  # after that, the row has no meaning
    sa.CheckConstraint("kind IN ('challenge', 'offer')", "kind"),
    sa.Index("ix_pings_counted", "counted_until"),
    info=RetentionRule(expires_soon=True).info,
)

# People blocked by moderators in a server. Only the blocked person learns the reason.
server_blocks = sa.Table(
    "server_blocks",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("player_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("reason", sa.String(200), nullable=False, info=WRITTEN_BY_PEOPLE),
    sa.Column("until_at", Instant, nullable=False),  # after that, the row has no meaning
    sa.Index("ix_server_blocks_player", "player_id"),
    sa.Index("ix_server_blocks_until", "until_at"),
    info=RetentionRule(expires_soon=True, shows_server=True).info,
)

vacations = sa.Table(
    "vacations",
    metadata,
    sa.Column("id", RowId, primary_key=True),
    sa.Column("player_id", sa.BigInteger, nullable=False),
    sa.Column("begins_at", Instant, nullable=False),
    sa.Column("ends_at", Instant, nullable=False),
    sa.Index("ix_vacations_player", "player_id", "ends_at"),
    info=RetentionRule().info,
)


# Periods when all games of a server, or of one of its tournaments, had paused clocks.
clock_stops = sa.Table(
    "clock_stops",
    metadata,
    sa.Column("id", RowId, primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("tournament_id", sa.BigInteger),  # null: all games of the server
    sa.Column("begins_at", Instant, nullable=False),
    sa.Column("ends_at", Instant, nullable=False),
    sa.Index("ix_clock_stops_guild", "guild_id", "ends_at"),
    info=RetentionRule(shows_server=True).info,
)

guild_settings = sa.Table(
    "guild_settings",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    # A null means the bot's default.
    sa.Column("games_per_person", sa.Integer),
    sa.Column("placement_boards", sa.String(4)),
    # Defaults for new games.
    sa.Column("start", sa.String(9)),
    sa.Column("clock", sa.String(60)),
    sa.Column("coordinates", sa.String(8)),
    sa.Column("place", sa.String(6)),
    sa.Column("reviews", sa.Boolean),  # have games reviewed automatically
    sa.Column("language", sa.String(12)),
    sa.Column("theme", sa.String(20)),
    # role that may organize tournaments, besides users who manage the server
    sa.Column("role_id", sa.BigInteger),
    sa.Column("log_channel_id", sa.BigInteger),  # where moderators' actions are logged
    sa.Column("winner_role_id", sa.BigInteger),  # for winners of tournaments
    # when the bot was found to be removed, if the host wants such servers' data deleted
    sa.Column("left_at", Instant),
    # True if games between people are rated by default
    sa.Column("rated", sa.Boolean),
    sa.CheckConstraint("games_per_person BETWEEN 1 AND 25", "games_per_person"),
    sa.CheckConstraint("placement_boards IN ('new', 'edit')", "placement_boards"),
    info=RetentionRule(shows_server=True).info,
)

# Where games can be started. A server without a row here allows every channel.
game_channels = sa.Table(
    "game_channels",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True),
    sa.Column("channel_id", sa.BigInteger, primary_key=True),
    info=RetentionRule(shows_server=True).info,
)

# A channel's settings. The server's settings apply where a channel has none.
channel_settings = sa.Table(
    "channel_settings",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("channel_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("language", sa.String(12)),
    sa.Column("theme", sa.String(20)),
    sa.Column("coordinates", sa.String(8)),  # the coordinates of new games
    info=RetentionRule(shows_server=True).info,
)
