"""The tables of seasons: which servers have them, and what is earned in them and elsewhere."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
)

from bot.database.columns import Instant, RowId, metadata, one_of
from bot.features.tournaments.model.badges import BadgeKind

# A server without a row here has no seasons, or no more of them.
seasons = Table(
    "seasons",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("zone", String(40), nullable=False),  # in whose midnight months begin
    Column("level", Integer),  # of the machine, where it fills an odd seat of the play-off
    Column("due_at", Instant, nullable=False),  # when it is to be looked at
    Index("ix_seasons_due", "due_at"),
)

badges = Table(
    "badges",
    metadata,
    Column("tournament_id", RowId, ForeignKey("tournaments.id"), primary_key=True),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
    Column("place", Integer, nullable=False),
    Column("earned_at", Instant, nullable=False),
    CheckConstraint(one_of("kind", BadgeKind), "kind"),
    Index("ix_badges_player", "player_id"),
)
