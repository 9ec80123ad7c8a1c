"""Moves typed into a channel, also while the bot was away."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from types import MappingProxyType
from weakref import WeakValueDictionary

import discord
import structlog

from bot import messages
from bot.edge.desk import Desk
from bot.edge.intime import IN_TIME
from bot.edge.memory import Newest
from bot.edge.readers import everybody
from bot.edge.sending import arguments, pinging
from bot.edge.trouble import TROUBLE
from bot.edge.visits import Door, visit
from bot.errors import StoreError
from bot.games.update import Update
from bot.messages import Post
from bot.model.attempts import Meaning, meaning
from bot.model.events import Moved
from bot.model.ids import ChannelId, GameId, MessageId, Revision, SourceId, UserId
from bot.model.refusals import (
    AlreadyDone,
    NoGameHere,
    NotAPlayer,
    NotYourTurn,
    PlayError,
    TooLate,
)
from bot.operations.metrics import REFUSALS

_log = structlog.get_logger()

_HUMAN = (discord.MessageType.default, discord.MessageType.reply)
_REFUSED = "no"
_EDIT_NAMES = 10_000
_FORGIVEN = 10
"""So many refusals are deleted at most, once a move succeeds."""


class Typist:
    """Reads what people write, one message of a channel after the other."""

    def __init__(
        self,
        desk: Desk,
        *,
        reads: bool,
        elsewhere: Callable[[ChannelId], None],
        now: Callable[[], datetime],
    ) -> None:
        self._desk = desk
        self._elsewhere = elsewhere
        self._now = now
        self._reads = reads
        self._reader = everybody()
        self._channels: WeakValueDictionary[ChannelId, asyncio.Lock] = WeakValueDictionary()
        self._told: Newest[tuple[GameId, Revision, UserId], bool] = Newest()
        self._pointed: Newest[tuple[ChannelId, UserId], bool] = Newest()
        self._refused: Newest[tuple[ChannelId, UserId], tuple[discord.Message, ...]] = Newest()
        self._courtesies: set[asyncio.Task[None]] = set()

    @property
    def _bot(self) -> UserId:
        return self._desk.publisher.channels.own_id

    async def read(
        self,
        message: discord.Message,
        *,
        late: bool = False,
        edited: bool = False,
        posted: Mapping[str, MessageId] = MappingProxyType({}),
    ) -> bool:
        """Play a message if it is a move; refuse it in words if it was meant as one.

        Args:
            message: Any message of a server.
            late: It was written while the bot was away: only the moves that count are played.
            edited: Its author has given it another text. What was played stays played.
            posted: The boards that stand in the channel behind it.

        Returns:
            Whether it was played.

        Raises:
            StoreError: if it can only be played later.
        """
        if not _is_persons(message):
            return False
        meant, text = meaning(message.content, self._bot)
        if meant is Meaning.TALK:
            if not edited:
                await self._hint(message, late=late)
            return False
        if meant is Meaning.CALL:
            if not late:
                await self._point_to_help(message)
            return False
        guild = None if message.guild is None else message.guild.id
        door = Door.CAUGHT_UP if late else Door.TYPED
        with visit(door, guild=guild, channel=message.channel.id, message=message.id):
            return await self._play(message, text, late=late, edited=edited, posted=posted)

    async def _play(
        self,
        message: discord.Message,
        text: str,
        *,
        late: bool,
        edited: bool,
        posted: Mapping[str, MessageId],
    ) -> bool:
        channel = ChannelId(message.channel.id)
        lock = self._channels.setdefault(channel, asyncio.Lock())
        try:
            async with lock:
                update = await self._desk.games.play(
                    channel, UserId(message.author.id), text, source=SourceId(message.id)
                )
        except AlreadyDone:
            if not edited:
                self._elsewhere(channel)
            return False
        except PlayError as error:
            REFUSALS.labels(type(error).__name__).inc()
            if self._deserves_answer(message, error, late=late):
                answer = await self._answer(message, messages.refusal(self._reader, error))
                if answer is not None:
                    self._remember_refusal(message, answer)
            return False
        except StoreError:
            REFUSALS.labels(StoreError.__name__).inc()
            raise
        except Exception:
            _log.exception("a typed move failed")
            await self._answer(message, messages.something_went_wrong(self._reader))
            return False
        if not await self._desk.publisher.publish(update, posted):
            missing = self._desk.publisher.channels.missing(channel)
            await self._answer(message, messages.not_posted(self._reader, missing), "wait")
        if update.kept is not None:
            await self._answer(message, messages.kept(self._reader, update), "kept")
        return True

    def forgive(self, update: Update) -> None:
        """Delete what was refused in public to a player whose move has succeeded.

        It is tried once, and nothing depends on it.
        """
        event = update.told[0].event
        key = (update.game.row.channel, event.actor)
        if isinstance(event.what, Moved) and (refusals := self._refused.forget(key)):
            task = self._desk.work.start(_delete(refusals))
            self._courtesies.add(task)
            task.add_done_callback(self._courtesies.discard)

    def _is_addressed(self, message: discord.Message) -> bool:
        # A reply with a ping names the bot here too.
        return any(user.id == self._bot for user in message.mentions)

    async def _point_to_help(self, message: discord.Message) -> None:
        """Say, once to each in a channel, what the bot understands."""
        key = (ChannelId(message.channel.id), UserId(message.author.id))
        if self._pointed.is_new(key, value=True):
            await self._answer(message, messages.not_understood(self._reader), "call")

    async def _hint(self, message: discord.Message, *, late: bool) -> None:
        """Say, once in a game, how to type a move where the bot may not read messages."""
        if self._reads or late or message.content:
            return
        channel = ChannelId(message.channel.id)
        if await self._desk.games.needs_hint(channel, UserId(message.author.id)):
            await self._answer(message, messages.cannot_read(self._reader, self._bot))

    def _deserves_answer(self, message: discord.Message, error: PlayError, *, late: bool) -> bool:
        match error:
            case NotAPlayer():
                return False
            case NotYourTurn() | TooLate():
                if late:
                    return False
                return self._told.is_new((*error.turn, UserId(message.author.id)), value=True)
            case NoGameHere():
                return self._is_addressed(message) and not late
            case _:
                return True

    async def _has_answered(self, message: discord.Message) -> bool:
        """Whether the bot has answered a message as it stands, as far as may be read.

        Raises:
            One of `TROUBLE`: if Discord does not say.
        """
        with suppress(discord.Forbidden, discord.NotFound):
            async for one in message.channel.history(limit=100, after=message):
                answered = None if one.reference is None else one.reference.message_id
                if one.author.id == self._bot and answered == message.id:
                    return not is_unanswered(message, one.created_at)
        return False

    def _remember_refusal(self, message: discord.Message, answer: discord.Message) -> None:
        key = (ChannelId(message.channel.id), UserId(message.author.id))
        earlier = self._refused.get(key) or ()
        self._refused.learn(key, (*earlier, answer)[-_FORGIVEN:])

    async def put_off(self, message: discord.Message) -> None:
        """Say that what is typed here is played later."""
        with suppress(StoreError):
            if await self._desk.whereabouts.was_played(SourceId(message.id)):
                return  # by another process, while this one stood still
        # No reply: what is replied to counts as answered, and would not be played.
        await say(
            message.channel,
            Post(content=messages.will_be_played(self._reader)),
            f"{message.id}-off",
        )

    async def _answer(
        self, message: discord.Message, text: str, kind: str = _REFUSED
    ) -> discord.Message | None:
        """Answer once, with each kind of answer (of four letters at most); what was said."""
        try:
            if self._now() - _written_at(message) > IN_TIME and await self._has_answered(message):
                return None  # this process has stood still, and another one was there
            if (
                kind == _REFUSED and message.edited_at is not None
            ):  # what was said to another text is another answer
                kind = f"{int(message.edited_at.timestamp() * 1_000) % _EDIT_NAMES:04}"
            return await message.channel.send(
                text,
                reference=message.to_reference(fail_if_not_exists=False),
                allowed_mentions=pinging(),
                nonce=f"{message.id}-{kind}",  # another process may have heard it, too
            )
        except TROUBLE as error:
            _log.info("a refusal was not taken", message=message.id, error=str(error))
            return None


async def say(channel: discord.abc.Messageable, post: Post, nonce: str) -> None:
    """Say a word in a channel, once; where that fails, it is left unsaid."""
    try:
        await channel.send(**arguments(post), nonce=nonce)
    except TROUBLE as error:
        _log.info("a word was not taken", error=str(error))


async def _delete(answers: Iterable[discord.Message]) -> None:
    for answer in answers:
        try:
            await answer.delete()
        except TROUBLE as error:
            _log.info("a refusal could not be deleted", message=answer.id, error=str(error))


def _is_persons(message: discord.Message) -> bool:
    return not message.author.bot and message.webhook_id is None and message.type in _HUMAN


def _written_at(message: discord.Message) -> datetime:
    """When a message got the text that it has."""
    return message.edited_at or message.created_at


def is_unanswered(message: discord.Message, answered: datetime | None) -> bool:
    """Whether a message has got its text since the bot has answered it, or was never answered."""
    if answered is None:
        return True
    return message.edited_at is not None and message.edited_at > answered
