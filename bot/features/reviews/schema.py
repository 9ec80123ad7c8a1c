"""The table of reviews."""

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
    literal_column,
    text,
)

from bot.database.columns import Instant, RowId, metadata, one_of
from bot.features.reviews.model import ReviewState

_WAITING = text("state = 'waiting'")

# What the engine says of games that are over: made in the order in which they were asked for.
reviews = Table(
    "reviews",
    metadata,
    Column("game_id", RowId, ForeignKey("games.id"), primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("state", String(7), nullable=False),
    Column("queued_at", Instant, nullable=False),
    Column("tells", Boolean, nullable=False),  # the game's last board is to tell of it
    Column("due_at", Instant, nullable=False),  # until then it is leased to a process, if waiting
    Column("tries", Integer, nullable=False),
    Column("review", JSON(none_as_null=True)),  # as dvonn.Review writes it
    Column("engine", String(40)),  # its version
    Column("made_at", Instant),
    CheckConstraint(one_of("state", ReviewState), "state"),
    CheckConstraint("(review IS NULL) = (state <> 'done')", "done"),
    Index("ix_reviews_waiting", "queued_at", sqlite_where=_WAITING, postgresql_where=_WAITING),
)

# Written out, not as a parameter: a database that plans ahead sees that the index serves.
IS_WAITING = reviews.c.state == literal_column("'waiting'")
