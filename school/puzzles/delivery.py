"""The puzzle of the day, in the channel that a server's moderators have chosen."""

from collections.abc import Sequence

import discord

from bot.connection.delivery_kinds import Parcel
from bot.connection.discord_messages import button_ids
from bot.database.delivery_rows import Delivery
from bot.play.delivery.boards import PostKind
from bot.play.seams import Recurring, ShardContext
from school.puzzles.dailies import DAILY, Dailies, DailyTable
from school.puzzles.words.dailies import daily_post
from school.puzzles.words.puzzles import solve_id


def recurring(work: ShardContext) -> tuple[Recurring, ...]:
    dailies = work.services.of(Dailies)
    return (Recurring(name="daily", every=work.rhythm.dailies, due=dailies.due, do=dailies.post),)


class DailyKind(PostKind):
    """It is known again by the id of its button, which has the day."""

    name = DAILY

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        (row,) = rows
        news = await self.made.cases.of(Dailies).news(row)
        if news is None:
            await self.drop(row)
            return None
        reader = await self.made.readers.everybody(row.guild, row.channel)
        return self.parcel(rows, daily_post(reader, news))

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        return solve_id(Dailies.key_of(row)) in button_ids(message)

    async def refused(self, row: Delivery) -> None:
        """Drop it: where the channel is gone, there is nothing to post it in, today or later."""
        if await self.channels.is_gone(row.channel):
            await self.drop(row)
            await self.made.cases.store.of(DailyTable).stop(row.guild, row.channel)
