"""The machine gets sixteen levels. Future games use the new level nearest to the chosen one.

Games keep their number, which is read by their version of the machine.

Revises: 0027
Date: 2026-11-28
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

_challenges = sa.table("challenges", sa.column("level"), sa.column("state"))
_tournaments = sa.table("tournaments", sa.column("level"), sa.column("ended_at"))
_NOW = dict(enumerate((1, 3, 5, 7, 8, 10, 11, 13, 14, 16), start=1))
"""For each of the ten old levels, the new one that is equally strong."""


def upgrade() -> None:
    """Change the levels of open challenges and running tournaments."""
    move_levels(op.get_bind())


def move_levels(connection: sa.Connection) -> None:
    """Replace old levels with the new ones that are equally strong."""
    for table, is_ahead in (
        (_challenges, _challenges.c.state == "open"),
        (_tournaments, _tournaments.c.ended_at.is_(None)),
    ):
        level = table.c.level
        now = sa.case(_NOW, value=level, else_=level)
        connection.execute(sa.update(table).where(is_ahead, level.in_(_NOW)).values(level=now))
