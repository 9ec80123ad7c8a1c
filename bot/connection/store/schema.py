"""The tables of the connection: what each shard heard, and the sessions that were begun."""

from sqlalchemy import Boolean, Column, Index, Integer, Table

from bot.database.columns import NO_GAMES, Instant, RowId, metadata

listening = Table(
    "listening",
    metadata,
    Column("shard_id", Integer, primary_key=True),
    Column("shard_count", Integer, primary_key=True),
    Column("heard_at", Instant, nullable=False),  # until then this shard has heard everything
    info=NO_GAMES,
)

# When a shard heard nothing: nobody's clock runs then.
outages = Table(
    "outages",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("shard_id", Integer, nullable=False),
    Column("shard_count", Integer, nullable=False),
    Column("began_at", Instant, nullable=False),
    Column("ended_at", Instant, nullable=False),
    Index("ix_outages_ended", "ended_at"),
)

# Each session begun with Discord (IDENTIFY), of which it allows so many a day; of the last day.
identifies = Table(
    "identifies",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("shard_id", Integer, nullable=False),
    Column("shard_count", Integer, nullable=False),
    Column("at", Instant, nullable=False),
    Column("by_host", Boolean, nullable=False),  # both are read by 0.1.0 only
    Column("stopped", Boolean, nullable=False),
)
