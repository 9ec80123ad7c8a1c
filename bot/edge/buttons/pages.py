"""The buttons and lists of pages that somebody sees alone: help, and what they have chosen."""

from typing import Any

import discord

from bot import messages
from bot.edge.answers import answering
from bot.edge.buttons.from_id import FromId
from bot.edge.commands.help import help_page
from bot.edge.commands.settings import all_chosen
from bot.model.ids import UserId
from bot.model.preferences import Ahead, RemindBy
from bot.model.refusals import TurnOver


class HelpButton(FromId, template=r"dvonn:help:(?P<page>[a-z]{1,32})"):
    """Back or Next under a page."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the other page in place of this one."""
        async with answering(interaction) as answer:
            post = await help_page(answer, self.found["page"])
            await answer.in_place(post, await interaction.client.desk.publisher.render(post))


class HowToPlayButton(FromId, template=messages.HOW_TO_PLAY_ID):
    """How to play, under a challenge or a game's first board: only who presses it sees it."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the first page of the rules."""
        async with answering(interaction) as answer:
            post = await help_page(answer, messages.FIRST_RULE)
            await answer.privately(post, await interaction.client.desk.publisher.render(post))


class ReminderButton(FromId, template=r"dvonn:reminder:[0-9]{1,19}"):
    """The button under a reminder: whoever presses it sees what they have chosen for themselves."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the preferences."""
        async with answering(interaction) as answer:
            await answer.privately(await all_chosen(answer))


class PreferenceSelect(FromId, template=r"dvonn:preferences:(?P<action>by|at)"):
    """A list of ways or times to be reminded."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Choose, and show all that is chosen now."""
        async with answering(interaction) as answer:
            choices, user = interaction.client.desk.choices, UserId(interaction.user.id)
            value = next(iter(self.item.values), "")
            try:
                if self.action == "by":
                    chosen = await choices.set_reminders(user, by=RemindBy(value))
                else:
                    at = frozenset(map(Ahead, value.split()))
                    chosen = await choices.set_reminders(user, at=at)
            except ValueError as error:  # somebody has forged a choice
                raise TurnOver from error
            await answer.in_place(await all_chosen(answer, chosen))
