"""Sends offers and their answers as short replies to the newest board, which buttons unchanged."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import discord

from bot.base.ids import ChannelId, MessageId
from bot.connection.channel_requests import send_post
from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.discord_messages import button_ids
from bot.connection.posts import Post
from bot.database.delivery_rows import NOTE, Delivery
from bot.play.delivery.boards import GameNewsHandler, nonce_of
from bot.play.game_changes import GameUpdate
from bot.play.model.offer_events import OfferMade
from bot.play.words.boards import answered_offer, board_buttons, note
from bot.play.words.views import board_button_id


class NoteHandler(GameNewsHandler):
    """Sends notes, and recognizes them by the game and revision in their buttons' ids."""

    name = NOTE

    def news(self, row: Delivery, update: GameUpdate) -> OutgoingMessage:
        return OutgoingMessage(
            [row],
            partial(self._send_note, row, update),
            partial(self._clean_up, row, update),
        )

    async def superseded(self, rows: Sequence[Delivery]) -> Sequence[Delivery]:
        """Return the superseded notes: all except the newest, or all if a newer message exists."""
        newest = rows[-1]
        last_revision = await self.store.deliveries.newest_announced(newest.event_key[0])
        notes = [row for row in rows if row.kind == NOTE]
        return [
            row for row in notes if row is not newest or (last_revision or -1) >= row.event_key[1]
        ]

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        game, revision = row.event_key
        prefix = board_button_id(game, revision, "")
        return any(
            custom_id is not None and custom_id.startswith(prefix)
            for custom_id in button_ids(message)
        )

    async def _send_note(self, row: Delivery, update: GameUpdate) -> MessageId:
        update = await self.with_machine_reply(row, update)
        reader = await self.context.readers.for_game(update.game.row)
        post = await self.context.with_notification_modes(
            note(reader, update, parts=self.context.board_parts)
        )
        if update.game.row.visiting:
            return await self.channels.slots.send(row.channel, post)
        offer_message = await self._previous_note(row)
        if offer_message is not None and not post.pings:
            buttons = answered_offer(reader, update.game)
            with suppress(discord.NotFound):  # someone has just deleted it
                return await self.channels.replace(
                    row.channel, offer_message, replace(post, buttons=buttons), None
                )
        board = await self.store.deliveries.newest_board(*row.event_key)
        return await send_post(
            self.channels(row.channel),
            post,
            nonce_of(update),
            reply_to=None if board is None or board[0] != row.channel else _reply_to(*board),
        )

    async def _previous_note(self, row: Delivery) -> MessageId | None:
        """Return the message of the revision before this one, if that was a note."""
        game, revision = row.event_key
        newest = await self.store.deliveries.newest_sent(game, revision, by=[NOTE])
        return None if newest is None or newest.revision != revision - 1 else newest.message

    def _clean_up(self, row: Delivery, update: GameUpdate, message: MessageId) -> None:
        self.run_best_effort(row, self._close_last_note(row, update, message))

    async def _close_last_note(self, row: Delivery, update: GameUpdate, message: MessageId) -> None:
        """Remove the buttons of the previous note, or a board's buttons for an offer.

        A board has buttons for answering an offer if a move followed the offer.
        """
        newest = await self.store.deliveries.newest_sent(*row.event_key)
        if newest is None or newest.message == message:
            return
        if newest.kind == NOTE:
            await self.channels.remove_buttons(*newest.location)
        elif update.game.row.is_solo:  # the machine answers immediately, so its board is unchanged
            return
        elif all(event.event.kind is not OfferMade for event in update.events):
            reader = await self.context.readers.for_game(update.game.row)
            buttons = board_buttons(reader, update.game, self.context.board_parts, is_answered=True)
            await self.channels.change_buttons(*newest.location, Post(content="", buttons=buttons))


def _reply_to(channel: ChannelId, message: MessageId) -> discord.MessageReference:
    return discord.MessageReference(
        channel_id=channel, message_id=message, fail_if_not_exists=False
    )
