"""Requests in plain words: after a mention, in a reply to the bot, or in a direct message."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from types import MappingProxyType
from typing import assert_never

import discord
import structlog

from bot.base.errors import AlreadyHandled, PlayError, StoreError
from bot.base.ids import NO_GUILD, ChannelId, GuildId, MessageId, SourceId, UserId
from bot.base.languages import Reader
from bot.base.metrics import REFUSALS
from bot.connection.bounded_cache import BoundedCache, ConcurrencyLimit, Cooldown
from bot.connection.posts import Button, Post, as_read
from bot.connection.request_errors import DISCORD_ERRORS
from bot.connection.words import cannot_write, something_went_wrong
from bot.features.talk.model import TextRequest, request_in
from bot.features.talk.small_talk import SmallTalk, is_link, small_talk_in, topic_in
from bot.features.talk.words import (
    command_for,
    greeting,
    help_pointer,
    how_to_begin,
    how_to_learn,
    not_understood,
    quiet_answer,
    reply_to_swearing,
    resignation_in_public,
    rules_at_once,
    small_talk_answer,
    welcome,
)
from bot.guide.topics import TOPICS, Topic
from bot.people.use_cases.choices import PersonalSettings
from bot.play.game_changes import GameUpdate
from bot.play.handlers.challenge_buttons import begin_against_machine, usual_terms
from bot.play.handlers.interactions import Services
from bot.play.handlers.replies import SIGN, MessageOutcome, Outcome, ReasonForSilence, Replies
from bot.play.handlers.typed_messages import MOST_AT_ONCE, TypedHandler
from bot.play.model.conduct import Venue
from bot.play.model.game import Offer
from bot.play.model.preferences import RemindBy
from bot.play.model.refusals import BadOffer, NoGameHere, NotAPlayer, OfferProblem
from bot.play.words.boards import board_view
from bot.play.words.clocks import with_clocks
from bot.play.words.help import HelpContext, HelpPart
from bot.play.words.notices import not_posted, running_games

_log = structlog.get_logger()

_REMINDER_INTERVAL = timedelta(minutes=1)
"""Delay before the bot explains to the same user again which requests it understands."""
_GAME_REQUESTS = frozenset(TextRequest) - {TextRequest.PLAY, TextRequest.LEARN, TextRequest.GAMES}
_ALWAYS_HANDLED = frozenset({TextRequest.UNDO, TextRequest.DRAW, TextRequest.RESIGN})
"""Requests that are handled even if the user already waits for other answers."""
_SMILE, _LAUGH = "🙂", "😄"
_WELCOMED = frozenset({None, SmallTalk.GREETING, SmallTalk.ABOUT, SmallTalk.COURTESY})
"""Small talk that gets a welcome if it is a user's first direct message. None means other text."""


class MentionHandler(TypedHandler):
    """Handles requests in plain words, or explains how to ask."""

    def __init__(self, services: Services, replies: Replies) -> None:
        self._services = services
        self._replies = replies
        self._has_machine = services.has_machine
        self._help_cooldown: Cooldown[tuple[ChannelId, UserId]] = Cooldown(_REMINDER_INTERVAL)
        self._command_cooldown: Cooldown[tuple[ChannelId, UserId]] = Cooldown(_REMINDER_INTERVAL)
        self._welcomed: BoundedCache[UserId, bool] = BoundedCache()
        self._waiting: ConcurrencyLimit[tuple[ChannelId, UserId]] = ConcurrencyLimit(MOST_AT_ONCE)

    @property
    def _bot(self) -> UserId:
        return self._services.publisher.channels.own_id

    async def _reply_reader(self, message: discord.Message) -> Reader:
        return await self._services.readers.for_reply(message)

    async def handle_text(
        self, message: discord.Message, text: str, *, is_addressed: bool, turn: asyncio.Lock
    ) -> Outcome | None:
        """Handle requests, small talk in direct messages, and mentions of the bot."""
        request = request_in(text)
        if request is not None and await self._is_for_bot(message, request):
            return await self._handle_in_turn(message, request, turn)
        if message.guild is None:
            return await self._converse(message, turn)
        if (
            request is not None
            and request in _ALWAYS_HANDLED
            and await self._is_in_game_of_two(message)
        ):
            return await self._name_command(message, request)
        talk = self._small_talk(message) if self._replies.is_meant(message) else None
        if is_addressed and talk is not None:
            return await self._chat(message, talk, in_game=await self._is_played_in(message))
        if is_addressed:
            return await self._explain(message, self._topic(message))
        return None if talk is None else await self._replies.mark(message, _SMILE)

    async def _is_for_bot(self, message: discord.Message, request: TextRequest) -> bool:
        """Return True if a request addresses the bot, or is made in a game against it."""
        if self._replies.is_meant(message):
            return True
        if request in _GAME_REQUESTS:
            with suppress(NoGameHere, StoreError):
                row = (
                    await self._services.game_cache.running_in(ChannelId(message.channel.id))
                ).row
                return row.machine is not None and message.author.id in (row.white, row.black)
        return False

    async def _is_in_game_of_two(self, message: discord.Message) -> bool:
        """Return True if a message is by a player of the channel's game between two people."""
        with suppress(NoGameHere, StoreError):
            game = await self._services.game_cache.running_in(ChannelId(message.channel.id))
            row = game.row
            players = (row.white, row.black)
            return row.machine is None and row.vote is None and message.author.id in players
        return False

    async def _name_command(self, message: discord.Message, request: TextRequest) -> Outcome | None:
        """Name the command for a player's "undo", which may be meant for their friend.

        The answer is deleted when someone moves, like a refusal.
        """
        key = ChannelId(message.channel.id), UserId(message.author.id)
        if not self._command_cooldown.allows(key, message.created_at):
            return None
        words = command_for(await self._reply_reader(message), request)
        return await self._replies.refuse(message, words)

    async def _handle_in_turn(
        self, message: discord.Message, request: TextRequest, turn: asyncio.Lock
    ) -> Outcome:
        """Handle a request when its turn comes in the channel. Refusals and faults become replies.

        A channel's boards and replies are sent one at a time. If a user already waits for two
        answers, a third request is skipped, so that nobody delays other people's boards.
        """
        if request in _ALWAYS_HANDLED:
            async with turn:
                return await self._handle_request(message, request)
        key = ChannelId(message.channel.id), UserId(message.author.id)
        with self._waiting.slot(key) as may_wait:
            if not may_wait:
                return ReasonForSilence.FLOOD
            async with turn:
                return await self._handle_request(message, request)

    async def _handle_request(self, message: discord.Message, request: TextRequest) -> Outcome:
        try:
            await self._dispatch(message, request)
        except AlreadyHandled:
            return ReasonForSilence.DONE
        except PlayError as error:
            REFUSALS.labels(type(error).__name__).inc()
            if isinstance(error, NotAPlayer) and not self._replies.is_new_spectator(message):
                return ReasonForSilence.TOLD
            words = self._services.refusal(await self._reply_reader(message), error)
            return await self._replies.refuse(message, words)
        except StoreError:  # the store has logged it
            REFUSALS.labels(StoreError.__name__).inc()
            words = cannot_write(await self._reply_reader(message))
            return await self._replies.refuse(message, words)
        except Exception:
            _log.exception("text request failed", request=request.name)
            words = something_went_wrong(await self._reply_reader(message))
            return await self._replies.refuse(message, words)
        return MessageOutcome.ANSWERED

    def _topic(self, message: discord.Message) -> Topic | None:
        return topic_in(self._replies.text_of(message), self._services.extensions.all_of(TOPICS))

    async def _explain(self, message: discord.Message, topic: Topic | None) -> Outcome:
        """Explain the feature that a message asks about, or list what users can ask for."""
        if topic is None:
            return await self._point_to_help(message)
        post = Post(content=topic.answer(await self._reply_reader(message)))
        return await self._reply(message, post, "topic")

    async def _point_to_help(self, message: discord.Message) -> Outcome:
        """List the requests that the bot understands. In channels, do so once per user."""
        key = ChannelId(message.channel.id), UserId(message.author.id)
        is_direct = message.guild is None
        reader = await self._reply_reader(message)
        is_allowed = self._help_cooldown.allows(key, message.created_at, may_repeat=is_direct)
        if not is_allowed and not is_direct:
            return ReasonForSilence.TOLD
        post = not_understood(reader, has_machine=await self._can_play_bot(message))
        return await self._reply(message, post, "call")

    async def _reply(self, message: discord.Message, post: Post, kind: str) -> Outcome:
        reply = await self._replies.reply(message, post, kind)
        return ReasonForSilence.CANNOT_SPEAK if reply is None else MessageOutcome.ANSWERED

    async def _converse(self, message: discord.Message, turn: asyncio.Lock) -> Outcome:
        """Welcome a user on their first direct message, and answer later ones.

        During a game, the bot answers only requests and questions. If a user writes faster than the
        bot answers, some messages get no answer.
        """
        key = ChannelId(message.channel.id), UserId(message.author.id)
        with self._waiting.slot(key) as may_wait:
            if not may_wait:
                return ReasonForSilence.FLOOD
            async with turn:
                return await self._answer(message)

    async def _answer(self, message: discord.Message) -> Outcome:
        in_game, talk = await self._is_played_in(message), self._small_talk(message)
        topic = None if talk is not None else self._topic(message)
        says_little = not in_game and talk in _WELCOMED and topic is None
        first = says_little and self._welcomed.is_new(UserId(message.author.id), value=True)
        if first and not await self._has_spoken(message):
            reader = await self._reply_reader(message)
            return await self._reply(
                message,
                welcome(reader, self._ways_to_learn(reader), has_machine=self._has_machine),
                "hi",
            )
        if talk is not None:
            return await self._chat(message, talk, in_game=in_game)
        if topic is not None or not in_game or "?" in message.content:
            return await self._explain(message, topic)
        return await self._replies.mark(message, SIGN)

    def _small_talk(self, message: discord.Message) -> SmallTalk | None:
        if text := self._replies.text_of(message):
            return SmallTalk.FILE if is_link(text) else small_talk_in(text)
        if message.flags.voice:
            return SmallTalk.VOICE
        if message.stickers:
            return SmallTalk.STICKER
        if any(
            (attachment.content_type or "").startswith("image/")
            for attachment in message.attachments
        ):
            return SmallTalk.PICTURE
        shows = message.attachments or message.poll or message.message_snapshots
        return SmallTalk.FILE if shows else None

    async def _chat(self, message: discord.Message, talk: SmallTalk, *, in_game: bool) -> Outcome:
        reader = await self._reply_reader(message)
        match talk:
            case SmallTalk.STOP:
                choices = self._services.require(PersonalSettings)
                await choices.set_reminders(UserId(message.author.id), by=RemindBy.NONE)
                post = Post(content=quiet_answer(reader, in_game=in_game))
            case SmallTalk.SWEARING:
                post = Post(content=reply_to_swearing(reader, in_game=in_game))
            case SmallTalk.GREETING if not in_game:
                post = greeting(reader, self._ways_to_learn(reader), has_machine=self._has_machine)
            case SmallTalk.GREETING | SmallTalk.COURTESY:
                return await self._replies.mark(message, _SMILE)
            case SmallTalk.LAUGHTER:
                return await self._replies.mark(message, _LAUGH)
            case _:
                boards = self._services.own_boards
                pasting = () if boards is None else (boards.where_to_paste(reader),)
                post = Post(
                    content=small_talk_answer(reader, talk, in_game=in_game, pasting=pasting)
                )
        return await self._reply(message, post, "chat")

    async def _is_played_in(self, message: discord.Message) -> bool:
        return await self._services.game_cache.is_played_in(ChannelId(message.channel.id))

    async def _has_spoken(self, message: discord.Message) -> bool:
        """Return True if the bot has written in a channel before, as far as it can read."""
        try:
            async for earlier in message.channel.history(limit=50, before=message):
                if earlier.author.id == self._bot:
                    return True
        except DISCORD_ERRORS:
            return True
        return False

    async def _dispatch(self, message: discord.Message, request: TextRequest) -> None:  # noqa: C901 - one line for each request
        reader = await self._reply_reader(message)
        match request:
            case TextRequest.UNDO:
                await self._ask_for(message, Offer.TAKEBACK)
            case TextRequest.DRAW:
                await self._ask_for(message, Offer.DRAW)
            case TextRequest.RESIGN:
                await self._ask_to_resign(message, reader)
            case TextRequest.BOARD:
                await self._show_board(message, reader)
            case TextRequest.GAMES:
                await self._list_games(message, reader)
            case TextRequest.HINT:
                await self._hint(message, reader)
            case TextRequest.PLAY:
                await self._play(message, reader)
            case TextRequest.RULES:
                await self._show_rules(message, reader)
            case TextRequest.HELP:
                page = help_pointer(
                    reader, rules=False, has_machine=await self._can_play_bot(message)
                )
                await self._replies.reply(message, page, "help")
            case TextRequest.LEARN:
                page = how_to_learn(reader, self._ways_to_learn(reader))
                await self._replies.reply(message, page, "help")
            case unknown:
                assert_never(unknown)

    async def _ask_for(self, message: discord.Message, offer: Offer) -> None:
        channel, user = ChannelId(message.channel.id), UserId(message.author.id)
        source = SourceId(message.id)
        update = await self._services.offers.ask(channel, user, offer, source=source)
        await self._publish(message, update)

    async def _ask_to_resign(self, message: discord.Message, reader: Reader) -> None:
        channel, user = ChannelId(message.channel.id), UserId(message.author.id)
        game = await self._services.leaving.may_leave_here(channel, user)
        await self._replies.reply_temporarily(
            message, resignation_in_public(reader, game, user), "quit"
        )

    async def _can_play_bot(self, message: discord.Message) -> bool:
        """Return True if a game against the machine can be offered here. None may be running."""
        return self._has_machine and not await self._is_played_in(message)

    async def _list_games(self, message: discord.Message, reader: Reader) -> None:
        guild, user = _guild(message), UserId(message.author.id)
        running = await self._services.own_games.running(guild, user)
        await self._replies.reply(message, running_games(reader, running, guild, user), "list")

    async def _play(self, message: discord.Message, reader: Reader) -> None:
        """In direct messages, show the running game or start one. In channels, explain how."""
        is_direct = message.guild is None
        if is_direct and await self._is_played_in(message):
            await self._show_board(message, reader)
        elif is_direct and self._has_machine:
            await self._begin(message, reader)
        else:
            page = how_to_begin(reader, has_machine=self._has_machine, is_direct=is_direct)
            await self._replies.reply(message, page, "help")

    async def _show_rules(self, message: discord.Message, reader: Reader) -> None:
        """In direct messages, show the rules. In channels, send a button that shows them."""
        if message.guild is None:
            page = as_read(reader, rules_at_once(reader, self._help_context(message, reader)))
            picture = await self._services.publisher.render(page)
            await self._replies.reply(message, page, "help", picture)
        else:
            page = help_pointer(reader, rules=True, has_machine=await self._can_play_bot(message))
            await self._replies.reply(message, page, "help")

    async def _show_board(self, message: discord.Message, reader: Reader) -> None:
        """Show the running game with its clocks. In direct messages, it can be played there."""
        game, clocks = await self._services.clocks.in_channel(ChannelId(message.channel.id))
        post = with_clocks(reader, board_view(reader, game), game, clocks)
        if message.guild is None:
            board = await self._services.publisher.board(game)
            post = replace(post, buttons=board.buttons)
        if post.picture is not None:  # a board is recognized by its picture's file name
            name = f"look-{post.picture.filename}"
            post = as_read(reader, replace(post, picture=replace(post.picture, filename=name)))
        picture = await self._services.publisher.render(post)
        await self._replies.reply(message, post, "look", picture)

    async def _begin(self, message: discord.Message, reader: Reader) -> None:
        services, user, venue = self._services, UserId(message.author.id), _direct(message)
        terms = await usual_terms(services, venue, GuildId(NO_GUILD), user)
        row = await services.lobby.challenge(
            terms, opponent_is_bot=False, venue=venue, source=SourceId(message.id)
        )

        async def say(post: Post) -> MessageId | None:
            picture = await services.publisher.render(post)
            return await self._replies.reply(message, post, "play", picture)

        new_game = await begin_against_machine(
            services, reader, row, venue, source=SourceId(message.id), say=say
        )
        if new_game is not None:
            await self._publish(message, new_game.update, new_game.posted)

    def _ways_to_learn(self, reader: Reader) -> tuple[Button, ...]:
        parts = self._services.help_parts
        return tuple(button for part in parts for button in part.buttons(reader))

    def _help_context(self, message: discord.Message, reader: Reader) -> HelpContext:
        return HelpContext(
            reader=reader,
            asker=UserId(message.author.id),
            bot=self._bot,
            game=None,
            reads_messages=True,
            has_machine=self._has_machine,
            slowmode=False,
            venue=_direct(message),
            obstacle=None,
            command_ids={},
            parts=(HelpPart(buttons=self._ways_to_learn),),
        )

    async def _hint(self, message: discord.Message, reader: Reader) -> None:
        """Reply with the engine's move.

        In a game between two people, refuse, because the opponent could read it.
        """
        game = await self._services.game_cache.running_in(ChannelId(message.channel.id))
        if game.hints_agreed:
            raise BadOffer(OfferProblem.HINTS_AGREED)
        services, user = self._services, UserId(message.author.id)
        boards = services.own_boards
        if boards is None:
            post = not_understood(reader, has_machine=self._has_machine)
        else:
            post = as_read(reader, await boards.hint(services, game.row.id, user, reader))
        await self._replies.reply(message, post, "tip", await services.publisher.render(post))

    async def _publish(
        self,
        message: discord.Message,
        update: GameUpdate,
        posted_boards: Mapping[str, MessageId] = MappingProxyType({}),
    ) -> None:
        publisher = self._services.publisher
        if not await publisher.publish(update, posted_boards):
            missing = publisher.channels.missing(update.game.row.channel)
            words = not_posted(await self._reply_reader(message), missing)
            await self._replies.reply(message, Post(content=words), "wait")


def _direct(message: discord.Message) -> Venue:
    channel = ChannelId(message.channel.id)
    return Venue(channel=channel, home=channel, has_threads=False, is_direct=True)


def _guild(message: discord.Message) -> GuildId:
    return GuildId(NO_GUILD if message.guild is None else message.guild.id)
