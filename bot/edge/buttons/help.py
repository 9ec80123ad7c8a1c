"""The buttons that turn the pages of /help."""

from typing import Any

import discord

from bot import messages
from bot.edge.answers import answering
from bot.edge.buttons.from_id import FromId
from bot.edge.surroundings import surroundings


class HelpButton(FromId, template=r"dvonn:help:(?P<page>[a-z]{1,32})"):
    """Back or Next under a page."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the other page in place of this one."""
        async with answering(interaction) as answer:
            post = messages.help_page(
                answer.reader, self.found["page"], await surroundings(interaction)
            )
            await answer.in_place(post, await interaction.client.desk.publisher.render(post))
