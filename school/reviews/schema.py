"""The table of reviews."""

import sqlalchemy as sa

from bot.database.schema import Instant, RowId, metadata, one_of, partial_index
from school.reviews.model import ReviewState

_WAITING = sa.text("state = 'waiting'")
_CLOSER = sa.text("closer_since IS NOT NULL")

# Reviews of ended games, in any state. They are made in order of their requests.
reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("game_id", RowId, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("state", sa.String(7), nullable=False),
    sa.Column("queued_at", Instant, nullable=False),
    sa.Column("tells", sa.Boolean, nullable=False),  # true if it is added to the game's last board
    # while a first or closer look is queued, no process starts it before this time
    sa.Column("due_at", Instant, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("review", sa.JSON(none_as_null=True)),  # in the format of dvonn.Review
    sa.Column("engine", sa.String(40)),  # version of the engine
    sa.Column("made_at", Instant),
    sa.Column("closer_since", Instant),  # when it was queued for a closer look; null if it isn't
    sa.CheckConstraint(one_of("state", ReviewState), "state"),
    sa.CheckConstraint("(review IS NULL) = (state <> 'done')", "done"),
    partial_index("ix_reviews_waiting", "queued_at", condition=_WAITING),
    partial_index("ix_reviews_closer", "closer_since", condition=_CLOSER),
)

# A literal instead of a parameter, because otherwise the query planner could not use the index.
IS_WAITING = reviews.c.state == sa.literal_column("'waiting'")
