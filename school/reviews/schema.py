"""The table of reviews."""

import sqlalchemy as sa

from bot.database.schema import Instant, RowId, metadata, one_of
from school.reviews.model import ReviewState

_WAITING = sa.text("state = 'waiting'")
_CLOSER = sa.text("closer_since IS NOT NULL")

# The engine's reviews of ended games, made in the order of the requests.
reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("game_id", RowId, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("state", sa.String(7), nullable=False),
    sa.Column("queued_at", Instant, nullable=False),
    sa.Column("tells", sa.Boolean, nullable=False),  # the game's last board is to tell of it
    # Until then nobody begins it, if it waits for its first or closer look
    sa.Column("due_at", Instant, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("review", sa.JSON(none_as_null=True)),  # as dvonn.Review writes it
    sa.Column("engine", sa.String(40)),  # its version
    sa.Column("made_at", Instant),
    sa.Column("closer_since", Instant),  # since then it waits for a closer look; null: it does not
    sa.CheckConstraint(one_of("state", ReviewState), "state"),
    sa.CheckConstraint("(review IS NULL) = (state <> 'done')", "done"),
    sa.Index("ix_reviews_waiting", "queued_at", sqlite_where=_WAITING, postgresql_where=_WAITING),
    sa.Index("ix_reviews_closer", "closer_since", sqlite_where=_CLOSER, postgresql_where=_CLOSER),
)

# Written out, not as a parameter: a database that plans ahead sees that the index serves.
IS_WAITING = reviews.c.state == sa.literal_column("'waiting'")
