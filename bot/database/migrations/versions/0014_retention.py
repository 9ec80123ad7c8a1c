"""Add indexes for finding rows that a host keeps only for a limited time.

Revises: 0013
Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_NAMED = sa.text("ended_at IS NOT NULL AND anonymous_at IS NULL")
_CLOSED = sa.text("answered_at IS NOT NULL AND game_id IS NULL")


def upgrade() -> None:
    """Add the column, the table, and an index for each query."""
    op.add_column("games", sa.Column("anonymous_at", sa.BigInteger()))
    op.create_table(
        "departures",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_departures"),
    )
    for name, column in (("named", "ended_at"), ("named_guild", "guild_id")):
        op.create_index(
            f"ix_games_{name}", "games", [column], sqlite_where=_NAMED, postgresql_where=_NAMED
        )
    op.create_index("ix_challenges_game", "challenges", ["game_id"])
    op.create_index(
        "ix_challenges_closed",
        "challenges",
        ["answered_at"],
        sqlite_where=_CLOSED,
        postgresql_where=_CLOSED,
    )
    op.create_index("ix_lessons_solved", "lessons", ["solved_at"])
    op.create_index("ix_solvers_rated", "solvers", ["rated_at"])
    op.create_index("ix_puzzle_attempts_at", "puzzle_attempts", ["at"])
    op.create_index("ix_daily_answers_at", "daily_answers", ["at"])
    op.create_index("ix_server_puzzles_game", "server_puzzles", ["game_id"])
    op.create_index("ix_practice_game", "practice", ["game_id"])
