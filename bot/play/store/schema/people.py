"""The tables of people: what they have chosen, and whom they leave in peace."""

from collections.abc import Iterable

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    Integer,
    String,
    Table,
    text,
)

from bot.database.columns import NO_GAMES, Instant, RowId, metadata
from bot.database.keeping import OF_OTHERS, Keeping

_HIDDEN = text("profile IS NOT NULL")

# What people have chosen for themselves; what is null is at the bot's default. Switches that
# features have declared since get their columns by `add_switches`.
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
