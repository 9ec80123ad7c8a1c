"""The table of solved lesson steps."""

from sqlalchemy import BigInteger, Column, Index, String, Table

from bot.base.retention import DeletedKind
from bot.database.schema import Instant, RetentionRule, metadata

# Steps of the primer that users have solved, with the time when they first did.
lessons = Table(
    "lessons",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("step", String(20), primary_key=True),  # name of the step
    Column("solved_at", Instant, nullable=False),
    Index("ix_lessons_solved", "solved_at"),
    info=RetentionRule(expires=(DeletedKind.LESSONS, "solved_at")).info,
)
