"""Replies to typed messages, and all reasons for not answering one.

If a message mentions the bot, replies to it, or contains exactly one legal move, the bot plays it
or answers visibly: with a board, text or a mark. `ReasonForSilence` lists all exceptions, and
`tests/e2e/test_answered.py` has a case for each. Each reply is sent once, and outdated refusals are
deleted.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from enum import Enum, auto
from typing import Final, TypeAlias

import discord
import structlog

from bot.base.errors import PlayError
from bot.base.ids import NO_GUILD, ChannelId, GuildId, MessageId, UserId
from bot.base.spelling import BotNames, moves_among_words, without_mention
from bot.connection.bounded_cache import BoundedCache, ConcurrencyLimit
from bot.connection.discord_messages import MessageFormat, arguments, in_format
from bot.connection.permissions import may_reply
from bot.connection.posts import CONTENT_LIMIT, File, Post, user
from bot.connection.request_demands import IN_TIME, low_priority
from bot.connection.request_errors import DISCORD_ERRORS
from bot.play.delivery.boards import try_once
from bot.play.game_changes import GameUpdate
from bot.play.handlers.interactions import Services
from bot.play.model.events import Moved
from bot.play.words.moves import stands_alone
from dvonn import Coordinates, Move, Position

_log = structlog.get_logger()

_REFUSED: Final = "no"
_LEADING_MENTION: Final = re.compile(r"\s*<@!?([0-9]{1,20})>")
_EDIT_NAMES: Final = 10_000
_MAX_REFUSALS: Final = 5
"""Maximum number of refusals to a player that are deleted. Older ones stay."""


class MessageOutcome(Enum):
    """The bot's reaction to a message."""

    PLAYED = auto()
    """The message was a move, or a vote for one."""
    ANSWERED = auto()
    """The message was answered with text or a mark."""


class ReasonForSilence(Enum):
    """Reasons why a message gets no answer. There are no others."""

    CHATTER = auto()
    """The message doesn't address the bot, and contains no legal move."""
    NOT_THEIRS = auto()
    """The message doesn't address the bot, and it is not its author's turn."""
    TEAM_TALK = auto()
    """The message is part of a team's discussion, and doesn't address the bot."""
    MARKED = auto()
    """Three of its author's messages have been marked in this turn, and it doesn't address the bot.
    """
    TOLD = auto()
    """The author already got this answer on this board, and doesn't address the bot."""
    UNREADABLE = auto()
    """Discord withholds the text, as the players know, and the bot isn't addressed."""
    OTHER_BOT = auto()
    """The message starts with another bot's name, and doesn't address this one."""
    NOT_A_PERSON = auto()
    """The message was written by a bot, a webhook or Discord itself."""
    WHILE_AWAY = auto()
    """The message was written while the bot was offline, and isn't the next move."""
    DONE = auto()
    """The message was already played or answered."""
    FLOOD = auto()
    """The author is already waiting for two answers."""
    CANNOT_SPEAK = auto()
    """The bot can't write or react there."""

    @property
    def yields_to_mention(self) -> bool:
        """True if the message still gets a mark when it addresses the bot."""
        return self in _UNADDRESSED


_UNADDRESSED = frozenset(
    {
        ReasonForSilence.CHATTER,
        ReasonForSilence.NOT_THEIRS,
        ReasonForSilence.TEAM_TALK,
        ReasonForSilence.MARKED,
        ReasonForSilence.TOLD,
        ReasonForSilence.UNREADABLE,
    }
)

Outcome: TypeAlias = MessageOutcome | ReasonForSilence


class Replies:
    """Sends replies to messages in any channel."""

    def __init__(self, services: Services, *, now: Callable[[], datetime]) -> None:
        self._services = services
        self._now = now
        self._watching: BoundedCache[tuple[ChannelId, UserId], bool] = BoundedCache()
        self._refused: BoundedCache[tuple[ChannelId, UserId], tuple[MessageId, ...]] = (
            BoundedCache()
        )

    def names(self, message: discord.Message) -> BotNames:
        """Return the mentions that mean the bot in a message's server."""
        role = None if message.guild is None else message.guild.self_role
        own_id = self._services.publisher.channels.own_id
        return BotNames(own_id, None if role is None else role.id)

    def text_of(self, message: discord.Message) -> str:
        """Return a message's current text, without mentions of the bot at its start and end."""
        names = self.names(message)
        return without_mention(names.without_role(message.content), names)

    def is_meant(self, message: discord.Message) -> bool:
        """Return True if a message mentions the bot or replies to it."""
        names = self.names(message)
        own_id, role = names.user, names.role
        if message.guild is None or any(user.id == own_id for user in message.mentions):
            return True  # a reply with a ping also counts as a mention
        if role is not None and (
            role in message.raw_role_mentions
            or any(
                mention.id == role for mention in message.role_mentions
            )  # known even without the text
        ):
            return True
        replied = None if message.reference is None else message.reference.resolved
        return isinstance(replied, discord.Message) and replied.author.id == own_id

    def is_for_another_bot(self, message: discord.Message, *, is_late: bool) -> bool:
        """Return True if a message starts with another bot's name.

        A person's name doesn't matter.

        If a message is read late, its server is unknown, so it is unclear whether it addresses the
        bot.
        """
        begins = _LEADING_MENTION.match(message.content)
        is_meant = any(user.id == self.names(message).user for user in message.mentions)
        if begins is None or is_meant or (not is_late and self.is_meant(message)):
            return False
        return any(user.bot and str(user.id) == begins[1] for user in message.mentions)

    def is_new_spectator(self, message: discord.Message) -> bool:
        """Return True once for each spectator of a channel. They then get an explanation."""
        key = ChannelId(message.channel.id), UserId(message.author.id)
        return self._watching.is_new(key, value=True)

    async def reply(
        self, message: discord.Message, post: Post, kind: str, picture: File | None = None
    ) -> MessageId | None:
        """Reply to a message, at most once per kind of reply.

        A kind has at most four letters. If replies are not allowed, a plain message names the user.
        Returns the reply, or None if it was not sent.
        """
        try:
            if self._now() - written_at(message) > IN_TIME and await self._has_answered(message):
                return None  # it was answered while the bot was suspended
            return await self._send(message, post, kind, picture)
        except DISCORD_ERRORS as error:
            _log.info("reply rejected", message=message.id, error=str(error))
            return None

    async def _send(
        self, message: discord.Message, post: Post, kind: str, picture: File | None
    ) -> MessageId:
        """Send a reply.

        If Discord doesn't allow a reply or a picture, send a plain message or only text.

        Raises:
            One of `DISCORD_ERRORS`: if Discord accepts none of these.
        """
        nonce = f"{message.id}-{kind}"  # so that no message is answered twice
        if may_reply(message):
            with suppress(discord.Forbidden):  # the permissions have just changed
                reference = message.to_reference(fail_if_not_exists=False)
                reply = await message.channel.send(
                    **arguments(post, picture), reference=reference, nonce=nonce
                )
                return MessageId(reply.id)
        post = _with_mention(message, post)
        try:
            reply = await message.channel.send(**arguments(post, picture), nonce=nonce)
        except discord.Forbidden:
            if picture is None:
                raise
            with in_format(MessageFormat.AS_TEXT):
                reply = await message.channel.send(**arguments(post, picture), nonce=nonce)
        return MessageId(reply.id)

    async def mark(self, message: discord.Message, emoji: str) -> Outcome:
        """React to a message with an emoji, or reply with it if the bot can't react."""
        if await add_reaction(message, emoji):
            return MessageOutcome.ANSWERED
        if await self.reply(message, Post(content=emoji), "sign") is not None:
            return MessageOutcome.ANSWERED
        return ReasonForSilence.CANNOT_SPEAK

    async def refuse(self, message: discord.Message, words: str) -> Outcome:
        """Explain a refusal. The reply is deleted when the author has moved."""
        kind = _REFUSED
        if message.edited_at is not None:  # a refusal of the earlier text is a different answer
            kind = f"{int(message.edited_at.timestamp() * 1_000) % _EDIT_NAMES:04}"
        return await self.reply_temporarily(message, Post(content=words), kind)

    async def reply_temporarily(self, message: discord.Message, post: Post, kind: str) -> Outcome:
        """Send a reply that is deleted when its reader has moved or the game is over.

        Where the bot may not write, mark the message instead.
        """
        reply = await self.reply(message, post, kind)
        if reply is None:
            is_marked = await add_reaction(message, SIGN)
            return MessageOutcome.ANSWERED if is_marked else ReasonForSilence.CANNOT_SPEAK
        key = ChannelId(message.channel.id), UserId(message.author.id)
        before = self._refused.get(key) or ()
        self._refused.put(key, (*before, reply)[-_MAX_REFUSALS:])
        return MessageOutcome.ANSWERED

    def tidy(self, update: GameUpdate) -> None:
        """Delete the refusals to a player whose move succeeded, or to both players at the end.

        A new board also deletes the private move picker and the hint. Each is tried once. Errors
        are logged.
        """
        event, row = update.events[0].event, update.game.row
        is_new_board = any(not applied.event.data.keeps_board for applied in update.events)
        for views in (self._services.pickers, self._services.hints) if is_new_board else ():
            if (delete := views.pop(row.id)) is not None:
                self._services.work.start(try_once(row.id, delete()))
        players = [event.actor] if isinstance(event.data, Moved) else []
        for player in players if row.is_running else (row.white, row.black):
            if refusals := self._refused.pop((row.channel, player)):
                self._services.work.start(self._delete_refusals(row.channel, refusals))

    async def _delete_refusals(self, channel: ChannelId, refusals: tuple[MessageId, ...]) -> None:
        destination = self._services.publisher.channels(channel)
        for message in refusals:
            try:
                await destination.get_partial_message(message).delete()
            except DISCORD_ERRORS as error:
                _log.info("refusal cleanup failed", error=str(error))

    async def _has_answered(self, message: discord.Message) -> bool:
        """Return True if the channel's history shows an answer to a message's current text.

        Raises:
            One of `DISCORD_ERRORS`: if the history can't be read.
        """
        own_id = self._services.publisher.channels.own_id
        with suppress(discord.Forbidden, discord.NotFound):
            async for reply in message.channel.history(limit=100, after=message):
                target = None if reply.reference is None else reply.reference.message_id
                if reply.author.id == own_id and target == message.id:
                    return not is_unanswered(message, reply.created_at)
        return False


async def send_reply(channel: discord.abc.Messageable, post: Post, nonce: str) -> None:
    try:
        await channel.send(**arguments(post), nonce=nonce)
    except DISCORD_ERRORS as error:
        _log.info("message rejected", error=str(error))


async def add_reaction(message: discord.Message, emoji: str) -> bool:
    """React to a message. Return True if Discord accepted it."""
    try:
        await message.add_reaction(emoji)
    except DISCORD_ERRORS as error:
        _log.info("reaction rejected", message=message.id, error=str(error))
        return False
    return True


def _with_mention(message: discord.Message, post: Post) -> Post:
    """Return a post that starts with a mention of the user it answers, if that fits."""
    words = post.content
    between = "\n" if words.startswith("#") else ": "  # a heading needs its own line
    content = f"{user(UserId(message.author.id))}{between}{words}"
    return replace(post, content=content) if len(content) <= CONTENT_LIMIT else post


_MENTION: Final = re.compile(r"<@!?([0-9]{1,20})>(?:: |\n#)")


def mentioned_user(answer: str) -> UserId | None:
    """Return the user named in an answer of the bot that could not be sent as a reply, or None."""
    match = _MENTION.match(answer)
    return None if match is None else UserId(int(match[1]))


def is_unanswered(message: discord.Message, answered_at: datetime | None) -> bool:
    """Return True if a message was never answered, or was edited after the bot answered it."""
    if answered_at is None:
        return True
    return message.edited_at is not None and message.edited_at > answered_at


def written_at(message: discord.Message) -> datetime:
    """Return when a message got its current text."""
    return message.edited_at or message.created_at


SIGN: Final = "❔"
_MAX_PER_TURN: Final = 3
"""Maximum number of marks per player and turn. By then, the player knows what the mark means."""
_MAX_CHECKS: Final = 2
"""Maximum number of a user's messages that are checked for the mark at a time."""


class MentionedMoves:
    """Marks messages that contain a move among other words, and explains the mark."""

    def __init__(self, services: Services, replies: Replies) -> None:
        self._services = services
        self._replies = replies
        self._marked: BoundedCache[tuple[ChannelId, UserId], tuple[int, int]] = BoundedCache()
        self._checks: ConcurrencyLimit[UserId] = ConcurrencyLimit(_MAX_CHECKS)
        self._explained: BoundedCache[MessageId, bool] = BoundedCache()

    async def mark(
        self, message: discord.Message, position: Position, coordinates: Coordinates
    ) -> Outcome:
        """Mark a message of the player to move if it contains a legal move.

        If the bot may not react, it explains the move immediately.
        """
        moves = moves_among_words(message.content, position, coordinates)
        if not moves:
            return ReasonForSilence.CHATTER
        key = ChannelId(message.channel.id), UserId(message.author.id)
        turn, count = self._marked.get(key) or (position.plies, 0)
        count = count + 1 if turn == position.plies else 1
        if count > _MAX_PER_TURN:
            return ReasonForSilence.MARKED
        self._marked.put(key, (position.plies, count))
        if await add_reaction(message, SIGN):
            return MessageOutcome.ANSWERED
        reader = await self._services.readers.for_reply(message)
        words = stands_alone(reader, position, coordinates, moves)
        return await self._replies.reply_temporarily(message, Post(content=words), "what")

    async def explain(self, event: discord.RawReactionActionEvent) -> None:
        """Explain a message that the bot has marked, once its author adds the same emoji."""
        if event.emoji.name != SIGN or event.user_id != event.message_author_id:
            return
        with self._checks.slot(UserId(event.user_id)) as may_check:
            if may_check and not self._explained.get(MessageId(event.message_id)):
                await self._explain_if_marked(event)

    async def _explain_if_marked(self, event: discord.RawReactionActionEvent) -> None:
        """Explain a message if it is marked. Each check is a request, so boards have priority."""
        message_id = MessageId(event.message_id)
        channels = self._services.publisher.channels
        try:
            with low_priority():
                message = await channels(ChannelId(event.channel_id)).fetch_message(message_id)
        except DISCORD_ERRORS as error:
            _log.info("message lookup failed", message=message_id, error=str(error))
            return
        marks = (reaction for reaction in message.reactions if str(reaction.emoji) == SIGN)
        if any(mark.me for mark in marks) and self._explained.is_new(message_id, value=True):
            position, coordinates, moves = await self._moves_in(message)
            reader = await self._services.readers.for_channel(
                GuildId(event.guild_id or NO_GUILD),
                ChannelId(event.channel_id),
                recipient=UserId(event.user_id),
            )
            words = stands_alone(reader, position, coordinates, moves)
            await self._replies.reply(message, Post(content=words), "what")

    async def _moves_in(
        self, message: discord.Message
    ) -> tuple[Position, Coordinates, tuple[Move, ...]]:
        channel, user = ChannelId(message.channel.id), UserId(message.author.id)
        try:
            game, _ = await self._services.games.legal_here(channel, user)
        except PlayError:
            return Position.initial(), Coordinates.STANDARD, ()
        position, coordinates = game.position, game.row.coordinates
        return position, coordinates, moves_among_words(message.content, position, coordinates)
