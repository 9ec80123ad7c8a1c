"""Offers and their answers: short replies to the newest board, which stays as it is."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import discord

from bot.base.ids import ChannelId, MessageId
from bot.connection.channels import send
from bot.connection.delivery_kinds import Parcel
from bot.connection.sending import button_ids
from bot.database.rows import NOTE, Delivery
from bot.play.delivery.news import NewsKind, nonce_of
from bot.play.use_cases.update import Update
from bot.play.words.boards import note
from bot.play.words.buttons import board_button_id


class NoteKind(NewsKind):
    """A note is known again by the ids of its buttons, which name the game and the revision."""

    name = NOTE

    def news(self, row: Delivery, update: Update) -> Parcel:
        """Return a note with all that is to be told by it."""
        return Parcel([row], partial(self._send_note, row, update), partial(self._tidy_up, row))

    async def overtaken(self, rows: Sequence[Delivery]) -> Sequence[Delivery]:
        """Return all but the newest of a game; that one, too, where something newer was sent."""
        newest = rows[-1]
        told = await self.services.store.deliveries.newest_told(newest.turn[0])
        notes = [row for row in rows if row.kind == NOTE]
        return [row for row in notes if row is not newest or (told or -1) >= row.turn[1]]

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        game, revision = row.turn
        ours = board_button_id(game, revision, "")
        return any(one is not None and one.startswith(ours) for one in button_ids(message))

    async def _send_note(self, row: Delivery, update: Update) -> MessageId:
        update = await self.whole(row, update)
        reader = await self.services.readers.watching(update.game.row)
        post = await self.as_heard(note(reader, update, parts=self.services.board_parts))
        if update.game.row.visiting:
            return await self.channels.slots.say(row.channel, post)
        asked = await self._offered_just_before(row)
        if asked is not None and not post.pings:
            with suppress(discord.NotFound):  # somebody deleted it just now
                return await self.channels.replace(row.channel, asked, post, None)
        board = await self.services.store.deliveries.newest_board(*row.turn)
        return await send(
            self.channels(row.channel),
            post,
            nonce_of(update),
            reply_to=None if board is None or board[0] != row.channel else _reply_to(*board),
        )

    async def _offered_just_before(self, row: Delivery) -> MessageId | None:
        """Return the note of the offer that a row answers, where nothing came in between."""
        game, revision = row.turn
        found = await self.services.store.deliveries.newest_sent(game, revision, by=[NOTE])
        return None if found is None or found.revision != revision - 1 else found.message

    def _tidy_up(self, row: Delivery, message: MessageId) -> None:
        self.be_courteous(row, self._take_buttons_off_the_last(row, message))

    async def _take_buttons_off_the_last(self, row: Delivery, message: MessageId) -> None:
        """Leave the note before this one without buttons, unless a board came after it."""
        newest = await self.services.store.deliveries.newest_sent(*row.turn)
        if newest is not None and newest.kind == NOTE and newest.message != message:
            await self.channels.take_buttons_off(*newest.place)


def _reply_to(channel: ChannelId, message: MessageId) -> discord.MessageReference:
    """Return points at a message, if it still stands."""
    return discord.MessageReference(
        channel_id=channel, message_id=message, fail_if_not_exists=False
    )
