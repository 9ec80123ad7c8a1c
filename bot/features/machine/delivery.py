"""Sends a notice to a game's channel when the machine is not moving."""

from collections.abc import Sequence
from functools import partial

import discord

from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.discord_messages import button_ids
from bot.database.delivery_rows import Delivery
from bot.features.machine.use_cases import SILENCE
from bot.features.machine.words import end_silent_game_id, silence_notice
from bot.play.delivery.boards import PostHandler
from bot.play.model.game import Game
from bot.play.words.views import board_button_id


class SilenceHandler(PostHandler):
    """Sends the notice. A sent notice is recognized by its button and the missing picture."""

    name = SILENCE

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the notice, unless the machine has moved or the game is over."""
        (row,) = rows
        game = await self._waiting_game(row)
        if game is None:
            await self.drop(row)
            return None
        post = silence_notice(await self.context.readers.for_game(game.row), game)
        if game.row.visiting:
            return OutgoingMessage(rows, partial(self.channels.slots.send, row.channel, post))
        return self.outgoing_message(rows, post)

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        ids = {end_silent_game_id(*row.event_key), board_button_id(*row.event_key, "more")}
        return not message.attachments and not ids.isdisjoint(button_ids(message))

    async def _waiting_game(self, row: Delivery) -> Game | None:
        """Return a row's game if the machine still has to make that move."""
        number, revision = row.event_key
        game = await self.context.cases.game_cache.current(number)
        if game is None or game.row.revision != revision or not game.waits_for_machine:
            return None
        return game
