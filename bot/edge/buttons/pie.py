"""The buttons of a pie start, with which a board and then a colour is picked."""

from typing import Any

import discord

from bot.edge.answers import answering
from bot.edge.buttons.from_id import FromId
from bot.model.ids import SourceId, UserId
from dvonn import Color

_ID = r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9}):"
_COLORS = {"white": Color.WHITE, "black": Color.BLACK}


class PickBoardButton(FromId, template=_ID + r"pick-(?P<number>[1-3])"):
    """The number of a board."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Pick that board; the new picture is the answer."""
        async with answering(interaction) as answer:
            update = await interaction.client.desk.pie.pick_board(
                self.game,
                self.revision,
                UserId(interaction.user.id),
                int(self.found["number"]),
                source=SourceId(interaction.id),
            )
            await answer.publish(update, answer.defer())


class PickSideButton(FromId, template=_ID + r"side-(?P<side>white|black)"):
    """A colour."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Pick that colour; the new board is the answer."""
        async with answering(interaction) as answer:
            update = await interaction.client.desk.pie.pick_side(
                self.game,
                self.revision,
                UserId(interaction.user.id),
                _COLORS[self.found["side"]],
                source=SourceId(interaction.id),
            )
            await answer.publish(update, answer.defer())
