"""The word to people whose games wait, as their boards can't be sent."""

from collections.abc import Sequence

import discord

from bot.base.ids import UserId
from bot.connection.delivery_kinds import Parcel
from bot.connection.posts import Post, channel, fit
from bot.database.delivery_rows import Delivery, Way
from bot.play.delivery.boards import PostKind
from bot.play.use_cases.undelivered import UNDELIVERED
from bot.play.words.undelivered import undelivered


class UndeliveredKind(PostKind):
    """Known again by the channel that it names."""

    name = UNDELIVERED

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """Return the message about those games whose boards are still not there."""
        told = [(row, words) for row in rows if (words := await self._words(row)) is not None]
        rest = [row for row in rows if row not in [one for one, _ in told]]
        await self.made.cases.store.deliveries.drop(rest, at=self.made.now())
        if not told:
            return None
        first = told[0][0]
        reader = await self.made.readers.recipient(_person(first))
        post = Post(content=fit(reader, [words for _, words in told]))
        if first.way is Way.INSTEAD:
            post = await self.made.as_heard(Post(content=post.content, pings=(_person(first),)))
        return self.parcel([row for row, _ in told], post)

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        return channel(row.data["channel"]) in message.content

    async def _words(self, row: Delivery) -> str | None:
        """Return what is to be said; None where the board has come, or nobody can be told."""
        assert row.game is not None  # it is of one  # noqa: S101
        store = self.made.cases.store
        is_there = row.way is Way.INSTEAD and row.channel == row.data["channel"]
        if is_there or row.game not in await store.deliveries.stuck([row.game]):
            return None
        game = await self.made.cases.game_cache.existing(row.game)
        public = row.way is Way.INSTEAD
        reader = (
            await self.made.readers.everybody(row.guild, row.channel)
            if public
            else await self.made.readers.recipient(_person(row))
        )
        missing = self.channels.missing_for(game.row.channel, around=row.channel)
        return undelivered(reader, game, _person(row), missing, named=public)


def _person(row: Delivery) -> UserId:
    assert row.player is not None  # it is for somebody  # noqa: S101
    return row.player
