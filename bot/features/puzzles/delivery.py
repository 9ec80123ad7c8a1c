"""The puzzle of the day, in the channel that a server's moderators have chosen."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Final

import discord

from bot.base.ids import MessageId
from bot.connection.channel_requests import send
from bot.connection.delivery_kinds import Kind, Parcel
from bot.connection.discord_messages import button_ids
from bot.connection.posts import Post
from bot.database.delivery_rows import Delivery
from bot.features.puzzles.dailies import DAILY, Dailies, DailyTable
from bot.features.puzzles.words.dailies import daily_post
from bot.features.puzzles.words.puzzles import solve_id
from bot.play.delivery.boards import DeliveryContext
from bot.play.seams import Recurring, ShardContext

_DAILY_EVERY: Final = timedelta(seconds=5)


def recurring(work: ShardContext) -> tuple[Recurring, ...]:
    dailies = work.services.of(Dailies)
    return (Recurring(name="daily", every=_DAILY_EVERY, due=dailies.due, do=dailies.post),)


class DailyKind(Kind):
    """It is known again by the id of its button, which has the day."""

    name = DAILY

    def __init__(self, made: DeliveryContext) -> None:
        super().__init__(made.channels)
        self._made, self._dailies = made, made.cases.of(Dailies)

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        (row,) = rows
        news = await self._dailies.news(row)
        if news is None:
            await self._drop(row)
            return None
        reader = await self._made.readers.everybody(row.guild, row.channel)
        return Parcel([row], partial(self._post, row, daily_post(reader, news)))

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        return solve_id(self._dailies.key_of(row)) in button_ids(message)

    async def refused(self, row: Delivery) -> None:
        """Drop it: where the channel is gone, there is nothing to post it in, today or later."""
        if await self.channels.is_gone(row.channel):
            await self._drop(row)
            await self._made.cases.store.of(DailyTable).stop(row.guild, row.channel)

    async def _drop(self, row: Delivery) -> None:
        await self._made.cases.store.deliveries.drop([row], at=self._made.now())

    async def _post(self, row: Delivery, post: Post) -> MessageId:
        png = await self._made.render(post)
        return await send(await self.channels.place(row), post, str(row.batch), png)
