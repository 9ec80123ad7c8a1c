"""The word to people whose games wait, as their boards can't be sent, or have no place any more."""

from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.base.ids import UserId
from bot.connection.delivery_kinds import Parcel
from bot.connection.posts import CONTENT_LIMIT, Post, channel, fit
from bot.database.delivery_rows import Delivery, Way
from bot.play.deleted_channels import HOMELESS
from bot.play.delivery.boards import PostKind
from bot.play.use_cases.undelivered import UNDELIVERED
from bot.play.words.boards import board as board_post
from bot.play.words.pictures import picture_name
from bot.play.words.undelivered import homeless, undelivered


class UndeliveredKind(PostKind):
    """Known again by the channel that it names."""

    name = UNDELIVERED

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """Return the message about the games whose boards are still missing."""
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
        """Return the text, or None if the board was sent by now or nobody can be told."""
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


class HomelessKind(PostKind):
    """The board of a game whose channel is deleted, to one of its players: known by its picture."""

    name = HOMELESS

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """Return the board, or None if it is no longer the newest or is not sent by DM."""
        row = rows[0]  # of several, the others come after it
        game = await self.made.cases.game_cache.existing(row.turn[0])
        if not game.is_running or game.row.revision != row.revision or row.way is not Way.DM:
            await self.drop(row)
            return None
        reader = await self.made.readers.recipient(_person(row))
        post = board_post(reader, await self.made.news(*row.turn), parts=self.made.board_parts)
        lines = [homeless(reader, game, _person(row))] if row.data["first"] else []
        content = "\n".join([*lines, post.content])[:CONTENT_LIMIT]
        return self.parcel([row], replace(post, content=content, pings=()))

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        return any(one.filename == picture_name(*row.turn) for one in message.attachments)


def _person(row: Delivery) -> UserId:
    assert row.player is not None  # it is for somebody  # noqa: S101
    return row.player
