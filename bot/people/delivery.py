"""Notifies people of stopped clocks and blocks, and posts to the log of moderators' actions."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import discord

from bot.base.ids import MessageId
from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.posts import Post, escaped, timestamp
from bot.database.delivery_rows import Delivery, DeliveryRoute
from bot.people.store.moderation import MODERATOR_ACTION, ModerationTable
from bot.people.use_cases.moderation import SERVER_BLOCK, Moderation
from bot.people.use_cases.stops import STOPPED
from bot.people.words.moderation import action_message, block_message, log_mark
from bot.people.words.stops import stop_message
from bot.play.delivery.boards import PostHandler


class StoppedHandler(PostHandler):
    """Notifies players that clocks were stopped. A sent notice is recognized by its time."""

    name = STOPPED

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the message for the newest row, which also covers the older rows."""
        row = max(rows, key=lambda delivery: delivery.id)
        server = self.channels.guild(row.guild)
        if server is None or row.player is None:
            await self.context.cases.store.deliveries.drop(rows, at=self.context.now())
            return None
        public = row.route is DeliveryRoute.INSTEAD
        reader = (
            await self.context.readers.for_channel(row.guild, row.channel)
            if public
            else await self.context.readers.for_direct_message(row.player)
        )
        post = Post(
            content=stop_message(reader, server.name, _time_of(row), is_over=row.data["is_over"])
        )
        if public:
            post = await self.context.with_notification_modes(
                Post(content=f"<@{row.player}> {post.content}", pings=(row.player,))
            )
        return self.outgoing_message(rows, post)

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        return timestamp(_time_of(row)) in message.content


class ServerBlockHandler(PostHandler):
    """Notifies people that a moderator has blocked them, by DM so that nobody else sees it."""

    name = SERVER_BLOCK

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        row, server = rows[0], self.channels.guild(rows[0].guild)
        block = None
        if row.player is not None and row.route is DeliveryRoute.DM:
            block = await self.context.cases.require(Moderation).block_of(row.guild, row.player)
        if server is None or block is None:
            await self.drop(row)
            return None
        reader = await self.context.readers.for_direct_message(block.player)
        return self.outgoing_message([row], block_message(reader, server.name, block))

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        server = self.channels.guild(row.guild)
        return server is not None and f"**{escaped(server.name)}**" in message.content


class ModeratorActionHandler(PostHandler):
    """Posts the log of moderators' actions. A posted entry is recognized by its number."""

    name = MODERATOR_ACTION

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the log entry, unless a person in it has deleted their data."""
        (row,) = rows
        actions, number = self.context.cases.store.queries(ModerationTable), int(row.key)
        if (action := await actions.action(number)) is None:
            await self.drop(row)
            return None

        def delete_action(_message: MessageId) -> None:
            self.context.work.start(actions.delete(number))

        reader = await self.context.readers.for_channel(row.guild, row.channel)
        return replace(
            self.outgoing_message(rows, action_message(reader, number, action)),
            after_send=delete_action,
        )

    async def on_refused(self, row: Delivery) -> None:
        """Drop the entry if the channel was deleted."""
        if await self.channels.is_gone(row.channel):
            await self.drop(row)

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        return message.content.startswith(log_mark(int(row.key)))


def _time_of(row: Delivery) -> datetime:
    return datetime.fromtimestamp(row.data["at_s"], UTC)
