"""Marks moves among other words, which are not played, with a ❔, and explains the mark."""

from typing import Final

import discord
import structlog

from bot.base.errors import PlayError
from bot.base.ids import NO_GUILD, ChannelId, GuildId, MessageId, UserId
from bot.connection.cache import BoundedCache
from bot.connection.permissions import may_react
from bot.connection.posts import Post
from bot.connection.rate_limits import ConcurrencyLimit
from bot.connection.requests import TROUBLE, patiently
from bot.play.doors.replies import Replies
from bot.play.doors.services import Services
from bot.play.model.courtesies import moves_among_words
from bot.play.words.moves import stands_alone
from dvonn import Coordinates, Move, Position

_log = structlog.get_logger()

SIGN: Final = "❔"
_MOST_A_TURN: Final = 3
"""Number of marks a player gets in a turn: who writes more of spaces knows the sign by then."""
_MOST_LOOKS: Final = 2
"""Number of messages of one person that are looked at at once for the sign."""


class MentionedMoves:
    """Marks messages that hold a move among other words, and explains the mark."""

    def __init__(self, services: Services, replies: Replies) -> None:
        self._services = services
        self._replies = replies
        self._marked: BoundedCache[tuple[ChannelId, UserId], tuple[int, int]] = BoundedCache()
        self._looks: ConcurrencyLimit[UserId] = ConcurrencyLimit(_MOST_LOOKS)
        self._explained: BoundedCache[MessageId, bool] = BoundedCache()

    async def mark(
        self, message: discord.Message, position: Position, coordinates: Coordinates
    ) -> None:
        """Mark what the player to move has written, if it holds a move and the bot may react."""
        if not moves_among_words(message.content, position, coordinates) or not may_react(message):
            return
        whose = ChannelId(message.channel.id), UserId(message.author.id)
        turn, count = self._marked.get(whose) or (position.plies, 0)
        count = count + 1 if turn == position.plies else 1
        if count > _MOST_A_TURN:
            return
        self._marked.learn(whose, (position.plies, count))
        try:
            await message.add_reaction(SIGN)
        except TROUBLE as error:
            _log.info("a reaction was not taken", message=message.id, error=str(error))

    async def explain(self, event: discord.RawReactionActionEvent) -> None:
        """Reply to a message that the bot has marked, once its author has put the same sign."""
        if event.emoji.name != SIGN or event.user_id != event.message_author_id:
            return
        with self._looks.let_in(UserId(event.user_id)) as may_look:
            if may_look and not self._explained.get(MessageId(event.message_id)):
                await self._look(event)

    async def _look(self, event: discord.RawReactionActionEvent) -> None:
        """Explain a message if it is marked: each look is a request, and lets boards go first."""
        asked = MessageId(event.message_id)
        channels = self._services.publisher.channels
        try:
            with patiently():
                message = await channels(ChannelId(event.channel_id)).fetch_message(asked)
        except TROUBLE as error:
            _log.info("a question was not read", message=asked, error=str(error))
            return
        marks = (one for one in message.reactions if str(one.emoji) == SIGN)
        if any(one.me for one in marks) and self._explained.is_new(asked, value=True):
            position, coordinates, found = await self._found(message)
            reader = await self._services.readers.everybody(
                GuildId(event.guild_id or NO_GUILD),
                ChannelId(event.channel_id),
                alone=UserId(event.user_id),
            )
            words = stands_alone(reader, position, coordinates, found)
            await self._replies.give(message, Post(content=words), "what")

    async def _found(
        self, message: discord.Message
    ) -> tuple[Position, Coordinates, tuple[Move, ...]]:
        """Return the game as it stands, and the moves of a message that its author may play."""
        channel, user = ChannelId(message.channel.id), UserId(message.author.id)
        try:
            game, _ = await self._services.games.legal_here(channel, user)
        except PlayError:
            return Position.initial(), Coordinates.STANDARD, ()
        position, coordinates = game.position, game.row.coordinates
        return position, coordinates, moves_among_words(message.content, position, coordinates)
