"""Tells players that a server's clocks are paused, or run again."""

from collections.abc import Sequence
from datetime import UTC, datetime

import discord

from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.posts import Post, timestamp
from bot.database.delivery_rows import Delivery, DeliveryRoute
from bot.people.use_cases.stops import STOPPED
from bot.people.words.stops import told_stop
from bot.play.delivery.boards import PostHandler


class StoppedHandler(PostHandler):
    """Sends that message. It recognizes one by the time in it."""

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
            content=told_stop(reader, server.name, _time_of(row), is_over=row.data["is_over"])
        )
        if public:
            post = await self.context.with_notification_modes(
                Post(content=f"<@{row.player}> {post.content}", pings=(row.player,))
            )
        return self.outgoing_message(rows, post)

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        return timestamp(_time_of(row)) in message.content


def _time_of(row: Delivery) -> datetime:
    return datetime.fromtimestamp(row.data["at_s"], UTC)
