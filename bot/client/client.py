"""The Discord client: receives events and passes each one to its handler."""

import asyncio
import logging
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any

import discord
import yarl

from bot.base.config import Settings
from bot.base.errors import StoreError
from bot.base.garbage_collection import freeze_objects
from bot.base.health import ActiveFaults
from bot.base.ids import ChannelId, GuildId
from bot.base.languages import read_languages
from bot.base.rhythm import Rhythm
from bot.client.command_tree import command_tree
from bot.client.foreign_boards import ForeignBoards
from bot.client.listener import Listener
from bot.client.missed_messages import CatchUp
from bot.client.shards import ShardKeeper, repeat_forever
from bot.composition import FEATURE_SET, PARTS, ROLES, refusal, use_cases
from bot.connection.channel_requests import Channels
from bot.connection.command_registration import keep_registering
from bot.connection.discord_clock import DiscordClock
from bot.connection.identify_limiter import IdentifyLimiter
from bot.connection.known_refusals import KnownRefusals
from bot.connection.liveness import Liveness
from bot.connection.permissions import allows_user_install, can_read, reads
from bot.connection.rate_budget import RateBudget
from bot.connection.request_demands import priority_of
from bot.connection.requests import Requests, tracing
from bot.connection.second_bot import SecondBot
from bot.connection.shard_sessions import ShardSessions
from bot.connection.tasks import InFlightWork, Tasks
from bot.connection.unreadable_events import skip_unreadable_events
from bot.play.deleted_channels import DeletedChannels
from bot.play.delivery.publisher import Publisher
from bot.play.handlers.interactions import Services, ServicesClient, answering
from bot.play.handlers.replies import MentionedMoves, Replies
from bot.play.handlers.typed_messages import TypedMessageHandler
from bot.play.model.game import Game
from bot.play.model.refusals import NoGameHere, StaleBoard
from bot.play.opponent import Opponent
from bot.play.readers import NameCache, Readers
from bot.play.store.store import Store
from dvonn.machine import NO_LEVELS

# discord.py warns about missing voice libraries, but this bot never speaks.
logging.getLogger("discord.client").addFilter(
    lambda record: "voice will NOT be supported" not in record.getMessage()
)

_STOP_TIMEOUT = timedelta(seconds=10)
"""Maximum time that a stop waits for work in flight."""
_HANDOVER_S = 10.0
"""Seconds until this process checks a game whose request another process has handled."""


def intents(*, message_content: bool) -> discord.Intents:
    """Return the bot's intents: servers, their channels, messages and reactions.

    Users react to a mark to ask why their move was not played.
    """
    result = discord.Intents(
        guilds=True,
        guild_messages=True,
        dm_messages=True,
        guild_reactions=True,
        dm_reactions=True,
    )
    result.message_content = message_content
    return result


class BotClient(ServicesClient):
    """The bot's Discord client."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        time: DiscordClock,
        liveness: Liveness,
        degraded: ActiveFaults,
        second_bot: SecondBot,
        identify_limiter: IdentifyLimiter,
        opponent: Opponent | None,
        rng: Random,
        rhythm: Rhythm,
        message_content: bool,
    ) -> None:
        now, shards = time.now, settings.own_shards
        options: dict[str, Any] = {}
        if shards is not None:
            options = {"shard_ids": list(shards.ids), "shard_count": shards.count}
        self._tasks, work, channels = Tasks(), InFlightWork(), Channels(self, now=now)
        self._requests = Requests(liveness)
        self._shard_sessions = ShardSessions(self, identify_limiter, time, self._tasks.keep_running)
        trace = self._shard_sessions.watch(self._requests.tracing(tracing(time)))
        super().__init__(
            **options,
            proxy=settings.proxy,
            intents=intents(message_content=message_content),
            http_trace=RateBudget(settings.request_rate).add_to_trace(trace, priority_of),
            # We don't use these caches, which would take most of a big bot's memory.
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.5,  # the bot needn't wait for the complete list of servers
        )
        cases = use_cases(
            store,
            now=now,
            rng=rng,
            opponent=opponent,
            levels=NO_LEVELS if opponent is None else opponent.levels,
            retention=settings.retention,
        )
        names, readers = NameCache(channels.name_of), Readers(store, channels)
        board_parts = FEATURE_SET.board
        deleted = DeletedChannels(
            channels, store.deliveries, cases, readers, work, board_parts=board_parts, now=now
        )
        kinds = [make for part in PARTS for make in part.deliveries]
        self.services = services = Services(
            cases=cases,
            refusal=refusal,
            names=names,
            readers=readers,
            publisher=Publisher(
                cases,
                channels,
                deleted,
                names,
                readers,
                work,
                deliveries=kinds,
                board_parts=board_parts,
                now=now,
            ),
            deleted_channels=deleted,
            work=work,
            place_settings=FEATURE_SET.place_settings,
            extensions=FEATURE_SET.extensions,
            help_parts=FEATURE_SET.help,
            own_boards=ROLES.own_boards,
            spectators=ROLES.spectators,
            tasks=self._tasks,
            check_later=self._check_later,
        )
        client_services = [make(services) for part in PARTS for make in part.client_services]
        self._parts = [part for part in client_services if part is not None]
        services.publisher.watch(lambda update: self._notify_parts(update.game))
        replies = Replies(services, now=now)
        services.publisher.watch(replies.tidy)
        self._mentioned_moves = MentionedMoves(services, replies)
        move_reader = TypedMessageHandler(
            services,
            replies,
            self._mentioned_moves,
            [make(services, replies) for make in FEATURE_SET.typed],
            reads=message_content,
        )
        catching_up = CatchUp(move_reader, services, now=now)
        self._listener = Listener(move_reader, catching_up, services)
        self._keeper = ShardKeeper(
            self,
            services,
            self._listener,
            self._parts,
            [part.recurring for part in PARTS],
            self._shard_sessions,
            self._tasks,
            liveness,
            time,
            rhythm,
        )
        skip_unreadable_events(self._connection.parsers)
        self._forbidden = KnownRefusals(self)
        self._requests.route_through(
            self.http, self._forbidden, on_already_acknowledged=second_bot.on_already_acknowledged
        )
        self._second_bot = second_bot
        self._foreign_boards = ForeignBoards(store, second_bot, now=now)
        self._time, self._sleep, self._rhythm = time, time.sleep, rhythm
        self._degraded = degraded
        self.commands = FEATURE_SET.commands
        self.board_parts = FEATURE_SET.board
        self.game_page = settings.game_page
        self._tree = command_tree(self)

    async def setup_hook(self) -> None:
        assert self.application_id is not None  # the client is logged in  # noqa: S101
        self.add_dynamic_items(*FEATURE_SET.buttons)
        await self.services.publisher.sender.load_backlog()
        await self._shard_sessions.use_address()
        await asyncio.to_thread(read_languages)
        registering = keep_registering(
            self._tree,
            self.http,
            self.application_id,
            user_installs=allows_user_install(self.application),
            learn=self._set_command_ids,
            sleep=self._sleep,
            degraded=self._degraded,
        )
        self._tasks.keep_running("registration", registering)
        self._watch_for_second_bot()
        keep_asking = self._requests.keep_asking(self.http)
        self._tasks.keep_running("requests", keep_asking)

    def _watch_for_second_bot(self) -> None:
        sessions = partial(self._shard_sessions.check_for_others, self._second_bot)
        for every, check, name in (
            (self._rhythm.second_bots, self._foreign_boards.check, "foreign boards"),
            (self._rhythm.second_bots, self._second_bot.check, "second bot"),
            (self._rhythm.reception, sessions, "sessions begun elsewhere"),
        ):
            pause = partial(self._sleep, every.total_seconds())
            self._tasks.keep_running(name, repeat_forever(pause, check, name))

    def _set_command_ids(self, ids: Mapping[str, int]) -> None:
        self.command_ids = ids

    async def close(self) -> None:
        """Finish the work in flight, then stop all parts."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_STOP_TIMEOUT.total_seconds()):
                await self.services.work.settled()
        await self._tasks.end()
        await self._listener.close()
        self.services.publisher.close()
        await self._requests.close()
        await super().close()

    def _notify_parts(self, game: Game) -> None:
        for part in self._parts:
            if part.scope.includes(game.row):
                part.on_game(game)

    def _check_later(self, channel: ChannelId) -> None:
        """Check a channel's game later, because another process has claimed a request.

        That process may die before it handles the request completely.
        """
        self._tasks.start(f"check {channel}", self._notify_parts_later(channel))

    async def _notify_parts_later(self, channel: ChannelId) -> None:
        await asyncio.sleep(_HANDOVER_S)
        with suppress(NoGameHere, StoreError):
            self._notify_parts(await self.services.game_cache.running_in(channel))

    async def launch_shard(
        self, gateway: yarl.URL, shard_id: int, *, initial: bool = False
    ) -> None:
        await self._shard_sessions.before_launch(shard_id)
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(
        self,
        shard_id: int | None,
        *,
        initial: bool = False,  # noqa: ARG002 - the first one is counted like the others
    ) -> None:
        await self._shard_sessions.before_identify(shard_id or 0)

    async def on_ready(self) -> None:
        """Exclude the objects of the new session from garbage collection."""
        freeze_objects()

    async def on_shard_connect(self, shard_id: int) -> None:
        self._keeper.session_started(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        self._keeper.session_resumed(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        self._keeper.session_lost(shard_id)

    async def on_message(self, message: discord.Message) -> None:
        self._time.observe_message(message.created_at)
        channels = self.services.publisher.channels
        if channels.is_own(message):
            self._foreign_boards.record(message)
        self.services.names.record(message.author, *message.mentions)
        channels.record(message)
        with self.services.work.track():
            await self._listener.on_message(message)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        """Read an edited message, because its author may have corrected a typo."""
        if event.message.author.bot:  # for example, our own board without its buttons
            return
        with self.services.work.track():
            await self._listener.on_edited(event.message)

    async def on_raw_reaction_add(self, event: discord.RawReactionActionEvent) -> None:
        """Explain the mark on a message if its author asks why the move was not played."""
        with self.services.work.track():
            await self._mentioned_moves.explain(event)

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Send deliveries that were waiting for permissions in a channel."""
        await self._permissions_changed(after.guild)
        if can_read(after) and not can_read(before):
            await self._read_again(after.guild)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Send deliveries that were waiting for a role's permissions."""
        await self._permissions_changed(after.guild)
        gained = reads(after.permissions) and not reads(before.permissions)
        if gained and after in after.guild.me.roles:
            await self._read_again(after.guild)

    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """Handle changes to the bot's own roles and timeout.

        Discord doesn't send changes of other members.
        """
        await self._permissions_changed(after.guild)

    async def on_thread_update(self, _before: discord.Thread, after: discord.Thread) -> None:
        """Send deliveries that were waiting for a thread to be unlocked."""
        await self._permissions_changed(after.guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Catch up in a server after a Discord outage, or after the server adds the bot again."""
        await self._permissions_changed(guild)
        if self.services.deleted_channels.on_guild_back(GuildId(guild.id)):
            await self._read_again(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Record that a server has removed the bot or was deleted."""
        self.services.deleted_channels.on_guild_left(GuildId(guild.id))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Record that a server has added the bot, perhaps again."""
        await self.on_guild_available(guild)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """End the games in a deleted channel and its threads."""
        guild, channel_id = GuildId(channel.guild.id), ChannelId(channel.id)
        with self.services.work.track():
            await self.services.deleted_channels.channel_deleted(guild, channel_id)

    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """End the game in a deleted thread."""
        with self.services.work.track():
            await self.services.deleted_channels.check_channel(ChannelId(event.thread_id))

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log an event's failure, except errors that the store has logged."""
        if not isinstance(sys.exc_info()[1], StoreError):
            await super().on_error(event_method, *args, **kwargs)

    async def _read_again(self, guild: discord.Guild) -> None:
        """Play the moves that were typed in a server while the bot could not read it."""
        await self._listener.read_again(GuildId(guild.id))

    async def _permissions_changed(self, guild: discord.Guild) -> None:
        self._forbidden.changed(guild)
        with self.services.work.track():
            await self.services.publisher.sender.retry_guild(GuildId(guild.id))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handle a submitted form or a press of an unknown button. discord.py handles the rest."""
        self._time.observe_message(interaction.created_at)
        self.services.names.record(interaction.user)
        if interaction.type is discord.InteractionType.modal_submit:
            for form in FEATURE_SET.forms:
                await form(interaction)
        elif interaction.type is discord.InteractionType.component:
            await _answer_unknown(interaction)


async def _answer_unknown(interaction: discord.Interaction[Any]) -> None:
    """Answer a press of a button that this version does not know. Ignore everything else."""
    data: Any = interaction.data or {}
    custom_id = str(data.get("custom_id", ""))
    if not any(button.ids.fullmatch(custom_id) for button in FEATURE_SET.buttons):
        async with answering(interaction):
            raise StaleBoard
