"""Games that go on without help keep their boards, which questions to the engine are compared with.

Revises: 0021
Date: 2026-11-27
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("games", sa.Column("board", sa.String(160)))
