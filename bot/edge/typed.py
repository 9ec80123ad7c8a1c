"""Moves typed into a channel, also while the bot was away."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from types import MappingProxyType
from weakref import WeakValueDictionary

import discord
import structlog

from bot import messages
from bot.attempts import looks_like_a_move, without_mention
from bot.edge.desk import Desk
from bot.edge.intime import IN_TIME
from bot.edge.sending import pinging
from bot.edge.trouble import TROUBLE
from bot.edge.visits import Door, visit
from bot.errors import (
    AlreadyDone,
    NoGameHere,
    NotAPlayer,
    NotYourTurn,
    PlayError,
    StoreError,
    TooLate,
)
from bot.ids import ChannelId, GameId, MessageId, Revision, SourceId, UserId
from bot.operations.metrics import REFUSALS

_log = structlog.get_logger()

_HUMAN = (discord.MessageType.default, discord.MessageType.reply)
_REMEMBERED_TURNS = 10_000


class Typist:
    """Reads what people write, one message of a channel after the other."""

    def __init__(
        self,
        desk: Desk,
        bot: UserId,
        *,
        reads: bool,
        elsewhere: Callable[[ChannelId], None],
        now: Callable[[], datetime],
    ) -> None:
        self._desk = desk
        self._elsewhere = elsewhere
        self._now = now
        self._reads = reads
        self._bot = bot
        self._channels: WeakValueDictionary[ChannelId, asyncio.Lock] = WeakValueDictionary()
        self._told: OrderedDict[tuple[GameId, Revision, UserId], None] = OrderedDict()

    async def read(
        self,
        message: discord.Message,
        *,
        late: bool = False,
        posted: Mapping[str, MessageId] = MappingProxyType({}),
    ) -> None:
        """Play a message if it is a move; refuse it in words if it was meant as one.

        Args:
            message: Any message of a server.
            late: It was written while the bot was away: only the moves that count are played.
            posted: The boards that stand in the channel behind it.

        Raises:
            StoreError: if it can only be played later.
        """
        text = self._attempt(message)
        if text is None:
            await self._hint(message, late=late)
            return
        guild = None if message.guild is None else message.guild.id
        door = Door.CAUGHT_UP if late else Door.TYPED
        with visit(door, guild=guild, channel=message.channel.id, message=message.id):
            await self._play(message, text, late=late, posted=posted)

    async def _play(
        self, message: discord.Message, text: str, *, late: bool, posted: Mapping[str, MessageId]
    ) -> None:
        channel = ChannelId(message.channel.id)
        lock = self._channels.setdefault(channel, asyncio.Lock())
        try:
            async with lock:
                update = await self._desk.games.play(
                    channel, UserId(message.author.id), text, source=SourceId(message.id)
                )
        except AlreadyDone:
            self._elsewhere(channel)
            return
        except PlayError as error:
            REFUSALS.labels(type(error).__name__).inc()
            if self._deserves_answer(message, error, late=late):
                await self._answer(message, messages.refusal(error))
            return
        except StoreError:
            REFUSALS.labels(StoreError.__name__).inc()
            raise
        except Exception:
            _log.exception("a typed move failed")
            await self._answer(message, messages.something_went_wrong())
            return
        if not await self._desk.publisher.publish(update, posted):
            missing = self._desk.publisher.channels.missing(channel)
            await self._answer(message, messages.not_posted(missing), "wait")
        if update.kept is not None:
            await self._answer(message, messages.kept(update), "kept")

    async def catch_up(self, channel: ChannelId, after: SourceId) -> None:
        """Play the moves that were written in a channel after a message or interaction.

        Raises:
            One of `TROUBLE`: if the channel cannot be read at the moment.
            StoreError: if what was written there cannot be played at the moment.
        """
        past = self._desk.publisher.channels(channel).history(
            limit=None, after=discord.Object(after)
        )
        try:
            found = [message async for message in past]
        except (discord.Forbidden, discord.NotFound) as error:
            _log.warning("the past cannot be read", channel=channel, error=str(error))
            await self._desk.vanished.look_in(channel)
            return
        answered = {
            message.reference.message_id
            for message in found
            if message.author.id == self._bot and message.reference is not None
        }
        boards = {name: MessageId(one.id) for one in found if (name := self._board(one))}
        left = iter(found)
        for message in left:
            if await self._tells_more(message, channel):
                # What follows was written for a board that we know nothing of.
                if not any(self._is_notice(one) for one in left):
                    await self._say(message.channel, messages.set_back(), f"{message.id}-back")
            elif message.id not in answered:
                behind = {name: board for name, board in boards.items() if board > message.id}
                await self.read(message, late=True, posted=behind)

    def _board(self, message: discord.Message) -> str | None:
        """The name of the board's picture, if the message is a board of ours."""
        if message.author.id != self._bot or not message.attachments:
            return None
        return message.attachments[0].filename

    async def _tells_more(self, message: discord.Message, channel: ChannelId) -> bool:
        """Whether it is a board of a turn of which we know nothing: a backup was restored."""
        turn = messages.turn_of_picture(self._board(message) or "")
        if turn is None:
            return False
        game = await self._desk.store.games.running_in(channel)
        return game is not None and game.id == turn[0] and game.revision < turn[1]

    def _is_notice(self, message: discord.Message) -> bool:
        return message.author.id == self._bot and message.content == messages.set_back()

    def _attempt(self, message: discord.Message) -> str | None:
        """What the message says as a move; None if it is not meant as one."""
        if not _is_persons(message):
            return None
        if self._is_addressed(message):
            return without_mention(message.content, self._bot)
        return message.content if looks_like_a_move(message.content) else None

    def _is_addressed(self, message: discord.Message) -> bool:
        # A reply with a ping names the bot here too.
        return any(user.id == self._bot for user in message.mentions)

    async def _hint(self, message: discord.Message, *, late: bool) -> None:
        """Say, once in a game, how to type a move where the bot may not read messages."""
        if self._reads or late or message.content or not _is_persons(message):
            return
        channel = ChannelId(message.channel.id)
        if await self._desk.games.needs_hint(channel, UserId(message.author.id)):
            await self._answer(message, messages.cannot_read(self._bot))

    def _deserves_answer(self, message: discord.Message, error: PlayError, *, late: bool) -> bool:
        match error:
            case NotAPlayer():
                return False
            case NotYourTurn() | TooLate():
                if late:
                    return False
                key = (*error.turn, UserId(message.author.id))
                if key in self._told:
                    return False
                self._told[key] = None
                if len(self._told) > _REMEMBERED_TURNS:
                    self._told.popitem(last=False)
                return True
            case NoGameHere():
                return self._is_addressed(message) and not late
            case _:
                return True

    async def _has_answered(self, message: discord.Message) -> bool:
        """Whether the bot has answered a message, as far as may be read.

        Raises:
            One of `TROUBLE`: if Discord does not say.
        """
        with suppress(discord.Forbidden, discord.NotFound):
            async for one in message.channel.history(limit=100, after=message):
                answered = None if one.reference is None else one.reference.message_id
                if one.author.id == self._bot and answered == message.id:
                    return True
        return False

    async def put_off(self, message: discord.Message) -> None:
        """Say that what is typed here is played later."""
        with suppress(StoreError):
            if await self._desk.store.games.has_source(SourceId(message.id)):
                return  # by another process, while this one stood still
        # No reply: what is replied to counts as answered, and would not be played.
        await self._say(message.channel, messages.will_be_played(), f"{message.id}-off")

    async def _say(self, channel: discord.abc.Messageable, text: str, nonce: str) -> None:
        try:
            await channel.send(text, allowed_mentions=pinging(None), nonce=nonce)
        except TROUBLE as error:
            _log.info("a word was not taken", error=str(error))

    async def _answer(self, message: discord.Message, text: str, kind: str = "no") -> None:
        """Answer once, with each kind of answer (of four letters at most)."""
        try:
            if self._now() - message.created_at > IN_TIME and await self._has_answered(message):
                return  # this process has stood still, and another one was there
            await message.channel.send(
                text,
                reference=message.to_reference(fail_if_not_exists=False),
                allowed_mentions=pinging(None),
                nonce=f"{message.id}-{kind}",  # another process may have heard it, too
            )
        except TROUBLE as error:
            _log.info("a refusal was not taken", message=message.id, error=str(error))


def _is_persons(message: discord.Message) -> bool:
    return not message.author.bot and message.webhook_id is None and message.type in _HUMAN
