"""The buttons that answer what one player asks of the other."""

from typing import Any

import discord

from bot.edge.answers import answering
from bot.edge.buttons.from_id import FromId
from bot.model.ids import SourceId, UserId


class OfferButton(
    FromId,
    template=(
        r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9}):(?P<action>accept|decline)"
    ),
):
    """Accept or Decline under a board; whoever has asked takes it back with Decline."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a press; the next board says the rest."""
        async with answering(interaction) as answer:
            offers = interaction.client.desk.offers
            do = offers.accept if self.action == "accept" else offers.decline
            update = await do(
                self.game,
                self.revision,
                UserId(interaction.user.id),
                source=SourceId(interaction.id),
            )
            await answer.publish(update, answer.defer())
