"""What the buttons under a board do, and those of a question about it."""

from typing import Any

import discord

from bot import messages
from bot.edge.answers import Answer, answering
from bot.edge.buttons.from_id import FromId
from bot.edge.challenges import begin_against_machine, post_challenge
from bot.edge.forms import move_form
from bot.edge.places import venue
from bot.edge.readers import everybody
from bot.model.ids import MessageId, SourceId, UserId


class BoardButton(
    FromId,
    template=(
        r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9})"
        r":(?P<action>pick|type|text|rematch|resign|resign-yes|resign-no)"
    ),
):
    """A button under a board, or under a question about it."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a press."""
        async with answering(interaction) as answer:
            games, user = interaction.client.desk.games, UserId(interaction.user.id)
            match self.action:
                case "pick":
                    game = await games.may_move(self.game, user)
                    await answer.privately(messages.picker(answer.reader, game))
                case "type":
                    game = await games.may_move(self.game, user)
                    await answer.form(move_form(answer.reader, game))
                case "text":
                    game, is_newest = await games.at(self.game, self.revision)
                    await answer.privately(
                        messages.board_as_text(answer.reader, game, is_newest=is_newest)
                    )
                case "rematch":
                    await self._rematch(answer, user)
                case "resign":
                    game = await games.may_resign(self.game, self.revision, user)
                    await answer.privately(messages.confirm_resignation(answer.reader, game))
                case "resign-yes":
                    await self._resign(answer, user)
                case _:
                    await answer.in_place(messages.kept_playing(answer.reader))

    async def _resign(self, answer: Answer, user: UserId) -> None:
        desk = answer.interaction.client.desk
        update = await desk.games.resign(
            self.game, self.revision, user, source=SourceId(answer.interaction.id)
        )
        await answer.publish(update, answer.in_place(messages.played(answer.reader, update)))

    async def _rematch(self, answer: Answer, user: UserId) -> None:
        interaction = answer.interaction
        desk = interaction.client.desk
        assert interaction.message is not None  # a button is under a message  # noqa: S101
        row, update = await desk.rematches.ask(
            await desk.games.current(self.game),
            user,
            message=MessageId(interaction.message.id),
            venue=venue(interaction),
            source=SourceId(interaction.id),
        )
        if update is None:
            message = await post_challenge(answer, row)
            if row.terms.level is not None and message is not None:
                await begin_against_machine(answer, row, message)
        else:
            accepted = messages.challenge_accepted(everybody(), row, update.game)
            await answer.publish(update, answer.publicly(accepted))
