"""The buttons and lists of pages that somebody sees alone: help."""

from typing import Any

import discord

from bot import messages
from bot.edge.answers import answering
from bot.edge.buttons.from_id import FromId
from bot.edge.commands.help import help_page


class HelpButton(FromId, template=r"dvonn:help:(?P<page>[a-z]{1,32})"):
    """Back or Next under a page."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the other page in place of this one."""
        async with answering(interaction) as answer:
            await answer.in_place(await help_page(answer, self.found["page"]))


class HowToPlayButton(FromId, template=messages.HOW_TO_PLAY_ID):
    """How to play, under a challenge or a game's first board: only who presses it sees it."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the first page of the rules."""
        async with answering(interaction) as answer:
            await answer.privately(await help_page(answer, messages.FIRST_RULE))
