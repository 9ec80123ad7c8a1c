"""The buttons that lead to help, and those under what the bot says in words."""

from typing import Any

import discord

from bot.base.ids import ChannelId
from bot.connection.from_id import FromId
from bot.play.doors.answers import answering
from bot.play.doors.help_command import help_page
from bot.play.words.boards import look
from bot.play.words.buttons import HOW_TO_PLAY_ID
from bot.play.words.help import FIRST_PAGE, FIRST_RULE
from renderer import LESSONS


class NoticeButton(FromId, template=r"dvonn:notice:(?P<notice>set-back|in-part)"):
    """Shows where the channel's game stands now; by its id a notice is known again."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the board to the presser."""
        async with answering(interaction) as answer:
            services = interaction.client.services
            game = await services.games.here(ChannelId(interaction.channel_id or 0))
            await answer.privately(look(answer.reader, game))


_PAGES = {"help": FIRST_PAGE, "rules": next(iter(LESSONS))}


class AskedButton(FromId, template=r"dvonn:asked:(?P<page>help|rules)"):
    """A button on how to play, under an answer that everybody sees."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the pages to the presser alone."""
        async with answering(interaction) as answer:
            await answer.privately(await help_page(answer, _PAGES[self.found["page"]]))


class HelpButton(FromId, template=r"dvonn:help:(?P<page>[a-z]{1,32})"):
    """Back or Next under a page."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the other page in place of this one."""
        async with answering(interaction) as answer:
            await answer.in_place(await help_page(answer, self.found["page"]))


class HowToPlayButton(FromId, template=HOW_TO_PLAY_ID):
    """A button on how to play, under a challenge or a first board: it answers its presser alone."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the first page of the rules."""
        async with answering(interaction) as answer:
            await answer.privately(await help_page(answer, FIRST_RULE))
