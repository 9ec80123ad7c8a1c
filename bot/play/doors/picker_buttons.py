"""Actions of the parts of a picker."""

from typing import Any

import discord

from bot.connection.from_id import FromId
from bot.play.doors.answers import Answer, answering
from bot.play.doors.voting import play_or_vote
from bot.play.words.picker import landings, picker
from bot.play.words.previews import preview

_ID = r"dvonn:pick:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9}):"


class SpaceSelect(FromId, template=_ID + r"row:[0-4]"):
    """A row of free spaces: choosing one places the piece."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with answering(interaction) as answer:
            await _play(self, answer, self.chosen)


class StackSelect(FromId, template=_ID + r"stack"):
    """One's stacks that can move: choosing one shows where it may go."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with answering(interaction) as answer:
            services, user = answer.services, answer.user
            game, stack = await services.games.pick_stack(
                self.game, self.revision, user, self.chosen
            )
            await answer.in_place(landings(answer.reader, game, stack))


class LandingButton(FromId, template=_ID + r"(?P<action>go|play):(?P<move>[a-k0-9-]{2,7})"):
    """A landing of the chosen stack, which moves or shows what that does; Play it moves."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with answering(interaction) as answer:
            services, user = answer.services, answer.user
            move = self.found["move"]
            if self.action == "go":
                found = await services.previews.picked(self.game, self.revision, user, move)
                if found is not None:
                    await answer.in_place(preview(answer.reader, found))
                    return
            await _play(self, answer, move)


class BackButton(FromId, template=_ID + r"back"):
    """Back, under the landings of a stack or a move not yet played: one changes one's mind."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show all stacks that can move again, in place of that."""
        async with answering(interaction) as answer:
            services, user = answer.services, answer.user
            game = await services.games.may_move(self.game, user)
            post = picker(answer.reader, game, interaction.client.board_parts)
            await answer.in_place(post)


async def _play(part: FromId, answer: Answer, move: str) -> None:
    services, user = answer.services, answer.user
    playing = services.games.pick(part.game, part.revision, user, move, source=answer.source)
    await play_or_vote(answer, playing, answer.in_place, text=move)
