"""Delivery of the puzzle of the day to the channel that a server's moderators chose."""

from collections.abc import Sequence

import discord

from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.discord_messages import button_ids
from bot.database.delivery_rows import Delivery
from bot.play.delivery.boards import PostHandler
from bot.play.seams import RecurringTask, ShardContext
from school.puzzles.dailies import DAILY, Dailies, DailyTable
from school.puzzles.words.dailies import daily_post
from school.puzzles.words.puzzles import solve_id


def recurring(work: ShardContext) -> tuple[RecurringTask, ...]:
    dailies = work.services.require(Dailies)
    return (
        RecurringTask(name="daily", every=work.rhythm.dailies, due=dailies.due, do=dailies.post),
    )


class DailyHandler(PostHandler):
    """Sends the puzzle of the day.

    A message that was already sent is recognized by its button's custom id.
    """

    name = DAILY

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        (row,) = rows
        news = await self.context.cases.require(Dailies).news(row)
        if news is None:
            await self.drop(row)
            return None
        reader = await self.context.readers.for_channel(row.guild, row.channel)
        return self.outgoing_message(rows, daily_post(reader, news))

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        return solve_id(Dailies.key_of(row)) in button_ids(message)

    async def on_refused(self, row: Delivery) -> None:
        """Drop the delivery, because the channel was deleted."""
        if await self.channels.is_gone(row.channel):
            await self.drop(row)
            await self.context.cases.store.queries(DailyTable).stop(row.guild, row.channel)
