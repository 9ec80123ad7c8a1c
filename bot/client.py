"""The client: hears Discord's events and hands each to the part that knows what to do."""

import asyncio
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any

import discord
import yarl

from bot.base.errors import StoreError
from bot.base.garbage_collection import freeze_objects
from bot.base.ids import ChannelId, GuildId, Shards
from bot.base.locales import read_languages
from bot.composition import JOINED, Resources, command_tree, wire
from bot.connection.forbidden import Forbidden
from bot.connection.permissions import can_be_brought, can_read, reads
from bot.connection.registration import keep_registering
from bot.connection.unreadable import pass_over_broken_ones
from bot.play.doors.interactions import ServicesClient, answering
from bot.play.model.refusals import TurnOver

# discord.py warns of missing voice libraries; this bot never speaks.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

_PATIENCE = timedelta(seconds=10)
"""Time that a stop waits for what is being done."""


def intents(*, message_content: bool) -> discord.Intents:
    """Return the intents of the bot: servers, their channels, and their messages.

    Reactions are heard for the one by which somebody asks why a move was not played.
    """
    wanted = discord.Intents(
        guilds=True,
        guild_messages=True,
        dm_messages=True,
        guild_reactions=True,
        dm_reactions=True,
    )
    wanted.message_content = message_content
    return wanted


class BotClient(ServicesClient):
    """The bot as Discord sees it."""

    def __init__(self, resources: Resources, *, message_content: bool) -> None:
        self._parts = wire(self, resources, reads=message_content)
        super().__init__(
            **_chosen(resources.shards),
            intents=intents(message_content=message_content),
            http_trace=self._parts.trace,
            # Nothing is read from these caches, and a big bot's memory is mostly caches.
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.5,  # nothing waits for the list of servers to be complete
        )
        pass_over_broken_ones(self._connection.parsers)
        self._forbidden = Forbidden(self)
        self._parts.requests.guard(self.http, self._forbidden)
        self.services = self._parts.services
        self._tick = resources.time.tick
        self.commands = JOINED.commands
        self.page_parts, self.replay_parts = JOINED.page, JOINED.replay
        self.board_parts, self.shared_parts = JOINED.board, JOINED.shared
        self.help_parts = JOINED.help
        self._tree = command_tree(self)

    async def setup_hook(self) -> None:
        """Get ready, after the login and before the first event."""
        assert self.application_id is not None  # we are logged in  # noqa: S101
        self.add_dynamic_items(*JOINED.buttons)
        await self.services.publisher.sender.prepare()
        await self._parts.shard_sessions.use_address()
        await asyncio.to_thread(read_languages)
        registering = keep_registering(
            self._tree,
            self.http,
            self.application_id,
            by_people=can_be_brought(self.application),
            learn=self._learn_command_ids,
            tick=self._tick,
        )
        self._parts.tasks.keep_running("registration", registering)
        keep_asking = self._parts.requests.keep_asking(self.http)
        self._parts.tasks.keep_running("requests", keep_asking)

    def _learn_command_ids(self, ids: Mapping[str, int]) -> None:
        self.command_ids = ids

    async def close(self) -> None:
        """Finish what is being done, then stop everything that was started."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE.total_seconds()):
                await self.services.work.settled()
        for part in self._parts.parts:
            await part.close()
        await self._parts.tasks.end()
        await self._parts.listener.close()
        self.services.publisher.close()
        await self._parts.requests.close()
        await super().close()

    def done_elsewhere(self, channel: ChannelId) -> None:
        """See to it that the machine answers, should the other process not come to that."""
        for part in self._parts.parts:
            part.look_later(channel)

    async def launch_shard(
        self, gateway: yarl.URL, shard_id: int, *, initial: bool = False
    ) -> None:
        """Connect a shard for the first time, once it may begin a session."""
        await self._parts.shard_sessions.before_launch(shard_id)
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(
        self,
        shard_id: int | None,
        *,
        initial: bool = False,  # noqa: ARG002 - the first one is counted like the others
    ) -> None:
        """Begin a session, if that is allowed by now."""
        await self._parts.shard_sessions.before_identify(shard_id or 0)

    async def on_ready(self) -> None:
        """Note all servers, at first or in a new session: they stay."""
        freeze_objects()

    async def on_shard_connect(self, shard_id: int) -> None:
        self._parts.keeper.begun(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        self._parts.keeper.resumed(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        self._parts.keeper.cut_off(shard_id)

    async def on_message(self, message: discord.Message) -> None:
        self.services.names.hear(message.author, *message.mentions)
        with self.services.work.piece():
            await self._parts.listener.hear(message)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        """Read an edited message: perhaps its author has mended a typo."""
        with self.services.work.piece():
            await self._parts.listener.hear_edited(event.message)

    async def on_raw_reaction_add(self, event: discord.RawReactionActionEvent) -> None:
        """Explain a mark on a message: perhaps its author asks why it was not played."""
        with self.services.work.piece():
            await self._parts.mentioned_moves.explain(event)

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Send what waited for a channel's permissions."""
        await self._permissions_changed(after.guild)
        if can_read(after) and not can_read(before):
            await self._read_again(after.guild)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Send what waited for a role's permissions."""
        await self._permissions_changed(after.guild)
        gained = reads(after.permissions) and not reads(before.permissions)
        if gained and after in after.guild.me.roles:
            await self._read_again(after.guild)

    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """Look at the bot's own roles and timeout: Discord tells of nobody else."""
        await self._permissions_changed(after.guild)

    async def on_thread_update(self, _before: discord.Thread, after: discord.Thread) -> None:
        """Send what waited for a thread to be unlocked."""
        await self._permissions_changed(after.guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Catch up in a server after an outage of Discord's, or once it lets the bot in again."""
        await self._permissions_changed(guild)
        if self.services.deleted_channels.back(GuildId(guild.id)):
            await self._read_again(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that a server has removed the bot, or is no more."""
        self.services.deleted_channels.left(GuildId(guild.id))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Note that a server has let the bot in, perhaps once more."""
        await self.on_guild_available(guild)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """End the games in a deleted channel and its threads."""
        guild, gone = GuildId(channel.guild.id), ChannelId(channel.id)
        with self.services.work.piece():
            await self.services.deleted_channels.channel_deleted(guild, gone)

    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """End the game in a deleted thread."""
        with self.services.work.piece():
            await self.services.deleted_channels.look_in(ChannelId(event.thread_id))

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log an event that failed, unless the database is to blame and has said so."""
        if not isinstance(sys.exc_info()[1], StoreError):
            await super().on_error(event_method, *args, **kwargs)

    async def _read_again(self, guild: discord.Guild) -> None:
        """Play what was typed in a server while the bot could not read it."""
        await self._parts.listener.read_again(GuildId(guild.id))

    async def _permissions_changed(self, guild: discord.Guild) -> None:
        self._forbidden.changed(guild)
        with self.services.work.piece():
            await self.services.publisher.sender.try_again(GuildId(guild.id))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a form, or a press of an unknown button; the rest is discord.py's."""
        self.services.names.hear(interaction.user)
        if interaction.type is discord.InteractionType.modal_submit:
            for read in JOINED.forms:
                await read(interaction)
        elif interaction.type is discord.InteractionType.component:
            await _answer_unknown(interaction)


async def _answer_unknown(interaction: discord.Interaction[Any]) -> None:
    """Answer a button that no version of ours knows, or this one no more; pass over the others."""
    data: Any = interaction.data or {}
    pressed = str(data.get("custom_id", ""))
    if not any(one.__discord_ui_compiled_template__.fullmatch(pressed) for one in JOINED.buttons):
        async with answering(interaction):
            raise TurnOver


def _chosen(shards: Shards | None) -> dict[str, Any]:
    """Return the shards that discord.py connects; without a choice all that Discord asks for."""
    if shards is None:
        return {}
    return {"shard_ids": list(shards.ids), "shard_count": shards.count}
