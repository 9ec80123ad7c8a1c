"""The notice that the machine is silent, in the channel of its game."""

from collections.abc import Sequence
from functools import partial

import discord

from bot.connection.delivery_kinds import Parcel
from bot.connection.discord_messages import button_ids
from bot.database.delivery_rows import Delivery
from bot.features.machine.use_cases import SILENCE
from bot.features.machine.words import go_on_id, silent
from bot.play.delivery.boards import PostKind
from bot.play.model.game import Game
from bot.play.words.views import board_button_id


class SilenceKind(PostKind):
    """A notice is known again by the id of its button, and by having no picture."""

    name = SILENCE

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """Return the notice, unless the machine has moved or the game is over."""
        (row,) = rows
        game = await self._waiting(row)
        if game is None:
            await self.drop(row)
            return None
        post = silent(await self.made.readers.watching(game.row), game)
        if game.row.visiting:
            return Parcel(rows, partial(self.channels.slots.say, row.channel, post))
        return self.parcel(rows, post)

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        ours = {go_on_id(*row.turn), board_button_id(*row.turn, "more")}
        return not message.attachments and not ours.isdisjoint(button_ids(message))

    async def _waiting(self, row: Delivery) -> Game | None:
        """Return the game of a row if the machine still has to make that move."""
        number, revision = row.turn
        game = await self.made.cases.game_cache.current(number)
        if game is None or game.row.revision != revision or not game.waits_for_machine:
            return None
        return game
