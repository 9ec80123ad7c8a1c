"""A second organizer, more time for one game, and the log of organizers' acts.

Revises: 0039
Date: 2026-11-30
"""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add two columns and a table."""
    op.add_column("tournaments", sa.Column("helper_id", sa.BigInteger()))
    op.create_index("ix_tournaments_helper", "tournaments", ["helper_id"])
    op.add_column(
        "pairings",
        sa.Column("extra_s", sa.Integer(), server_default=sa.text("0"), nullable=False),
    )
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "tournament_acts",
        sa.Column("id", number, nullable=False),
        sa.Column("tournament_id", number, nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("by_id", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.BigInteger()),
        sa.Column("round", sa.Integer()),
        sa.Column("board", sa.Integer()),
        sa.Column("days", sa.Integer()),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_tournament_acts_tournament_id",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_tournament_acts"),
    )
    op.create_index("ix_tournament_acts_tournament", "tournament_acts", ["tournament_id", "id"])
    for column in ("by", "player"):
        op.create_index(f"ix_tournament_acts_{column}", "tournament_acts", [f"{column}_id"])
