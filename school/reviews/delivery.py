"""Adds the review to a game's last board. The edit of the message notifies nobody."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from bot.base.ids import ChannelId, MessageId
from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.discord_messages import arguments
from bot.database.delivery_rows import BOARD, Delivery
from bot.play.delivery.boards import DeliveryContext, GameNewsHandler
from bot.play.game_changes import GameUpdate
from school.reviews.use_cases import REVIEW, Reviews
from school.reviews.words.reviews import reviewed_board


class ReviewHandler(GameNewsHandler):
    """Edits the message with a game's last board. The edit can safely be repeated."""

    name = REVIEW
    recheck_after = timedelta(minutes=1)

    def __init__(self, context: DeliveryContext) -> None:
        super().__init__(context)
        self._reviews = context.cases.require(Reviews)

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the edit that adds a review to the last board, or None if there is no board."""
        (row,) = rows
        if await self._board(row) is None:  # the channel was deleted before the board was sent
            await self.store.deliveries.drop(rows, at=self.context.now())
            return None
        return await super().prepare(rows)

    def news(self, row: Delivery, update: GameUpdate) -> OutgoingMessage:
        """Return an edit of the last board."""
        return OutgoingMessage([row], partial(self._edit, row, update))

    async def find(self, row: Delivery) -> MessageId | None:
        """Return None, so that the edit of an earlier attempt is repeated."""
        return None

    async def on_refused(self, row: Delivery) -> None:
        """Drop the edit if the board or its channel was deleted.

        Where the bot is a guest, it can't find that out.
        """
        board = await self._board(row)
        if (
            board is None
            or self.channels.slots.is_visited(board[0])
            or await self.channels.is_deleted(*board)
        ):
            await self.store.deliveries.drop([row], at=self.context.now())

    async def _board(self, row: Delivery) -> tuple[ChannelId, MessageId] | None:
        """Return the channel and message of a game's last board, or None."""
        game, revision = row.event_key
        delivery = await self.store.deliveries.newest_sent(game, by=[BOARD])
        return None if delivery is None or delivery.revision != revision else delivery.location

    async def _edit(self, row: Delivery, update: GameUpdate) -> MessageId:
        review = await self._reviews.done(row.event_key[0])
        board = await self._board(row)
        assert review is not None  # stored in the same transaction as this delivery # noqa: S101
        assert board is not None  # it was just loaded # noqa: S101
        reader = await self.context.readers.for_game(update.game.row)
        post = reviewed_board(reader, update, review, self.context.board_parts)
        if update.game.row.visiting:
            await self.channels.slots.find(board[1]).edit(**arguments(post))
        else:
            await self.channels.replace_text_and_buttons(*board, post)
        return board[1]
