"""Let players give each other time and agree on pauses.

Revises: 0031
Date: 2026-11-29
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger()
_KINDS = (
    "kind IN ('start', 'move', 'resign', 'abort', 'pick', 'side', 'offer', 'decline', 'takeback', "
    "'draw', 'hints', 'finish', 'give', 'vacation', 'pause', 'resume', 'timeout', 'desert', "
    "'continue')"
)
# The table before this migration, without its check constraint. SQLite changes a constraint by
# copying the table, and needs this definition for that.
_EVENTS = sa.Table(
    "events",
    sa.MetaData(),
    sa.Column("game_id", _BIG.with_variant(sa.Integer(), "sqlite"), nullable=False),
    sa.Column("revision", sa.Integer(), nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("data", sa.JSON(), nullable=False),
    sa.Column("actor_id", _BIG, nullable=False),
    sa.Column("source_id", _BIG),
    sa.Column("used_ms", _BIG),
    sa.Column("at", _BIG, nullable=False),
    sa.PrimaryKeyConstraint("game_id", "revision", name="pk_events"),
    sa.ForeignKeyConstraint(["game_id"], ["games.id"], "fk_events_game_id"),
    sa.UniqueConstraint("source_id", name="uq_events_source_id"),
)


def upgrade() -> None:
    """Widen the check constraint on kinds of events."""
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint("ck_events_kind", "events")
    with op.batch_alter_table("events", copy_from=_EVENTS) as events:
        events.create_check_constraint("ck_events_kind", _KINDS)
