"""The table of plans."""

import sqlalchemy as sa

from bot.database.schema import RetentionRule, RowId, metadata

# A player's plan for their next turns. Nobody else sees it before it is played.
plans = sa.Table(
    "plans",
    metadata,
    sa.Column("game_id", RowId, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("player_id", sa.BigInteger, primary_key=True),
    # In standard coordinates, separated by spaces
    sa.Column("spaces", sa.String(200), nullable=False),
    # The next free space replaces a taken one
    sa.Column("else_next", sa.Boolean, nullable=False),
    # A tree, or the reason why it lapsed, as `bot.features.plans.model.tree` writes it. `spaces` is
    # empty then.
    sa.Column("tree", sa.JSON(none_as_null=True)),
    sa.Index("ix_plans_player", "player_id"),
    info=RetentionRule().info,
)
