"""The puzzle of the day, in the channel that a server's moderators have chosen."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import discord

from bot.base.ids import MessageId
from bot.connection.channels import Channels, send
from bot.connection.delivery_kinds import Kind, Parcel
from bot.connection.posts import Post
from bot.connection.sending import button_ids
from bot.database.rows import Delivery
from bot.features.puzzles.use_cases.dailies import DAILY, Dailies
from bot.features.puzzles.words.dailies import daily_post
from bot.features.puzzles.words.puzzles import solve_id
from bot.play.readers import Readers


class DailyKind(Kind):
    """It is known again by the id of its button, which has the day."""

    name = DAILY

    def __init__(
        self,
        channels: Channels,
        dailies: Dailies,
        readers: Readers,
        *,
        render: Callable[[Post], Awaitable[bytes | None]],
    ) -> None:
        super().__init__(channels)
        self._dailies = dailies
        self._readers = readers
        self._render = render

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """Return the puzzle, and how the one before went."""
        (row,) = rows
        news = await self._dailies.news(row)
        if news is None:
            await self._dailies.drop(row)
            return None
        reader = await self._readers.everybody(row.guild, row.channel)
        return Parcel([row], partial(self._post, row, daily_post(reader, news)))

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        """Tell whether a message opens the puzzle of that day."""
        return solve_id(self._dailies.key_of(row)) in button_ids(message)

    async def refused(self, row: Delivery) -> None:
        """Drop it: where the channel is gone, there is nothing to post it in, today or later."""
        if await self.channels.is_gone(row.channel):
            await self._dailies.drop(row)
            await self._dailies.stop_in(row.channel, row.guild)

    async def _post(self, row: Delivery, post: Post) -> MessageId:
        png = await self._render(post)
        return await send(await self.channels.place(row), post, str(row.batch), png)
