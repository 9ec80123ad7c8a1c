"""Notifies players that a game is stuck because its boards can't be sent or its channel is gone."""

from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.base.ids import UserId
from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.posts import CONTENT_LIMIT, Post, channel, join_within_limit
from bot.database.delivery_rows import Delivery, DeliveryRoute
from bot.play.deleted_channels import CHANNEL_DELETED
from bot.play.delivery.boards import PostHandler
from bot.play.use_cases.undelivered import UNDELIVERED
from bot.play.words.boards import board as board_post
from bot.play.words.pictures import picture_name
from bot.play.words.undelivered import channel_deleted_notice, undelivered


class UndeliveredHandler(PostHandler):
    """Notifies players of unsent boards. Recognizes its message by the channel that it names."""

    name = UNDELIVERED

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the message about games whose boards are still unsent."""
        notices = [(row, words) for row in rows if (words := await self._words(row)) is not None]
        rest = [row for row in rows if row not in [delivery for delivery, _ in notices]]
        await self.context.cases.store.deliveries.drop(rest, at=self.context.now())
        if not notices:
            return None
        first = notices[0][0]
        reader = await self.context.readers.for_direct_message(_recipient(first))
        post = Post(content=join_within_limit(reader, [words for _, words in notices]))
        if first.route is DeliveryRoute.INSTEAD:
            post = await self.context.with_notification_modes(
                Post(content=post.content, pings=(_recipient(first),))
            )
        return self.outgoing_message([row for row, _ in notices], post)

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        return channel(row.data["channel"]) in message.content

    async def _words(self, row: Delivery) -> str | None:
        """Return the notice, or None if the board was sent or nobody needs the notice."""
        assert row.game is not None  # it belongs to a game # noqa: S101
        store = self.context.cases.store
        is_same_channel = row.route is DeliveryRoute.INSTEAD and row.channel == row.data["channel"]
        if is_same_channel or row.game not in await store.deliveries.stuck([row.game]):
            return None
        game = await self.context.cases.game_cache.existing(row.game)
        public = row.route is DeliveryRoute.INSTEAD
        reader = (
            await self.context.readers.for_channel(row.guild, row.channel)
            if public
            else await self.context.readers.for_direct_message(_recipient(row))
        )
        missing = self.channels.missing_for(game.row.channel, parent=row.channel)
        return undelivered(reader, game, _recipient(row), missing, with_name=public)


class DeletedChannelHandler(PostHandler):
    """Sends players the board of a game without a channel. Recognizes it by its picture."""

    name = CHANNEL_DELETED

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the board, or None if it is no longer the newest or is not sent by DM."""
        row = rows[0]  # if there are several, the others come after it
        game = await self.context.cases.game_cache.existing(row.event_key[0])
        if (
            not game.is_running
            or game.row.revision != row.revision
            or row.route is not DeliveryRoute.DM
        ):
            await self.drop(row)
            return None
        reader = await self.context.readers.for_direct_message(_recipient(row))
        post = board_post(
            reader, await self.context.news(*row.event_key), parts=self.context.board_parts
        )
        lines = [channel_deleted_notice(reader, game, _recipient(row))] if row.data["first"] else []
        content = "\n".join([*lines, post.content])[:CONTENT_LIMIT]
        return self.outgoing_message([row], replace(post, content=content, pings=()))

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        return any(
            attachment.filename == picture_name(*row.event_key)
            for attachment in message.attachments
        )


def _recipient(row: Delivery) -> UserId:
    assert row.player is not None  # it has a recipient # noqa: S101
    return row.player
