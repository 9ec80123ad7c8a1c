"""Clear a plan, as the button in its view does."""

from bot.base.ids import UserId
from bot.features.plans.use_cases import Planning
from tests.bot.table import CHANNEL, Table


async def clear(table: Table, user: UserId) -> bool:
    """Clear a user's plan in the channel's game. Return True if there was one."""
    planning = table.of(Planning)
    game, _ = await planning.show(CHANNEL, user)
    return await planning.clear(game.row.id, user)
