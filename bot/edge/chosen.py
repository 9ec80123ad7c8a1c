"""All that somebody has chosen for themselves, as they alone see it."""

from bot import messages
from bot.edge.desk import Interaction
from bot.messages import Post
from bot.model.ids import UserId
from bot.model.preferences import Preferences


async def all_chosen(interaction: Interaction, chosen: Preferences | None = None) -> Post:
    """What the one who asks has chosen, if not known already, and whom they have blocked."""
    desk, user = interaction.client.desk, UserId(interaction.user.id)
    known = chosen or await desk.choices.of(user)
    return messages.preferences(known, await desk.blocks.of(user))
