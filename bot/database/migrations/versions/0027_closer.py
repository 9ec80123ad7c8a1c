"""Let quickly made reviews wait for a closer look.

Revises: 0026
Date: 2026-11-28
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

_CLOSER = sa.text("closer_since IS NOT NULL")


def upgrade() -> None:
    """Add the time since which a review waits, and the index that finds it."""
    op.add_column("reviews", sa.Column("closer_since", sa.BigInteger))
    op.create_index(
        "ix_reviews_closer",
        "reviews",
        ["closer_since"],
        sqlite_where=_CLOSER,
        postgresql_where=_CLOSER,
    )
