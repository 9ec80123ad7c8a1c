"""The tables of play, from challenge to result, and of people and servers. Events are the truth."""

from collections.abc import Iterable

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    UniqueConstraint,
    literal_column,
    text,
)

from bot.database.columns import NO_GAMES, OF_OTHERS, Instant, Keeping, RowId, metadata, one_of
from bot.play.model.events import KINDS
from bot.play.model.terms import How
from dvonn import Color

_OPEN = text("state = 'open'")
_RUNNING = text("outcome IS NULL")
_ENDED = text("ended_at IS NOT NULL")
_NAMED = text("ended_at IS NOT NULL AND anonymous_at IS NULL")
_RATED = text("rated_at IS NOT NULL")
_CHOSEN_LEVEL = text("level IS NOT NULL AND continues_id IS NULL AND tournament_id IS NULL")
_CLOSED = text("answered_at IS NOT NULL AND game_id IS NULL")

# What people and old buttons call by its number has one that never comes again (AUTOINCREMENT).
challenges = Table(
    "challenges",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("challenger_id", BigInteger, nullable=False),
    Column("opponent_id", BigInteger),  # nobody: open to anyone
    Column("colour", String(6), nullable=False),
    Column("coordinates", String(8), nullable=False),
    Column("start", String(9), nullable=False),
    Column("clock", String(60), nullable=False),  # a time control's text, or "none"
    Column("level", Integer),  # of the machine, where it is challenged
    Column("place", String(6), nullable=False),
    Column("state", String(9), nullable=False),
    Column("source_id", BigInteger, nullable=False, unique=True),
    Column("created_at", Instant, nullable=False),
    Column("answered_at", Instant),
    Column("message_id", BigInteger),  # its message, as far as that is known
    Column("game_id", RowId, ForeignKey("games.id")),
    Column("rematch_of", RowId, ForeignKey("games.id")),
    # Teams play it, with as many seconds for each vote; perhaps against another channel's.
    Column("vote_s", Integer),
    Column("rival_id", BigInteger),
    Column("rated", Boolean),  # the game counts for ratings; null: that depends on who accepts it
    CheckConstraint("colour IN ('white', 'black', 'random')", "colour"),
    CheckConstraint("state IN ('open', 'accepted', 'declined', 'cancelled', 'expired')", "state"),
    CheckConstraint("place IN ('here', 'thread')", "place"),
    # Whoever asks for a rematch second accepts the first one's offer.
    Index(
        "uq_challenges_open_rematch",
        "rematch_of",
        unique=True,
        sqlite_where=_OPEN,
        postgresql_where=_OPEN,
    ),
    Index("ix_challenges_rematch", "rematch_of"),
    Index("ix_challenges_challenger", "guild_id", "challenger_id", "created_at"),
    Index("ix_challenges_open", "created_at", sqlite_where=_OPEN, postgresql_where=_OPEN),
    Index(
        "ix_challenges_open_challenger",
        "challenger_id",
        "guild_id",
        sqlite_where=_OPEN,
        postgresql_where=_OPEN,
    ),
    Index("ix_challenges_game", "game_id"),
    Index("ix_challenges_closed", "answered_at", sqlite_where=_CLOSED, postgresql_where=_CLOSED),
    info=Keeping(stays=True).info,
    sqlite_autoincrement=True,
)

games = Table(
    "games",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),  # the channel or thread it is played in
    Column("white_id", BigInteger, nullable=False),
    Column("black_id", BigInteger, nullable=False),
    Column("coordinates", String(8), nullable=False),
    Column("start", String(9), nullable=False),
    Column("seed", BigInteger, nullable=False),  # what a random start is made from
    Column("clock", String(60), nullable=False),
    Column("machine_id", BigInteger),  # which of the players is the machine, if one is
    Column("level", Integer),
    # The game that one of its players gave up, and that the machine goes on with.
    Column("continues_id", RowId, ForeignKey("games.id"), unique=True),
    Column("revision", Integer, nullable=False),
    Column("outcome", String(11)),  # by what it ended; none: it runs
    Column("winner", String(1)),  # which colour has won, if one has
    Column("margin", Integer),  # by how many pieces, where they were counted
    Column("own_thread", Boolean, nullable=False),  # the bot opened the thread it is played in
    Column("visiting", Boolean),  # the bot is not in that place; null: of before it could be so
    # Teams have a channel's number below 0 for a player's, and as many seconds for each vote.
    Column("vote_s", Integer),
    Column("away_id", BigInteger),  # the channel of the other team, where one plays another
    Column("tournament_id", BigInteger),  # that it is played in
    Column("created_at", Instant, nullable=False),
    Column("ended_at", Instant),
    Column("hinted_at", Instant),  # when the players were told how to type without the intent
    Column("anonymous_at", Instant),  # when a host's setting made it nobody's
    Column("rated", Boolean),  # it is to count for ratings; null: of before there were any
    # When it has counted: no two games of one player at the same moment, so that this is the order.
    Column("rated_at", Instant),
    Column("engine", Integer),  # the version of the machine that plays
    Column("claimable", Boolean),  # whoever lets it lie loses it; null: of before that was so
    # What others' questions are compared with, as model.likeness writes it; null: nothing,
    # or it was last changed by a bot that didn't know of it.
    Column("board", String(160)),
    CheckConstraint(one_of("outcome", How), "outcome"),
    CheckConstraint(one_of("winner", Color), "winner"),
    CheckConstraint("winner IS NULL OR outcome IS NOT NULL", "won"),
    CheckConstraint("(margin IS NULL) = (outcome IS NULL OR outcome <> 'count')", "margin"),
    CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", "ended"),
    # A bare "d2-d4" has one meaning: at most one running game in a channel.
    Index(
        "uq_games_running_channel",
        "channel_id",
        unique=True,
        sqlite_where=_RUNNING,
        postgresql_where=_RUNNING,
    ),
    Index(
        "uq_games_running_away",
        "away_id",
        unique=True,
        sqlite_where=_RUNNING,
        postgresql_where=_RUNNING,
    ),
    Index("ix_games_ended", "channel_id", "ended_at"),
    Index("ix_games_seed", "guild_id", "seed"),
    Index("ix_games_running_white", "white_id", sqlite_where=_RUNNING, postgresql_where=_RUNNING),
    Index("ix_games_running_black", "black_id", sqlite_where=_RUNNING, postgresql_where=_RUNNING),
    Index("ix_games_running_guild", "guild_id", sqlite_where=_RUNNING, postgresql_where=_RUNNING),
    Index(
        "ix_games_ended_white",
        "guild_id",
        "white_id",
        "ended_at",
        "id",
        sqlite_where=_ENDED,
        postgresql_where=_ENDED,
    ),
    Index(
        "ix_games_ended_black",
        "guild_id",
        "black_id",
        "ended_at",
        "id",
        sqlite_where=_ENDED,
        postgresql_where=_ENDED,
    ),
    Index("ix_games_named", "ended_at", sqlite_where=_NAMED, postgresql_where=_NAMED),
    Index("ix_games_named_guild", "guild_id", sqlite_where=_NAMED, postgresql_where=_NAMED),
    Index(
        "ix_games_pair",
        "white_id",
        "black_id",
        "guild_id",
        sqlite_where=_ENDED,
        postgresql_where=_ENDED,
    ),
    Index("ix_games_rated", "rated_at", "id", sqlite_where=_RATED, postgresql_where=_RATED),
    *(
        Index(
            f"ix_games_level_{seat}",
            f"{seat}_id",
            "id",
            sqlite_where=_CHOSEN_LEVEL,
            postgresql_where=_CHOSEN_LEVEL,
        )
        for seat in ("white", "black")
    ),
    info=Keeping(stays=True).info,
    sqlite_autoincrement=True,
)

events = Table(
    "events",
    metadata,
    Column("game_id", RowId, ForeignKey("games.id"), primary_key=True),
    Column("revision", Integer, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("data", JSON, nullable=False),  # the kind's own; moves in standard coordinates
    Column("actor_id", BigInteger, nullable=False),
    Column("source_id", BigInteger),  # none: it came by itself, from a list or a clock
    Column("used_ms", BigInteger),  # how long the actor's clock ran for it, where they have one
    Column("at", Instant, nullable=False),
    CheckConstraint(one_of("kind", KINDS), "kind"),
    # A message that Discord tells us twice is played once.
    UniqueConstraint("source_id"),
    info=Keeping(stays=True).info,
)


# What a player has decided for their next turns; nobody else learns of it before it is played.
plans = Table(
    "plans",
    metadata,
    Column("game_id", RowId, ForeignKey("games.id"), primary_key=True),
    Column("player_id", BigInteger, primary_key=True),
    Column("spaces", String(200), nullable=False),  # in standard coordinates, with blanks between
    Column("else_next", Boolean, nullable=False),  # a taken space is replaced by the next free one
    # A tree, or why none is left, as plans.model.conditional writes it; then there are no spaces.
    Column("tree", JSON(none_as_null=True)),
    Index("ix_plans_player", "player_id"),
)


# What people have voted for, each time; of everybody's in a turn the last one counts.
votes = Table(
    "votes",
    metadata,
    # A message that Discord tells us twice is one vote; its numbers are in the order of time.
    Column("source_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game_id", RowId, ForeignKey("games.id"), nullable=False),
    Column("revision", Integer, nullable=False),  # the one that brought the board
    Column("channel_id", BigInteger, nullable=False),  # the team's
    Column("player_id", BigInteger, nullable=False),
    Column("move", String(7), nullable=False),  # in standard coordinates
    Column("voted_at", Instant, nullable=False),
    Column("closed_at", Instant),  # when its game ended
    Index("ix_votes_board", "game_id", "revision"),
    Index("ix_votes_player", "player_id", "game_id"),
    Index("ix_votes_closed", "closed_at"),
)


# When a running game is to be looked at again: to remind somebody, because a time is up, or because
# it may lie.
timers = Table(
    "timers",
    metadata,
    Column("game_id", RowId, ForeignKey("games.id"), primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("due_at", Instant, nullable=False),
    Index("ix_timers_due", "due_at"),
)


# Written out, not as parameters: a database that plans ahead sees that the indexes above serve.
IS_OPEN = challenges.c.state == literal_column("'open'")
IS_RUNNING = games.c.outcome.is_(None)
HAS_ENDED = games.c.ended_at.is_not(None)
HAS_CHOSEN_LEVEL = (
    games.c.level.is_not(None) & games.c.continues_id.is_(None) & games.c.tournament_id.is_(None)
)
IS_NAMED = HAS_ENDED & games.c.anonymous_at.is_(None)


_HIDDEN = text("profile IS NOT NULL")

# What people have chosen for themselves; what is null is at the bot's default. Newer
# switches, of the game or of a feature, get their columns by `add_switches`.
players = Table(
    "players",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("mentions", Boolean, nullable=False),  # be named so that Discord tells, at each turn
    Column("automatic", Boolean, nullable=False),  # let an only legal move be played by itself
    Column("zone", String(40)),
    Column("quiet_from", Integer),  # minutes of the day
    Column("quiet_until", Integer),
    Column("remind_by", String(7)),
    Column("remind_at", String(20)),
    Column("reviews", Boolean),  # have their games reviewed unasked
    Column("puzzles", Boolean),  # let their games become puzzles
    # How they are spoken to, and what they alone see.
    Column("language", String(12)),
    Column("theme", String(20)),
    Column("coordinates", String(8)),
    Column("side", Boolean),  # see their own side at the bottom
    Column("preview", Boolean),  # see what a move does before it is played
    Column("profile", Boolean),  # let others see their profile and place; null: they may
    Index("ix_players_hidden", "player_id", sqlite_where=_HIDDEN, postgresql_where=_HIDDEN),
)


def add_switches(keys: Iterable[str]) -> None:
    """Add the columns of switches that have none yet; a migration adds them to the database."""
    for key in keys:
        if key not in players.c:
            players.append_column(Column(key, Boolean))


# Who had all about them deleted, so that no backup brings it back.
deletions = Table(
    "deletions",
    metadata,
    Column("person", String(64), primary_key=True),  # a checksum of their number
    Column("at", Instant, nullable=False),
    info=NO_GAMES,
)

# Whose challenges somebody never wants to get; nobody is told.
blocks = Table(
    "blocks",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked_id", BigInteger, primary_key=True, autoincrement=False, info=OF_OTHERS),
)

# Who has lately made the bot ping whom, besides by moves; in all servers together.
pings = Table(
    "pings",
    metadata,
    Column("by_id", BigInteger, primary_key=True, autoincrement=False),
    Column("to_id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(9), primary_key=True),
    Column("counted_until", Instant, nullable=False),  # then the row means nothing any more
    CheckConstraint("kind IN ('challenge', 'offer')", "kind"),
    Index("ix_pings_counted", "counted_until"),
    info=Keeping(goes_by_itself=True).info,
)

vacations = Table(
    "vacations",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("player_id", BigInteger, nullable=False),
    Column("begins_at", Instant, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Index("ix_vacations_player", "player_id", "ends_at"),
)


guild_settings = Table(
    "guild_settings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    # What nobody has chosen is at the bot's default.
    Column("games_per_person", Integer),
    Column("placement_boards", String(4)),
    # How a game is where nobody says otherwise.
    Column("start", String(9)),
    Column("clock", String(60)),
    Column("coordinates", String(8)),
    Column("place", String(6)),
    Column("reviews", Boolean),  # have games reviewed unasked
    Column("language", String(12)),
    Column("theme", String(20)),
    Column("role_id", BigInteger),  # who may organise tournaments, besides those who manage
    Column("rated", Boolean),  # games between people count for ratings where nobody says otherwise
    CheckConstraint("games_per_person BETWEEN 1 AND 25", "games_per_person"),
    CheckConstraint("placement_boards IN ('new', 'edit')", "placement_boards"),
    info=Keeping(shows_server=True).info,
)

# Where games may be started; a server without a row here lets them be started anywhere.
game_channels = Table(
    "game_channels",
    metadata,
    Column("guild_id", BigInteger, primary_key=True),
    Column("channel_id", BigInteger, primary_key=True),
    info=Keeping(shows_server=True).info,
)

# What a channel has of its own; where nothing is chosen, it is as its server is.
channel_settings = Table(
    "channel_settings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("language", String(12)),
    Column("theme", String(20)),
    Column("coordinates", String(8)),  # those of its usual game
    info=Keeping(shows_server=True).info,
)

# Which servers the bot is not in any more, where their host wants what is kept of them to go.
departures = Table(
    "departures",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("since", Instant, nullable=False),  # when that was seen
)
