"""Answers to interactions about games: those of commands, buttons and forms."""

import asyncio
from collections.abc import Awaitable
from contextlib import AbstractAsyncContextManager, suppress
from datetime import timedelta

from bot.base.errors import PlayError, StoreError
from bot.base.ids import NO_GUILD, ChannelId, GuildId, SourceId, UserId
from bot.base.locales import Reader
from bot.connection.answers import InteractionAnswer, carrying_out
from bot.connection.permissions import is_visiting
from bot.connection.posts import Post
from bot.play.doors.services import Interaction
from bot.play.use_cases.update import Update
from bot.play.words.troubles import not_posted
from bot.play.words.visiting import not_shown

_FIRST_THE_BOARD_S = 1.0

_WORTH_TELLING = timedelta(days=90)
"""Time after its end in which a game is told of to people who were told nothing."""


class Answer(InteractionAnswer):
    """The answer to one interaction, with the services behind it."""

    interaction: Interaction

    def __init__(self, interaction: Interaction) -> None:
        super().__init__(interaction)
        self.services = interaction.client.services
        self.user = UserId(interaction.user.id)
        self.source = SourceId(interaction.id)
        self.work = self.services.work
        self.slots = self.services.publisher.channels.slots

    async def everybody(self, begun_by: UserId | None = None) -> Reader:
        """Return the reader of a public answer: all who read where the question was asked.

        Args:
            begun_by: Who has begun what is told there, if it is not who asks.
        """
        asked, user = self.interaction, self.user
        return await self.services.readers.everybody(
            GuildId(asked.guild_id or NO_GUILD),
            ChannelId(asked.channel_id or 0),
            alone=None if is_visiting(asked) else user,
            begun_by=begun_by or user,
        )

    async def publish(self, update: Update, word: Awaitable[object]) -> None:
        """Send what an update brings, then give the asker a word; if the sending fails, say so.

        Args:
            update: What came of it.
            word: The answer, not yet begun. It waits for the board, but not long.
        """
        self.is_ours = True
        publisher = self.services.publisher
        if update.game.row.visiting:
            await self._publish_after(update, word)
            return
        sending = asyncio.ensure_future(publisher.publish(update))
        await asyncio.wait((sending,), timeout=_FIRST_THE_BOARD_S)
        await word
        if not await sending:
            missing = publisher.channels.missing(update.game.row.channel)
            await self.privately(Post(content=not_posted(self.reader, missing)))

    async def _publish_after(self, update: Update, word: Awaitable[object]) -> None:
        """Publish after the word: where the bot is not, it says only what follows an answer."""
        try:
            await word
        finally:
            shown = await self.services.publisher.publish(update)
        if not shown:
            await self.privately(Post(content=not_shown(self.reader)))

    async def find_reader(self) -> Reader:
        """Return who asks, as they have chosen to read."""
        return await self.services.readers.asker(self.interaction)

    async def render(self, post: Post) -> bytes | None:
        """Return the picture of a post, if it has one."""
        return await self.services.publisher.render(post)

    def refusal(self, error: PlayError) -> str:
        """Return the words for what cannot be."""
        return self.services.refusal(self.reader, error)

    async def was_done(self) -> bool:
        """Return whether what is asked for has just been done, by whichever process."""
        try:
            store, done = self.services.store, self.source
            return await store.games.has_source(done) or await store.challenges.has_source(done)
        except StoreError:
            return False

    def leave_to_other(self) -> None:
        """See to it that the machine answers, should the other process not come to that."""
        if self.interaction.channel_id is not None:
            self.interaction.client.done_elsewhere(ChannelId(self.interaction.channel_id))

    async def tell_what_waited(self) -> None:
        """Tell of the end of a game, as by a time-out, that nobody could be told of."""
        services, channel = self.services, ChannelId(self.interaction.channel_id or 0)
        with suppress(StoreError):
            since = self.interaction.created_at - _WORTH_TELLING
            game = await services.store.games.newest_in(channel, since=since)
            if game is not None and game.visiting:
                await services.publisher.sender.take_up(game.id, game.revision)


def answering(interaction: Interaction) -> AbstractAsyncContextManager[Answer]:
    """Carry out what an interaction asks for; refusals and faults become private words."""
    return carrying_out(Answer(interaction))
