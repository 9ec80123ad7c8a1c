"""The buttons under a challenge."""

from typing import Any

import discord

from bot import messages
from bot.edge.answers import Answer, answering
from bot.edge.buttons.from_id import FromId
from bot.edge.places import venue
from bot.edge.readers import everybody
from bot.model.ids import ChallengeId, MessageId, SourceId, UserId


class ChallengeButton(
    FromId,
    template=r"dvonn:challenge:(?P<challenge>[0-9]{1,18}):(?P<action>accept|decline|cancel)",
):
    """Accept, Decline or Cancel under a challenge."""

    @property
    def challenge(self) -> ChallengeId:
        """The challenge."""
        return ChallengeId(int(self.found["challenge"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a press."""
        async with answering(interaction) as answer:
            lobby, user = interaction.client.desk.lobby, UserId(interaction.user.id)
            if self.action == "accept":
                await self._accept(answer, user)
            elif self.action == "decline":
                row = await lobby.decline(self.challenge, user)
                await answer.in_place(messages.challenge_closed(everybody(), row))
            else:
                row = await lobby.cancel(self.challenge, user)
                await answer.in_place(messages.challenge_closed(everybody(), row))

    async def _accept(self, answer: Answer, user: UserId) -> None:
        interaction = answer.interaction
        desk = interaction.client.desk
        assert interaction.message is not None  # a button is under a message  # noqa: S101
        row, update = await desk.lobby.accept(
            self.challenge,
            user,
            message=MessageId(interaction.message.id),
            venue=venue(interaction),
            source=SourceId(interaction.id),
        )
        await answer.publish(
            update, answer.in_place(messages.challenge_accepted(everybody(), row, update.game))
        )
