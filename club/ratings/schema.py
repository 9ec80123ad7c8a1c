"""The tables of ratings, and of the changes caused by each game."""

import sqlalchemy as sa

from bot.base.ids import DELETED_USER
from bot.base.retention import DeletedKind
from bot.database.schema import OF_OTHERS, Instant, RetentionRule, RowId, metadata, one_of
from bot.play.model.clock import Pace

# Users' ratings in a server, and as guild 0 in all of this host's servers together.
ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("pace", sa.String(4), primary_key=True),
    sa.Column("player_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("rating", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("volatility", sa.Double, nullable=False),
    sa.Column("rated_at", Instant, nullable=False),
    # true if the deviation was small after the last game
    sa.Column("settled", sa.Boolean, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("won", sa.Integer, nullable=False),
    sa.Column("drawn", sa.Integer, nullable=False),
    sa.Column("lost", sa.Integer, nullable=False),
    sa.Column("best", sa.Double),  # highest settled rating so far
    sa.CheckConstraint(one_of("pace", Pace), "pace"),
    sa.Index("ix_ratings_best", "guild_id", "pace", "settled", "rating", "player_id"),
    sa.Index("ix_ratings_player", "player_id"),
    sa.Index("ix_ratings_rated", "rated_at"),
    # By then, the user's last game has been anonymized, and its rating changes deleted.
    info=RetentionRule(expires=(DeletedKind.STRENGTHS, "rated_at")).info,
)

# A rated game's changes for each of its players, in the server and in all servers together. They
# include everything about the opponent that counted, even after the opponent is deleted.
rating_changes = sa.Table(
    "rating_changes",
    metadata,
    sa.Column("game_id", RowId, sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("player_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("pace", sa.String(4), nullable=False),
    sa.Column("at", Instant, nullable=False),  # the game's `rated_at`
    sa.Column("number", sa.Integer, nullable=False),  # 1 for a player's first rated game
    sa.Column("score", sa.Double, nullable=False),  # 1 for a win, 0 for a loss, 0.5 for a draw
    sa.Column("opponent_id", sa.BigInteger, nullable=False, info=OF_OTHERS),
    sa.Column("opponent_rating", sa.Double, nullable=False),
    sa.Column("opponent_deviation", sa.Double, nullable=False),  # at that time
    sa.Column("since", Instant, nullable=False),  # time of the previous rating
    sa.Column("rating_before", sa.Double, nullable=False),
    sa.Column("deviation_before", sa.Double, nullable=False),
    sa.Column("volatility_before", sa.Double, nullable=False),
    sa.Column("rating_after", sa.Double, nullable=False),
    sa.Column("deviation_after", sa.Double, nullable=False),
    sa.Column("volatility_after", sa.Double, nullable=False),
    sa.CheckConstraint(one_of("pace", Pace), "pace"),
    sa.Index("ix_rating_changes_player", "player_id", "guild_id", "pace", "at"),
    info=RetentionRule(before_deletion=lambda: (_leave_no_opponent,)).info,
)

# Their rating is kept anonymously, because it explains other people's ratings.
_leave_no_opponent: sa.Update = (
    sa.update(rating_changes)
    .where(
        rating_changes.c.game_id.in_(
            sa.select(rating_changes.c.game_id).where(
                rating_changes.c.player_id == sa.bindparam("player")
            )
        ),
        rating_changes.c.opponent_id == sa.bindparam("player"),
    )
    .values(opponent_id=DELETED_USER[None])
)
