"""The table of people's results, for their profiles."""

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Column, Index, Integer, String, Table

from bot.base.retention import DeletedKind
from bot.database.schema import Instant, RetentionRule, metadata, one_of
from bot.play.model.terms import Start
from dvonn import Color

_COUNTED = (Start.PLACEMENT, Start.BALANCED, Start.SYMMETRIC, Start.PIE)

# Results of a user's games, by color and kind of start, per server, and as guild 0 for all servers
# of this host. They are derived from the games, and can be recounted.
records = Table(
    "records",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("machine", Boolean, primary_key=True),  # against the machine
    Column("colour", String(1), primary_key=True),
    Column("start", String(9), primary_key=True),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("last_at", Instant, nullable=False),  # when the last of these games ended
    CheckConstraint(one_of("colour", Color), "colour"),
    CheckConstraint(one_of("start", _COUNTED), "start"),
    Index("ix_records_player", "player_id"),
    Index("ix_records_last", "last_at"),
    # By then, the user's last game has been anonymized.
    info=RetentionRule(expires=(DeletedKind.STRENGTHS, "last_at")).info,
)
