"""The tables of ratings: how strong players are, and what each game has changed about that."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Update,
    bindparam,
    select,
    update,
)

from bot.base.ids import NOBODY
from bot.base.retention import Gone
from bot.database.columns import OF_OTHERS, Instant, Keeping, RowId, metadata, one_of
from bot.features.ratings.model.glicko import Pace

# How strong somebody plays: in a server, and as guild 0 in all of this host's servers together.
ratings = Table(
    "ratings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("pace", String(4), primary_key=True),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("rated_at", Instant, nullable=False),
    Column("settled", Boolean, nullable=False),  # the deviation was small after the last game
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("best", Double),  # the highest rating that was settled
    CheckConstraint(one_of("pace", Pace), "pace"),
    Index("ix_ratings_best", "guild_id", "pace", "settled", "rating", "player_id"),
    Index("ix_ratings_player", "player_id"),
    Index("ix_ratings_rated", "rated_at"),
    # Their last game is nobody's by then, and all that it has changed has gone with it.
    info=Keeping(goes=(Gone.STRENGTHS, "rated_at")).info,
)

# What a rated game has changed for each of its players, in the server and in all of them together.
# Of the opponent it has all that counted, so that it still says why once they are nobody.
rating_changes = Table(
    "rating_changes",
    metadata,
    Column("game_id", RowId, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("pace", String(4), nullable=False),
    Column("at", Instant, nullable=False),  # the game's `rated_at`
    Column("number", Integer, nullable=False),  # 1 for a player's first rated game
    Column("score", Double, nullable=False),  # 1 for a win, 0 for a loss, 0.5 for a draw
    Column("opponent_id", BigInteger, nullable=False, info=OF_OTHERS),
    Column("opponent_rating", Double, nullable=False),
    Column("opponent_deviation", Double, nullable=False),  # as it was by then
    Column("since", Instant, nullable=False),  # when the rating before was found
    Column("rating_before", Double, nullable=False),
    Column("deviation_before", Double, nullable=False),
    Column("volatility_before", Double, nullable=False),
    Column("rating_after", Double, nullable=False),
    Column("deviation_after", Double, nullable=False),
    Column("volatility_after", Double, nullable=False),
    CheckConstraint(one_of("pace", Pace), "pace"),
    Index("ix_rating_changes_player", "player_id", "guild_id", "pace", "at"),
    info=Keeping(leaving=lambda: (_leave_no_opponent,)).info,
)

# How strong they were stays, as nobody's: it is why the others' ratings are what they are.
_leave_no_opponent: Update = (
    update(rating_changes)
    .where(
        rating_changes.c.game_id.in_(
            select(rating_changes.c.game_id).where(
                rating_changes.c.player_id == bindparam("player")
            )
        ),
        rating_changes.c.opponent_id == bindparam("player"),
    )
    .values(opponent_id=NOBODY[None])
)
