"""The pages of a game's review: whoever presses Review sees them alone."""

from typing import Any

import discord

from bot.connection.from_id import FromId
from bot.features.practice.use_cases import Practising
from bot.features.practice.words import practice_kept
from bot.features.reviews.use_cases import Reviews
from bot.features.reviews.words.reviews import placement_shown, review_as_text, review_page
from bot.play.doors.answers import answering
from bot.play.doors.looking import asker, worth_of_points


class ReviewButton(
    FromId,
    template=r"dvonn:review:(?P<game>[0-9]{1,18}):(?P<page>[0-9]{1,3})(?P<text>:text)?",
):
    """A page of a review, under a board that everybody sees or under another page."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the page, in place of the one whose button was pressed."""
        async with answering(interaction) as answer:
            desk, page = interaction.client.desk, int(self.found["page"])
            user, guild = asker(interaction)
            game, review = await desk.of(Reviews).of(self.game, user=user, guild=guild)
            ply = placement_shown(review, page)
            thoughts = () if ply is None else await worth_of_points(interaction, game, ply)
            shown = game, review, page, thoughts
            if self.found["text"]:
                await answer.privately(review_as_text(answer.reader, *shown))
                return
            await answer.view(review_page(answer.reader, *shown, asker=user))


class PractiseButton(FromId, template=r"dvonn:practise:(?P<game>[0-9]{1,18})"):
    """Practise my mistakes, under a review."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Let the presser's mistakes come back to them."""
        async with answering(interaction) as answer:
            practising, (user, guild) = interaction.client.desk.of(Practising), asker(interaction)
            new, count = await practising.keep(self.game, user, guild=guild)
            due = await practising.due(user)
            await answer.privately(practice_kept(answer.reader, new, count, due))
