"""Practise my mistakes, under a review."""

from typing import Any

import discord

from bot.connection.from_id import FromId
from bot.features.practice.use_cases import Practising
from bot.features.practice.words import practice_kept
from bot.play.doors.answers import answering
from bot.play.doors.looking import asker


class PractiseButton(FromId, template=r"dvonn:practise:(?P<game>[0-9]{1,18})"):
    """Practise my mistakes, under a review."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Let the presser's mistakes come back to them."""
        async with answering(interaction) as answer:
            practising, (user, guild) = (
                interaction.client.services.of(Practising),
                asker(interaction),
            )
            new, count = await practising.keep(self.game, user, guild=guild)
            due = await practising.due(user)
            await answer.privately(practice_kept(answer.reader, new, count, due))
