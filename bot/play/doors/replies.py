"""Answers to what people type: each is given once, and a refusal is taken away when it is stale."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Final

import discord
import structlog

from bot.base.ids import ChannelId, MessageId, UserId
from bot.connection.cache import BoundedCache
from bot.connection.posts import Post
from bot.connection.requests import IN_TIME, TROUBLE
from bot.connection.sending import arguments
from bot.play.doors.services import Services
from bot.play.model.events import Moved
from bot.play.use_cases.update import Update

_log = structlog.get_logger()

_REFUSED: Final = "no"
_EDIT_NAMES: Final = 10_000
_MOST_REFUSALS: Final = 5
"""Number of refusals of one player that are taken away, the newest; the others stay."""


class Replies:
    """Replies to messages in any channel."""

    def __init__(self, services: Services, *, now: Callable[[], datetime]) -> None:
        self._services = services
        self._now = now
        self._watching: BoundedCache[tuple[ChannelId, UserId], bool] = BoundedCache()
        self._refused: BoundedCache[tuple[ChannelId, UserId], tuple[MessageId, ...]] = (
            BoundedCache()
        )

    def is_meant(self, message: discord.Message) -> bool:
        own = self._services.publisher.channels.own_id
        if message.guild is None or any(user.id == own for user in message.mentions):
            return True  # a reply with a ping names the bot here too
        replied = None if message.reference is None else message.reference.resolved
        return isinstance(replied, discord.Message) and replied.author.id == own

    def is_new_watcher(self, message: discord.Message) -> bool:
        """Tell whether a spectator has not yet been told that they are one; now they are."""
        whose = ChannelId(message.channel.id), UserId(message.author.id)
        return self._watching.is_new(whose, value=True)

    async def give(
        self, message: discord.Message, post: Post, kind: str, png: bytes | None = None
    ) -> MessageId | None:
        """Reply once, with each kind of reply.

        Args:
            message: What is replied to.
            post: The reply.
            kind: Four letters at most.
            png: The reply's picture, rendered.

        Returns:
            The reply; None where it was not given.
        """
        try:
            if self._now() - written_at(message) > IN_TIME and await self._has_answered(message):
                return None  # this process has stood still, and another one was there
            reply = await message.channel.send(
                **arguments(post, png),
                reference=message.to_reference(fail_if_not_exists=False),
                nonce=f"{message.id}-{kind}",  # another process may have heard it, too
            )
        except TROUBLE as error:
            _log.info("a reply was not taken", message=message.id, error=str(error))
            return None
        return MessageId(reply.id)

    async def refuse(self, message: discord.Message, words: str) -> None:
        """Say why something was not done; it stands until its author has moved."""
        kind = _REFUSED
        if message.edited_at is not None:  # what was said to another text is another answer
            kind = f"{int(message.edited_at.timestamp() * 1_000) % _EDIT_NAMES:04}"
        reply = await self.give(message, Post(content=words), kind)
        if reply is not None:
            whose = ChannelId(message.channel.id), UserId(message.author.id)
            before = self._refused.get(whose) or ()
            self._refused.learn(whose, (*before, reply)[-_MOST_REFUSALS:])

    def tidy(self, update: Update) -> None:
        """Take away the refusals to a player whose move has succeeded.

        It is tried once, and nothing depends on it.
        """
        event = update.told[0].event
        whose = update.game.row.channel, event.actor
        if isinstance(event.what, Moved) and (refused := self._refused.forget(whose)):
            self._services.work.start(self._take_away(update.game.row.channel, refused))

    async def _take_away(self, channel: ChannelId, refused: tuple[MessageId, ...]) -> None:
        where = self._services.publisher.channels(channel)
        for one in refused:
            try:
                await where.get_partial_message(one).delete()
            except TROUBLE as error:
                _log.info("a refusal was not taken away", error=str(error))

    async def _has_answered(self, message: discord.Message) -> bool:
        """Tell whether the bot has answered a message as it stands, as far as that can be read.

        Raises:
            One of `TROUBLE`: if Discord does not say.
        """
        own = self._services.publisher.channels.own_id
        with suppress(discord.Forbidden, discord.NotFound):
            async for one in message.channel.history(limit=100, after=message):
                answered = None if one.reference is None else one.reference.message_id
                if one.author.id == own and answered == message.id:
                    return not is_unanswered(message, one.created_at)
        return False


async def say(channel: discord.abc.Messageable, post: Post, nonce: str) -> None:
    """Say a word in a channel, once; where that fails, it is left unsaid."""
    try:
        await channel.send(**arguments(post), nonce=nonce)
    except TROUBLE as error:
        _log.info("a word was not taken", error=str(error))


def is_unanswered(message: discord.Message, answered: datetime | None) -> bool:
    """Tell whether a message was never answered, or has changed since the bot has answered it."""
    if answered is None:
        return True
    return message.edited_at is not None and message.edited_at > answered


def written_at(message: discord.Message) -> datetime:
    """Return the time when a message got its present text."""
    return message.edited_at or message.created_at
