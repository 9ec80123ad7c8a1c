"""The button under what a channel is told once; by its id such a notice is known again."""

from typing import Any

import discord

from bot import messages
from bot.edge.answers import answering
from bot.edge.buttons.from_id import FromId
from bot.model.ids import ChannelId


class NoticeButton(FromId, template=r"dvonn:notice:(?P<notice>set-back|in-part)"):
    """Shows where the channel's game stands now."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the board to whoever asks."""
        async with answering(interaction) as answer:
            desk = interaction.client.desk
            game = await desk.games.here(ChannelId(interaction.channel_id or 0))
            post = messages.look(answer.reader, game)
            await answer.privately(post, await desk.publisher.render(post))
