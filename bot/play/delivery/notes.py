"""Offers and their answers: short replies to the newest board, which stays as it is."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import discord

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, MessageId
from bot.connection.channel_requests import send_post
from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.discord_messages import button_ids
from bot.connection.posts import Post
from bot.database.delivery_rows import BOARD, NOTE, Delivery
from bot.play.delivery.boards import GameNewsHandler, PostHandler, nonce_of
from bot.play.game_changes import GameUpdate
from bot.play.model.offer_events import OfferMade
from bot.play.use_cases.votes import AGAIN, STANDING, OpenVote
from bot.play.words.boards import answered_offer, board_buttons, note
from bot.play.words.boards import board as board_post
from bot.play.words.views import board_button_id
from bot.play.words.votes import vote_again


class NoteHandler(GameNewsHandler):
    """A note is known again by the ids of its buttons, which name the game and the revision."""

    name = NOTE

    def news(self, row: Delivery, update: GameUpdate) -> OutgoingMessage:
        return OutgoingMessage(
            [row],
            partial(self._send_note, row, update),
            partial(self._tidy_up, row, update),
        )

    async def superseded(self, rows: Sequence[Delivery]) -> Sequence[Delivery]:
        """Return the superseded notes: all but the newest, and all if a newer message was sent."""
        newest = rows[-1]
        told = await self.store.deliveries.newest_announced(newest.event_key[0])
        notes = [row for row in rows if row.kind == NOTE]
        return [row for row in notes if row is not newest or (told or -1) >= row.event_key[1]]

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        game, revision = row.event_key
        ours = board_button_id(game, revision, "")
        return any(
            custom_id is not None and custom_id.startswith(ours)
            for custom_id in button_ids(message)
        )

    async def _send_note(self, row: Delivery, update: GameUpdate) -> MessageId:
        update = await self.with_machine_reply(row, update)
        reader = await self.made.readers.for_game(update.game.row)
        post = await self.made.with_notification_modes(
            note(reader, update, parts=self.made.board_parts)
        )
        if update.game.row.visiting:
            return await self.channels.slots.send(row.channel, post)
        asked = await self._offered_just_before(row)
        if asked is not None and not post.pings:
            stays = answered_offer(reader, update.game)
            with suppress(discord.NotFound):  # somebody deleted it just now
                return await self.channels.replace(
                    row.channel, asked, replace(post, buttons=stays), None
                )
        board = await self.store.deliveries.newest_board(*row.event_key)
        return await send_post(
            self.channels(row.channel),
            post,
            nonce_of(update),
            reply_to=None if board is None or board[0] != row.channel else _reply_to(*board),
        )

    async def _offered_just_before(self, row: Delivery) -> MessageId | None:
        """Sends all messages of one client's shards."""
        game, revision = row.event_key
        found = await self.store.deliveries.newest_sent(game, revision, by=[NOTE])
        return None if found is None or found.revision != revision - 1 else found.message

    def _tidy_up(self, row: Delivery, update: GameUpdate, message: MessageId) -> None:
        self.run_best_effort(row, self._settle_the_last(row, update, message))

    async def _settle_the_last(self, row: Delivery, update: GameUpdate, message: MessageId) -> None:
        """Take the buttons off the note before this one, or the offer's buttons off a board.

        A board has buttons to answer an offer if a move came after the offer.
        """
        newest = await self.store.deliveries.newest_sent(*row.event_key)
        if newest is None or newest.message == message:
            return
        if newest.kind == NOTE:
            await self.channels.take_buttons_off(*newest.location)
        elif all(event.event.kind is not OfferMade for event in update.events):
            reader = await self.made.readers.for_game(update.game.row)
            buttons = board_buttons(reader, update.game, self.made.board_parts, answered=True)
            await self.channels.change_buttons(*newest.location, Post(content="", buttons=buttons))


def _reply_to(channel: ChannelId, message: MessageId) -> discord.MessageReference:
    return discord.MessageReference(
        channel_id=channel, message_id=message, fail_if_not_exists=False
    )


class _OfVote(PostHandler):
    """Sends the state of a vote, unless the vote is over."""

    async def _ballot(self, row: Delivery) -> OpenVote | None:
        """Return the vote of a row. If it is over, drop the row and return None."""
        game, revision = row.event_key
        with suppress(PlayError):
            current = await self.made.cases.game_cache.existing(game)
            if current.row.revision == revision and current.is_voted:
                return await self.made.cases.votes.open_vote(current)
        await self.drop(row)
        return None


class VoteBoardHandler(_OfVote):
    """An edit of the newest board: made twice, it does no harm."""

    name = STANDING

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the board as it was sent, with the present votes."""
        (row,) = rows
        open_vote = await self._ballot(row)
        if open_vote is None:
            return None
        board = await self._board(row)
        if board is None:  # it is not posted yet
            await self.drop(row)
            return None
        return OutgoingMessage([row], partial(self._edit, board, row, open_vote))

    async def find(self, row: Delivery) -> MessageId | None:  # noqa: ARG002
        """Return the edited board: an edit is made again, and nothing is posted."""
        return None

    async def on_refused(self, row: Delivery) -> None:
        """Drop the row: the board is deleted or cannot be edited. The next board tells all."""
        await self.drop(row)

    async def _board(self, row: Delivery) -> tuple[ChannelId, MessageId] | None:
        found = await self.made.cases.store.deliveries.newest_sent(row.event_key[0], by=[BOARD])
        return None if found is None or found.revision != row.revision else found.location

    async def _edit(
        self, board: tuple[ChannelId, MessageId], row: Delivery, ballot: OpenVote
    ) -> MessageId:
        reader = await self.made.readers.for_channel(row.guild, row.channel)
        post = board_post(reader, await self.made.untold(row), ballot)
        await self.channels.add_to(*board, post)
        return board[1]


class VoteExtendedHandler(_OfVote):
    """Sends a notice that a vote continues. Its button, without a picture, identifies it."""

    name = AGAIN

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the message, or None if somebody has voted by now."""
        (row,) = rows
        open_vote = await self._ballot(row)
        if open_vote is None:
            return None
        if open_vote.standing.voters:
            await self.drop(row)
            return None
        reader = await self.made.readers.for_channel(row.guild, row.channel)
        return self.outgoing_message(rows, vote_again(reader, open_vote))

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        """Return True if a message without a picture has the button of the row's turn."""
        ours = board_button_id(*row.event_key, "pick")
        return not message.attachments and ours in button_ids(message)
