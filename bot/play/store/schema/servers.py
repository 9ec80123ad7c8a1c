"""The tables of servers: what moderators have chosen there."""

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Column, Integer, String, Table

from bot.database.columns import Instant, metadata
from bot.database.keeping import Keeping

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
