"""Reads messages from periods without a connection, page by page.

Usually there are few. If there are too many, only the newest are read, and the bot says so in the
channel.
"""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import discord
import structlog
from discord.abc import Snowflake

from bot.base.ids import ChannelId, MessageId, SourceId, UserId
from bot.connection.discord_messages import button_ids
from bot.connection.request_demands import low_priority
from bot.play.handlers.interactions import Services
from bot.play.handlers.replies import is_unanswered, mentioned_user, send_reply
from bot.play.handlers.typed_messages import TypedMessageHandler
from bot.play.model.refusals import NoGameHere
from bot.play.words.notices import Notice, read_in_part, set_back
from bot.play.words.pictures import turn_of_picture

_log = structlog.get_logger()

MOST_MESSAGES: Final = 1_000
MOST_AGE: Final = timedelta(days=14)
_PAGE = 100
"""Maximum number of messages in a response from Discord."""

Turn = Callable[[], AbstractAsyncContextManager[None]]
"""Waits for a channel's turn to read a page or play a message."""


@dataclass(frozen=True, slots=True)
class MessageHistory:
    """Messages from a channel's history, oldest first."""

    messages: list[discord.Message]
    whole: bool
    """True if no older missed messages were left out."""


async def read_history(
    channel: discord.abc.Messageable, after: SourceId, *, now: datetime, turn: Turn
) -> MessageHistory:
    """Read a channel's messages after a given message or interaction.

    Raises:
        One of `DISCORD_ERRORS`: if they cannot be read.
    """

    async def page(
        *, after: Snowflake | None = None, before: Snowflake | None = None
    ) -> list[discord.Message]:
        async with turn():
            with low_priority():
                history = channel.history(limit=_PAGE, after=after, before=before)
                return [message async for message in history]

    messages = await page(after=discord.Object(after))
    oldest = discord.utils.time_snowflake(now - MOST_AGE)
    if len(messages) == _PAGE:
        messages += await _newest_back_to(messages[-1].id, page, oldest)
    recent = [message for message in messages[-MOST_MESSAGES:] if message.id >= oldest]
    return MessageHistory(recent, whole=len(recent) == len(messages))


async def _newest_back_to(
    reached: int, page: Callable[..., Awaitable[list[discord.Message]]], oldest: int
) -> list[discord.Message]:
    """Return the messages newer than a given one, oldest first.

    It stops after `MOST_MESSAGES` messages, or when the rest is too old.
    """
    newer: list[discord.Message] = []
    before: discord.Message | None = None
    while len(newer) < MOST_MESSAGES:
        batch = await page(before=before)
        fresh = [message for message in batch if message.id > reached]
        newer += fresh
        if len(fresh) < _PAGE or fresh[-1].id < oldest:
            break
        before = fresh[-1]
    return newer[::-1]


class CatchUp:
    """Plays the moves in a channel's missed messages."""

    def __init__(
        self, move_reader: TypedMessageHandler, services: Services, *, now: Callable[[], datetime]
    ) -> None:
        self._move_reader = move_reader
        self._services = services
        self._now = now

    @property
    def _bot(self) -> UserId:
        return self._services.publisher.channels.own_id

    async def catch_up(self, channel: ChannelId, after: SourceId, turn: Turn) -> SourceId:
        """Play the moves that a channel missed after a given message or interaction.

        It reads as far back as `MOST_MESSAGES` and `MOST_AGE` allow. It waits for `turn`
        before each page and each message. Returns the newest message that was read.

        Raises:
            One of `DISCORD_ERRORS`: if the channel cannot be read now.
            StoreError: if the moves cannot be stored now.
        """
        destination = self._services.publisher.channels(channel)
        try:
            history = await read_history(destination, after, now=self._now(), turn=turn)
        except (discord.Forbidden, discord.NotFound) as error:
            _log.warning("catch-up refused", channel=channel, error=str(error))
            await self._services.deleted_channels.check_channel(channel)
            return after
        until = SourceId(history.messages[-1].id) if history.messages else after
        if not await self._play_history(channel, history, turn) and not history.whole:
            await self._announce_incomplete_history(channel, history, until)
        return until

    async def _announce_incomplete_history(
        self, channel: ChannelId, history: MessageHistory, until: SourceId
    ) -> None:
        """Announce once in a channel with a running game that older messages were not read."""
        if any(self._is_notice(message, Notice.READ_IN_PART) for message in history.messages):
            return
        with suppress(NoGameHere):
            game = await self._services.game_cache.running_in(channel)
            reader = await self._services.readers.for_game(game.row)
            notice = read_in_part(reader, MOST_MESSAGES, MOST_AGE)
            await send_reply(self._services.publisher.channels(channel), notice, f"{until}-past")

    async def _play_history(self, channel: ChannelId, history: MessageHistory, turn: Turn) -> bool:
        """Play the moves in missed messages. Return True if there were any."""
        messages = history.messages
        answer_times = self._answer_times(messages)
        boards = {
            name: MessageId(message.id) for message in messages if (name := self._board(message))
        }
        played = False
        remaining = iter(messages)
        for message in remaining:
            async with turn():
                if await self._shows_unknown_turn(message, channel):
                    # Later messages refer to a board that was lost.
                    if not any(self._is_notice(message, Notice.SET_BACK) for message in remaining):
                        reader = await self._services.readers.for_reply(message)
                        notice = set_back(reader)
                        await send_reply(message.channel, notice, f"{message.id}-back")
                elif is_unanswered(message, answer_times.get(message.id)):
                    later_boards = {
                        name: board for name, board in boards.items() if board > message.id
                    }
                    played |= await self._move_reader.read(
                        message, is_late=True, posted_boards=later_boards
                    )
        return played

    def _answer_times(self, messages: Iterable[discord.Message]) -> dict[int, datetime]:
        """Return the bot's last answer time for each message, by message id.

        An answer that is not a reply mentions a user, and counts for their last message.
        """
        times: dict[int, datetime] = {}
        last: dict[UserId, int] = {}
        for message in messages:
            if message.author.id != self._bot:
                last[UserId(message.author.id)] = message.id
                continue
            if message.reference is not None:
                question = message.reference.message_id
            elif (user := mentioned_user(message.content)) is not None:
                question = last.get(user)
            else:
                question = None
            if question is not None:
                times[question] = message.created_at
        return times

    def _board(self, message: discord.Message) -> str | None:
        if message.author.id != self._bot or not message.attachments:
            return None
        return message.attachments[0].filename

    async def _shows_unknown_turn(self, message: discord.Message, channel: ChannelId) -> bool:
        """Return True if a message shows a turn that is not in the database, as after a restore."""
        turn = turn_of_picture(self._board(message) or "")
        if turn is None:
            return False
        row = await self._services.store.games.running_in(channel)
        return row is not None and row.id == turn[0] and row.revision < turn[1]

    def _is_notice(self, message: discord.Message, notice: Notice) -> bool:
        """Return True if a message is the given notice of the bot, in any language."""
        return message.author.id == self._bot and notice.button_id in button_ids(message)
