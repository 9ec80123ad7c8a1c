"""Messages that tell a team of its vote: its board shows it now and then, and no phone rings.

Only once in a turn there is a message of its own: where nobody has voted.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

import discord

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, MessageId
from bot.base.locales import Reader
from bot.connection.delivery_kinds import Kind, Parcel
from bot.connection.sending import button_ids
from bot.database.rows import AWAY, BOARD, Delivery
from bot.play.delivery.boards import BoardKind
from bot.play.delivery.news import NewsServices, nonce_of
from bot.play.model.game import Game
from bot.play.use_cases.update import Update
from bot.play.use_cases.votes import AGAIN, STANDING, Ballot, Votes
from bot.play.words.boards import board as board_post
from bot.play.words.buttons import board_button_id
from bot.play.words.votes import vote_again


class _OfVote(Kind):
    """Tells of a vote, unless it is over."""

    def __init__(
        self, services: NewsServices, votes: Votes, *, now: Callable[[], datetime]
    ) -> None:
        super().__init__(services.channels)
        self._services = services
        self._votes = votes
        self._now = now

    async def _ballot(self, row: Delivery) -> Ballot | None:
        """Read the vote of a row; where it is over, drop the row and return None."""
        game, revision = row.turn
        with suppress(PlayError):
            current = await self._services.games.current(game)
            if current.row.revision == revision and current.is_voted:
                return await self._votes.ballot(current)
        await self._drop(row)
        return None

    async def _drop(self, row: Delivery) -> None:
        """Tell nothing of a row."""
        await self._services.store.deliveries.drop([row], at=self._now())


class StandingKind(_OfVote):
    """An edit of the newest board: made twice, it does no harm."""

    name = STANDING

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """Return the board as it was told, and how the vote stands now."""
        (row,) = rows
        ballot = await self._ballot(row)
        if ballot is None:
            return None
        board = await self._board(row, ballot.game.row.away)
        if board is None:  # it is not posted yet
            await self._drop(row)
            return None
        return Parcel([row], partial(self._edit, board, row, ballot))

    async def find(self, row: Delivery) -> MessageId | None:  # noqa: ARG002
        """Return the edited board: an edit is made again, and nothing is posted."""
        return None

    async def refused(self, row: Delivery) -> None:
        """Drop the row: the board is gone, or takes no more edits; the next one tells all."""
        await self._drop(row)

    async def _board(
        self, row: Delivery, away: ChannelId | None
    ) -> tuple[ChannelId, MessageId] | None:
        """Return the place of the team's board."""
        kind = AWAY if row.channel == away else BOARD
        found = await self._services.store.deliveries.newest_sent(row.turn[0], by=[kind])
        return None if found is None or found.revision != row.revision else found.place

    async def _edit(
        self, board: tuple[ChannelId, MessageId], row: Delivery, ballot: Ballot
    ) -> MessageId:
        reader = await self._services.readers.everybody(row.guild, row.channel)
        post = board_post(reader, await self._services.untold(row), ballot)
        await self.channels.add_to(*board, post)
        return board[1]


class AgainKind(_OfVote):
    """The word that a vote goes on is known again by its button, and by having no picture."""

    name = AGAIN

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """Return the word, unless somebody has voted meanwhile."""
        (row,) = rows
        ballot = await self._ballot(row)
        if ballot is None:
            return None
        if ballot.standing.voters:
            await self._drop(row)
            return None
        reader = await self._services.readers.everybody(row.guild, row.channel)
        return self.parcel(rows, vote_again(reader, ballot))

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        """Tell whether a message without a picture has the button of the row's turn."""
        ours = board_button_id(*row.turn, "pick")
        return not message.attachments and ours in button_ids(message)


class AwayKind(BoardKind):
    """A board in the other team's channel, as everybody reads it there."""

    name = AWAY

    async def reader(self, row: Delivery, game: Game) -> Reader:  # noqa: ARG002
        return await self.services.readers.everybody(row.guild, row.channel)

    def nonce(self, update: Update) -> str:
        """Return another number than the other channel's: Discord may take them for one message."""
        return f"{nonce_of(update)}-a"

    async def refused(self, row: Delivery) -> None:
        """End the game whose channel is gone; nobody is left to be told there."""
        await super().refused(row)
        if await self.channels.is_gone(row.channel):
            await self.services.store.deliveries.drop([row], at=row.tried_at)
