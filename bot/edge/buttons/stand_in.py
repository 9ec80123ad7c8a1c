"""The button by which the machine goes on with a game that somebody has left."""

from typing import Any

import discord

from bot import messages
from bot.edge.answers import answering
from bot.edge.buttons.from_id import FromId
from bot.model.ids import SourceId, UserId
from bot.model.refusals import BadOpponent, OpponentProblem


class PlayOnButton(
    FromId, template=r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9}):play-on"
):
    """Play on with the machine, under the last board of a game that the opponent has left."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Go on with the game."""
        async with answering(interaction) as answer:
            client = interaction.client
            if not client.has_machine or client.user is None:
                raise BadOpponent(OpponentProblem.NO_MACHINE)
            update = await client.desk.stand_in.go_on(
                self.game,
                self.revision,
                UserId(interaction.user.id),
                UserId(client.user.id),
                source=SourceId(interaction.id),
            )
            await answer.publish(update, answer.privately(messages.done(answer.reader)))
