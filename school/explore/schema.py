"""The table of people's own boards."""

import sqlalchemy as sa

from bot.base.retention import DeletedKind
from bot.database.schema import Instant, RetentionRule, RowId, metadata

# Users' own boards, of a game or of any position, with moves and comments.
studies = sa.Table(
    "studies",
    metadata,
    sa.Column("id", RowId, primary_key=True),
    sa.Column("player_id", sa.BigInteger, nullable=False),
    sa.Column("game_id", RowId, sa.ForeignKey("games.id")),
    sa.Column("start", sa.String(24)),  # a checksum of its first position, without a game
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("record", sa.Text, nullable=False),  # all moves and comments
    sa.Column("place", sa.Integer, nullable=False),  # number of the shown move; 0: none yet
    sa.Column("moves", sa.Integer, nullable=False),  # of its main line
    sa.Column("turned", sa.Boolean, nullable=False),
    sa.Column("kept", sa.Boolean, nullable=False),  # it has own moves or comments
    sa.Column("changed_at", Instant, nullable=False),
    sa.Index("ux_studies_game", "player_id", "game_id", unique=True),
    sa.Index("ix_studies_start", "player_id", "start", "changed_at"),
    sa.Index("ix_studies_kept", "player_id", "kept", "changed_at"),
    sa.Index("ix_studies_of_game", "game_id"),
    sa.Index("ix_studies_changed", "changed_at"),
    info=RetentionRule(expires=(DeletedKind.STUDIES, "changed_at")).info,
)
