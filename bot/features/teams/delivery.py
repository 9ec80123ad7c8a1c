"""Updates a team's board with the votes, and announces that voting was extended."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import discord

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, MessageId
from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.discord_messages import button_ids
from bot.database.delivery_rows import BOARD, Delivery
from bot.features.teams.hook import VoteProgress
from bot.features.teams.use_cases import STANDING, VOTE_EXTENDED, OpenVote, Votes
from bot.features.teams.words import vote_extended_text
from bot.play.delivery.boards import PostHandler
from bot.play.words.boards import board as board_post
from bot.play.words.views import board_button_id


class _VoteHandler(PostHandler):
    """Base class of handlers that need the current state of an open vote."""

    async def _open_vote(self, row: Delivery) -> OpenVote | None:
        """Return a row's vote, or drop the row and return None if the vote is over."""
        game, revision = row.event_key
        with suppress(PlayError):
            current = await self.context.cases.game_cache.existing(game)
            if current.row.revision == revision and current.is_voted:
                return await self.context.cases.require(Votes).open_vote(current)
        await self.drop(row)
        return None


class VoteBoardHandler(_VoteHandler):
    """Edits the newest board to show the current votes. Repeating an edit is harmless."""

    name = STANDING

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the board as it was sent, with the current votes."""
        (row,) = rows
        open_vote = await self._open_vote(row)
        if open_vote is None:
            return None
        board = await self._board(row)
        if board is None:  # it has not been posted yet
            await self.drop(row)
            return None
        return OutgoingMessage([row], partial(self._edit, board, row, open_vote))

    async def find(self, row: Delivery) -> MessageId | None:
        """Return None, so that a retry repeats the edit. Nothing new is posted."""
        return None

    async def on_refused(self, row: Delivery) -> None:
        """Drop the row, because the board was deleted or can't be edited.

        The next board will show all votes.
        """
        await self.drop(row)

    async def _board(self, row: Delivery) -> tuple[ChannelId, MessageId] | None:
        newest = await self.context.cases.store.deliveries.newest_sent(row.event_key[0], by=[BOARD])
        return None if newest is None or newest.revision != row.revision else newest.location

    async def _edit(
        self, board: tuple[ChannelId, MessageId], row: Delivery, ballot: OpenVote
    ) -> MessageId:
        reader = await self.context.readers.for_channel(row.guild, row.channel)
        update = await self.context.news(*row.event_key)
        additions = (*update.additions, VoteProgress(ballot))
        post = board_post(reader, replace(update, deadline=None, additions=additions))
        await self.channels.replace_text_and_buttons(*board, post)
        return board[1]


class VoteExtendedHandler(_VoteHandler):
    """Sends the notice that voting continues.

    A sent notice is recognized by its button and the missing picture.
    """

    name = VOTE_EXTENDED

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the notice, or None if someone has voted since."""
        (row,) = rows
        open_vote = await self._open_vote(row)
        if open_vote is None:
            return None
        if open_vote.standing.voters:
            await self.drop(row)
            return None
        reader = await self.context.readers.for_channel(row.guild, row.channel)
        return self.outgoing_message(rows, vote_extended_text(reader, open_vote))

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        """Return True if a message has no picture and has the button of the row's turn."""
        button_id = board_button_id(*row.event_key, "pick")
        return not message.attachments and button_id in button_ids(message)
