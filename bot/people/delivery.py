"""Message to players that the clocks of a server are paused, or run again."""

from collections.abc import Sequence
from datetime import UTC, datetime

import discord

from bot.connection.delivery_kinds import Parcel
from bot.connection.posts import Post, instant
from bot.database.delivery_rows import Delivery, Way
from bot.people.use_cases.stops import STOPPED
from bot.people.words.stops import told_stop
from bot.play.delivery.boards import PostKind


class StoppedKind(PostKind):
    """Known again by the moment that it names."""

    name = STOPPED

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """Return the message for the newest row, which also covers the rows before it."""
        row = max(rows, key=lambda one: one.id)
        server = self.channels.guild(row.guild)
        if server is None or row.player is None:
            await self.made.cases.store.deliveries.drop(rows, at=self.made.now())
            return None
        public = row.way is Way.INSTEAD
        reader = (
            await self.made.readers.everybody(row.guild, row.channel)
            if public
            else await self.made.readers.recipient(row.player)
        )
        post = Post(content=told_stop(reader, server.name, _at(row), is_over=row.data["is_over"]))
        if public:
            post = await self.made.as_heard(
                Post(content=f"<@{row.player}> {post.content}", pings=(row.player,))
            )
        return self.parcel(rows, post)

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        return instant(_at(row)) in message.content


def _at(row: Delivery) -> datetime:
    return datetime.fromtimestamp(row.data["at_s"], UTC)
