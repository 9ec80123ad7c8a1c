"""Handles typed messages, including moves typed while the bot was offline."""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import timedelta
from types import MappingProxyType
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog

from bot.base.errors import AlreadyHandled, PlayError, StoreError
from bot.base.ids import ChannelId, GameId, MessageId, Revision, SourceId, UserId
from bot.base.metrics import REFUSALS
from bot.base.spelling import Meaning, may_contain_move, meaning
from bot.connection.bounded_cache import BoundedCache, ConcurrencyLimit, Cooldown
from bot.connection.posts import Post
from bot.connection.triggers import Trigger, handling_trigger
from bot.connection.words import something_went_wrong
from bot.play.game_changes import GameUpdate
from bot.play.handlers.interactions import Services
from bot.play.handlers.replies import (
    SIGN,
    MentionedMoves,
    MessageOutcome,
    Outcome,
    ReasonForSilence,
    Replies,
    send_reply,
    written_at,
)
from bot.play.model import refusals
from bot.play.words.notices import cannot_read, not_posted, will_be_played
from dvonn import Reason

_log = structlog.get_logger()

_REMINDER_INTERVAL = timedelta(minutes=1)
"""Delay before another hint to a user who keeps typing moves without a game here."""
MOST_AT_ONCE = 2
"""Maximum number of answers, other than to moves, that a user may be waiting for."""
_VOTE_MARK: Final = "🗳️"
"""Reaction to a typed move that counted as a vote."""
_USER_TYPES = (discord.MessageType.default, discord.MessageType.reply)


class TypedHandler:
    """A feature's handler for typed text. By default, each method handles nothing."""

    async def handle_move(self, message: discord.Message, text: str) -> bool:
        """Handle a move from a user who can't play it: a spectator, or a user without a game.

        Return True if it was handled.

        Raises:
            PlayError: if the move is refused.
        """
        return False

    async def handle_text(
        self, message: discord.Message, text: str, *, is_addressed: bool, turn: asyncio.Lock
    ) -> Outcome | None:
        """Handle text that is not a move.

        Return the outcome, or None if this feature doesn't handle the text.

        Args:
            message: The message.
            text: The message's text without a mention of the bot.
            is_addressed: True if the text starts with the bot's name.
            turn: The channel's lock, so that its boards and replies are sent one at a time.
        """
        return None


class TypedMessageHandler:
    """Handles typed messages, one at a time per channel."""

    def __init__(
        self,
        services: Services,
        replies: Replies,
        mentioned_moves: MentionedMoves,
        handlers: Iterable[TypedHandler],
        *,
        reads: bool,
    ) -> None:
        self._services = services
        self._replies = replies
        self._mentioned_moves = mentioned_moves
        self._handlers = tuple(handlers)
        self._reads = reads
        self._readers = services.readers
        self._channels: WeakValueDictionary[ChannelId, asyncio.Lock] = WeakValueDictionary()
        self._answering: ConcurrencyLimit[UserId] = ConcurrencyLimit(MOST_AT_ONCE)
        self._without_game: Cooldown[tuple[ChannelId, UserId]] = Cooldown(_REMINDER_INTERVAL)
        self._explained: BoundedCache[tuple[GameId, Revision, UserId], bool] = BoundedCache()

    @property
    def _bot(self) -> UserId:
        return self._services.publisher.channels.own_id

    async def read(
        self,
        message: discord.Message,
        *,
        is_late: bool = False,
        is_edited: bool = False,
        posted_boards: Mapping[str, MessageId] = MappingProxyType({}),
    ) -> bool:
        """Play the move in a message.

        If it contains none, answer it, unless a reason in `ReasonForSilence` applies.

        Return True if it was played.

        Args:
            message: Any message in a server, or to the bot.
            is_late: True if it was written while the bot was offline. In that case, only valid
                moves are handled.
            is_edited: True if its author has changed the text. A move that was played is not
                undone.
            posted_boards: Later boards that are already in the channel.

        Raises:
            StoreError: if it can't be played until later.
        """
        guild = None if message.guild is None else message.guild.id
        trigger = Trigger.CAUGHT_UP if is_late else Trigger.TYPED
        with handling_trigger(trigger, guild=guild, channel=message.channel.id, message=message.id):
            outcome = await self._handle(
                message, is_late=is_late, is_edited=is_edited, posted_boards=posted_boards
            )
            if isinstance(outcome, ReasonForSilence) and outcome.yields_to_mention:
                is_addressed = not is_late and self._replies.is_meant(message)
                if is_addressed:
                    outcome = await self._replies.mark(message, SIGN)
            ordinary = ReasonForSilence.CHATTER, ReasonForSilence.NOT_A_PERSON
            if isinstance(outcome, ReasonForSilence) and outcome not in ordinary:
                _log.debug("message not answered", why=outcome.name)
        return outcome is MessageOutcome.PLAYED

    async def _handle(
        self,
        message: discord.Message,
        *,
        is_late: bool,
        is_edited: bool,
        posted_boards: Mapping[str, MessageId],
    ) -> Outcome:
        if not _is_by_person(message):
            return ReasonForSilence.NOT_A_PERSON
        if self._replies.is_for_another_bot(message, is_late=is_late):
            return ReasonForSilence.OTHER_BOT
        kind, text = meaning(message.content, self._replies.names(message))
        outcome: Outcome = ReasonForSilence.CHATTER
        if kind is Meaning.MOVE or may_contain_move(text):
            entry = kind, text
            outcome = await self._play(
                message, entry, is_late=is_late, is_edited=is_edited, posted_boards=posted_boards
            )
        if kind is Meaning.MOVE or outcome in MessageOutcome:
            return outcome
        if is_late:
            return ReasonForSilence.WHILE_AWAY
        reply_outcome = await self._handle_text(
            message, text, is_edited=is_edited, is_addressed=kind is Meaning.CALL
        )
        return reply_outcome or outcome

    async def _handle_text(
        self, message: discord.Message, text: str, *, is_edited: bool, is_addressed: bool
    ) -> Outcome | None:
        """Handle text that is not a move, if it addresses the bot."""
        turn = self._channel_lock(ChannelId(message.channel.id))
        for handler in self._handlers:
            outcome = await handler.handle_text(message, text, is_addressed=is_addressed, turn=turn)
            if outcome is not None:
                return outcome
        return None if is_edited else await self._hint(message)

    def _channel_lock(self, channel: ChannelId) -> asyncio.Lock:
        return self._channels.setdefault(channel, asyncio.Lock())

    async def _play(
        self,
        message: discord.Message,
        entry: tuple[Meaning, str],
        *,
        is_late: bool,
        is_edited: bool,
        posted_boards: Mapping[str, MessageId],
    ) -> Outcome:
        channel = ChannelId(message.channel.id)
        try:
            async with self._channel_lock(channel):
                update = await self._play_text(message, entry[1], is_late=is_late)
        except AlreadyHandled:
            if not is_edited:
                self._services.check_later(channel)
            return ReasonForSilence.DONE
        except refusals.NoGameHere as error:
            if message.guild is None and not is_late:
                reply_outcome = await self._answer(message, entry)
                if reply_outcome is not None:
                    return reply_outcome
            return await self._refuse(message, error, entry, is_late=is_late)
        except PlayError as error:
            return await self._refuse(message, error, entry, is_late=is_late)
        except StoreError:
            REFUSALS.labels(StoreError.__name__).inc()
            raise
        except Exception:
            _log.exception("typed move failed")
            return await self._replies.refuse(
                message, something_went_wrong(await self._readers.for_reply(message))
            )
        if update is not None:
            await self._publish(message, update, posted_boards)
        return MessageOutcome.PLAYED

    async def _publish(
        self, message: discord.Message, update: GameUpdate, posted_boards: Mapping[str, MessageId]
    ) -> None:
        if not await self._services.publisher.publish(update, posted_boards):
            missing = self._services.publisher.channels.missing(ChannelId(message.channel.id))
            words = not_posted(await self._readers.for_reply(message), missing)
            await self._replies.reply(message, Post(content=words), "wait")
        if update.plan_note is not None:
            reader = await self._readers.for_reply(message)
            words = update.plan_note.text(reader, update.game, UserId(message.author.id))
            await self._replies.reply(message, Post(content=words), "kept")

    async def _play_text(
        self, message: discord.Message, text: str, *, is_late: bool
    ) -> GameUpdate | None:
        try:
            return await self._services.games.play(
                ChannelId(message.channel.id),
                UserId(message.author.id),
                text,
                source=SourceId(message.id),
                written_at=written_at(message) if is_late else None,
            )
        except refusals.TeamVotes as team_votes:
            await self._services.teams.cast(
                team_votes,
                UserId(message.author.id),
                channel=ChannelId(message.channel.id),
                source=SourceId(message.id),
            )
            # In the background: Discord limits reactions, and the next vote shouldn't wait.
            self._services.work.start(self._replies.mark(message, _VOTE_MARK))
        return None

    async def _feature_handles(self, message: discord.Message, text: str) -> bool:
        """Let features handle a move that can't be played. Return True if one did."""
        for handler in self._handlers:
            if await handler.handle_move(message, text):
                return True
        return False

    async def _answer(self, message: discord.Message, entry: tuple[Meaning, str]) -> Outcome | None:
        """Let features handle a direct message that looks like a move. Return None if none did."""
        with self._answering.slot(UserId(message.author.id)) as may_answer:
            if not may_answer:
                return ReasonForSilence.FLOOD  # each reads the channel's history
            try:
                if await self._feature_handles(message, entry[1]):
                    return MessageOutcome.ANSWERED
            except PlayError as error:
                return await self._refuse(message, error, entry, is_late=False)
        return None

    async def _refuse(
        self,
        message: discord.Message,
        error: PlayError,
        entry: tuple[Meaning, str],
        *,
        is_late: bool,
    ) -> Outcome:
        """Explain why a move was not played. Just mark text that may not be a move."""
        kind, text = entry
        is_move = kind is Meaning.MOVE
        if (
            isinstance(error, refusals.NotAPlayer)
            and not is_late
            and is_move
            and await self._feature_handles(message, text)
        ):
            return MessageOutcome.ANSWERED
        if is_move or _is_almost_a_move(error):
            REFUSALS.labels(type(error).__name__).inc()
            silence = self._reason_for_silence(message, error, is_late=is_late)
            if silence is not None:
                return silence
            words = self._services.refusal(await self._readers.for_reply(message), error)
            return await self._replies.refuse(message, words)
        if kind is Meaning.CALL or is_late:
            return ReasonForSilence.CHATTER
        return await self._mark(message, error)

    async def _mark(self, message: discord.Message, error: PlayError) -> Outcome:
        """Mark text that contains more than its move."""
        match error:
            case refusals.UnreadableMove(of_team=True) | refusals.IllegalPlay(of_team=True):
                return ReasonForSilence.TEAM_TALK
            case refusals.UnreadableMove():
                marks, position = self._mentioned_moves, error.position
                return await marks.mark(message, position, error.coordinates)
            case refusals.IllegalPlay():
                marks, position = self._mentioned_moves, error.error.position
                return await marks.mark(message, position, error.coordinates)
            case _:
                return ReasonForSilence.NOT_THEIRS

    async def _hint(self, message: discord.Message) -> Outcome | None:
        """Explain, once per game, how to type a move if the bot may not read messages."""
        if self._reads or message.content:
            return None
        channel = ChannelId(message.channel.id)
        if not await self._services.games.needs_hint(channel, UserId(message.author.id)):
            return ReasonForSilence.UNREADABLE
        words = cannot_read(await self._readers.for_reply(message), self._bot)
        # It is for both players and is sent only once, so unlike a refusal, it is not deleted.
        reply = await self._replies.reply(message, Post(content=words), "hint")
        return ReasonForSilence.CANNOT_SPEAK if reply is None else MessageOutcome.ANSWERED

    def _reason_for_silence(  # noqa: PLR0911 - one return for each refusal
        self, message: discord.Message, error: PlayError, *, is_late: bool
    ) -> ReasonForSilence | None:
        """Return why a refusal is not explained in words, or None if it is."""
        author = UserId(message.author.id)
        match error:
            case refusals.NotYourVote():
                return ReasonForSilence.NOT_THEIRS
            case refusals.NotAPlayer():
                if is_late or not self._replies.is_meant(message):
                    return ReasonForSilence.NOT_THEIRS
                return None if self._replies.is_new_spectator(message) else ReasonForSilence.TOLD
            case refusals.NotYourTurn() | refusals.GameJustEnded():
                if is_late:
                    return ReasonForSilence.WHILE_AWAY
                is_new = self._explained.is_new((*error.turn, author), value=True)
                return None if is_new else ReasonForSilence.TOLD
            case refusals.NoGameHere():
                if is_late or not self._replies.is_meant(message):
                    return ReasonForSilence.NOT_THEIRS
                key = ChannelId(message.channel.id), author
                is_time = self._without_game.allows(key, message.created_at)
                return None if is_time else ReasonForSilence.TOLD
            case _:
                return None

    async def announce_delay(self, message: discord.Message) -> None:
        """Announce that moves in this channel will be played later."""
        with suppress(StoreError):
            if await self._services.store.games.has_source(SourceId(message.id)):
                return  # it has been handled since
        # Not as a reply: a message with a reply counts as answered, so it would not be played.
        await send_reply(
            message.channel,
            Post(content=will_be_played(await self._readers.for_reply(message))),
            f"{message.id}-off",
        )


def _is_almost_a_move(error: PlayError) -> bool:
    """Return True if a refused text looks like a move of this phase, a plan or a list."""
    if isinstance(error, refusals.NotKept):
        return True
    return isinstance(error, refusals.IllegalPlay) and error.error.reason is not Reason.WRONG_PHASE


def _is_by_person(message: discord.Message) -> bool:
    return not message.author.bot and message.webhook_id is None and message.type in _USER_TYPES
