"""The table of users' studies."""

import sqlalchemy as sa

from bot.base.retention import DeletedKind
from bot.database.schema import WRITTEN_BY_PEOPLE, Instant, RetentionRule, RowId, metadata

# Users' studies, of a game or of any position, with moves and comments.
studies = sa.Table(
    "studies",
    metadata,
    sa.Column("id", RowId, primary_key=True),
    sa.Column("player_id", sa.BigInteger, nullable=False),
    sa.Column("game_id", RowId, sa.ForeignKey("games.id")),
    # checksum of the start position; null for a study of a game
    sa.Column("start", sa.String(24)),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("record", sa.Text, nullable=False, info=WRITTEN_BY_PEOPLE),  # all moves and comments
    sa.Column("place", sa.Integer, nullable=False),  # number of the current move; 0 at the start
    sa.Column("moves", sa.Integer, nullable=False),  # number of moves in the main line
    sa.Column("turned", sa.Boolean, nullable=False),
    sa.Column("kept", sa.Boolean, nullable=False),  # true if it has moves or comments by the user
    sa.Column("changed_at", Instant, nullable=False),
    sa.Index("ux_studies_game", "player_id", "game_id", unique=True),
    sa.Index("ix_studies_start", "player_id", "start", "changed_at"),
    sa.Index("ix_studies_kept", "player_id", "kept", "changed_at"),
    sa.Index("ix_studies_of_game", "game_id"),
    sa.Index("ix_studies_changed", "changed_at"),
    info=RetentionRule(expires=(DeletedKind.STUDIES, "changed_at")).info,
)
