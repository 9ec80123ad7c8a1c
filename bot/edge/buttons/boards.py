"""The buttons under a board."""

import re
from typing import Any, Self

import discord

from bot import messages
from bot.edge.answers import Answer, answering
from bot.edge.desk import Desk
from bot.ids import GameId, Revision, SourceId, UserId


class BoardButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=(
        r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9})"
        r":(?P<action>text|resign|resign-yes|resign-no)"
    ),
):
    """A button under a board, or under a question about it."""

    def __init__(
        self, item: discord.ui.Button[Any], game: GameId, revision: Revision, action: str
    ) -> None:
        super().__init__(item)
        self.game = game
        self.revision = revision
        self.action = action

    @classmethod
    async def from_custom_id(
        cls,
        _interaction: discord.Interaction[Any],
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        """Read the button's id."""
        assert isinstance(item, discord.ui.Button)  # the template is of buttons only  # noqa: S101
        game, revision = GameId(int(match["game"])), Revision(int(match["revision"]))
        return cls(item, game, revision, match["action"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a press."""
        async with answering(interaction) as answer:
            desk, user = interaction.client.desk, UserId(interaction.user.id)
            match self.action:
                case "text":
                    await self._text(desk, answer)
                case "resign":
                    game = await desk.games.may_resign(self.game, self.revision, user)
                    await answer.privately(messages.confirm_resignation(game))
                case "resign-yes":
                    await self._resign(desk, answer, user)
                case _:
                    await answer.in_place(messages.kept_playing())

    async def _text(self, desk: Desk, answer: Answer) -> None:
        game = await desk.games.at(self.game, self.revision)
        current = await desk.games.current(self.game)
        is_newest = game.row.revision == current.row.revision
        await answer.privately(messages.board_as_text(game, is_newest=is_newest))

    async def _resign(self, desk: Desk, answer: Answer, user: UserId) -> None:
        update = await desk.games.resign(
            self.game, self.revision, user, source=SourceId(answer.interaction.id)
        )
        await answer.in_place(messages.played(update))
        await desk.publisher.publish(update)
