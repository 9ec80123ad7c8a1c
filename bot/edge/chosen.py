"""All that somebody has chosen for themselves, as they alone see it."""

from bot import messages
from bot.edge.answers import Answer
from bot.messages import Post
from bot.model.ids import UserId
from bot.model.preferences import Preferences


async def all_chosen(answer: Answer, chosen: Preferences | None = None) -> Post:
    """What the one who asks has chosen, if not known already, and whom they have blocked."""
    desk, user = answer.interaction.client.desk, UserId(answer.interaction.user.id)
    known = chosen or await desk.choices.of(user)
    return messages.preferences(answer.reader, known, await desk.blocks.of(user))
