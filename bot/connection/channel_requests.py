"""The bot's requests in channels: to send messages, find them again, and clean up."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import discord

from bot.base.ids import NO_GUILD, ChannelId, GuildId, MessageId, UserId
from bot.connection.bounded_cache import BoundedCache
from bot.connection.discord_messages import FollowUp, FollowUpSlots, arguments
from bot.connection.permissions import TO_OPEN_THREADS, missing, to_play
from bot.connection.posts import File, Post
from bot.connection.request_demands import low_priority
from bot.connection.request_errors import CUT_OFF, DISCORD_ERRORS
from bot.database.delivery_rows import Delivery, DeliveryRoute

_NO_REPLY_WITHOUT_HISTORY = 160002
"""Discord's error code for a reply without Read Message History."""
_CLOCK_ERROR = timedelta(minutes=10)
"""Assumed difference between our clock and Discord's while Discord's time is unknown."""
_LONGEST_FLIGHT = timedelta(minutes=30)
"""Maximum time from the start of a request until it arrives. After that, it counts as lost."""
_MAX_MEMBERS: Final = 32
"""Maximum number of members per request."""
_UNKNOWN_CHANNEL = 10003
_UNKNOWN_MESSAGE = 10008
_NO_MEMBER: Final = (10007, 10013)
"""Error codes for a user who is not in the server or is deleted."""
_THREAD_EXISTS = 160004
# Minutes without a message until Discord archives a thread: a week, and Discord's minimum.
_RUNNING_ARCHIVE_MINUTES: Final = 10_080
_ENDED_ARCHIVE_MINUTES: Final = 60


class Channels:
    """Channels and threads by id, without requests to look them up."""

    def __init__(self, client: discord.Client, *, now: Callable[[], datetime]) -> None:
        self._client = client
        self.slots = FollowUpSlots(sees=self.sees, now=now)
        # Newest direct message per channel. discord.py tracks these only in servers.
        self._direct: BoundedCache[ChannelId, MessageId] = BoundedCache()

    def __call__(
        self, channel: ChannelId, guild: GuildId | None = None
    ) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel, guild_id=guild or None)

    async def destination(self, row: Delivery) -> discord.abc.Messageable:
        """Return the channel where a delivery is sent and searched for."""
        if row.route is DeliveryRoute.DM and row.player is not None:
            return await self.direct(row.player)
        return self(row.channel)

    async def replace(
        self, channel: ChannelId, message: MessageId, post: Post, picture: File | None
    ) -> MessageId:
        """Replace the last board with a new one, without notifying anyone."""
        fields = {"view": None} | arguments(post, picture)
        file = fields.pop("file", None)
        pictures = [] if file is None else [file]
        await self._message(channel, message).edit(attachments=pictures, **fields)
        return message

    def guild_of(self, channel: ChannelId) -> GuildId:
        cached_channel = self._client.get_channel(channel)
        guild = getattr(cached_channel, "guild", None)
        return NO_GUILD if guild is None else GuildId(guild.id)

    def knows(self, channel: ChannelId) -> bool:
        """Return True if the channel or open thread is known from the gateway."""
        return self._client.get_channel(channel) is not None

    def home(self, channel: ChannelId) -> ChannelId:
        """Return a known thread's parent channel. For other channels, return the channel itself."""
        cached_channel = self._client.get_channel(channel)
        return (
            ChannelId(cached_channel.parent_id)
            if isinstance(cached_channel, discord.Thread)
            else channel
        )

    def name_of(self, channel: ChannelId) -> str:
        """Return the name of a channel or open thread, such as "#general", or "" if unknown."""
        name = getattr(self._client.get_channel(channel), "name", None)
        return "" if name is None else f"#{name}"

    def language_of(self, guild: GuildId) -> str:
        """Return the server's language in Discord.

        It is English unless a community server set another.
        """
        cached_guild = self._client.get_guild(guild)
        return str(
            (
                discord.Locale.american_english
                if cached_guild is None
                else cached_guild.preferred_locale
            ).value
        )

    def is_announced(self, guild: GuildId) -> bool:
        """Return True once the gateway has announced the server after READY."""
        # discord.py stops waiting 2 s after the last one
        return (
            cached_guild := self._client.get_guild(guild)
        ) is None or not cached_guild.unavailable

    def is_silent(self, guild: GuildId, channel: ChannelId, since: int) -> bool:
        """Return True if a channel is known to have no message after `since`.

        With each new session Discord announces the newest message of each channel and open thread.
        This may be slightly out of date. A channel that was not announced does not count as silent.
        """
        server = self._client.get_guild(guild)
        cached_channel = None if server is None else server.get_channel_or_thread(channel)
        newest: int | None = getattr(cached_channel, "last_message_id", None)
        return newest is not None and newest <= since

    def record(self, message: discord.Message) -> None:
        """Record a channel's newest direct message."""
        if message.guild is None and not message.flags.ephemeral:
            self._direct.put(ChannelId(message.channel.id), MessageId(message.id))

    def is_newest(self, channel: ChannelId, message: MessageId) -> bool:
        """Return True if the message is the newest known one in its channel."""
        cached_channel = self._client.get_channel(channel)
        newest = getattr(cached_channel, "last_message_id", None) or self._direct.get(channel)
        return newest is not None and newest <= message

    def is_own(self, message: discord.Message) -> bool:
        return self._client.user is not None and message.author.id == self._client.user.id

    def guild(self, guild: GuildId) -> discord.Guild | None:
        return self._client.get_guild(guild)

    async def members(self, guild: GuildId, users: Sequence[UserId]) -> list[discord.Member]:
        """Return the given members of a server, without users unknown to Discord."""
        cached_guild = self._client.get_guild(guild)
        if cached_guild is None:
            return []
        requests = (cached_guild.fetch_member(user) for user in users[:_MAX_MEMBERS])
        replies = await asyncio.gather(*requests, return_exceptions=True)
        return [member for member in replies if isinstance(member, discord.Member)]

    async def departed(self, guild: GuildId, users: Sequence[UserId]) -> frozenset[UserId]:
        """Return the users who have left a server, according to Discord."""
        cached_guild = self._client.get_guild(guild)
        if cached_guild is None:
            return frozenset()
        with low_priority():
            requests = (cached_guild.fetch_member(user) for user in users)
            replies = await asyncio.gather(*requests, return_exceptions=True)
        return frozenset(
            user
            for user, answer in zip(users, replies, strict=True)
            if isinstance(answer, discord.NotFound) and answer.code in _NO_MEMBER
        )

    async def direct(self, user: UserId) -> discord.abc.Messageable:
        return await self._client.create_dm(discord.Object(user))

    async def member_names(self, guild: GuildId, users: Sequence[UserId]) -> list[str]:
        """Return users' names in a server, with "?" for users who have left it.

        Raises:
            LookupError: if the server is unknown.
        """
        cached_guild = self._client.get_guild(guild)
        if cached_guild is None:
            raise LookupError(f"guild {guild} is unknown")
        return [await _name(cached_guild, user) for user in users]

    async def open_thread(self, row: Delivery, name: str) -> MessageId:
        """Open a thread. This is safe to repeat, because Discord reports that the thread exists."""
        if row.message is None:
            raise LookupError("a thread needs a message to start from")
        message = self(row.channel, row.guild).get_partial_message(row.message)
        try:
            await message.create_thread(name=name, auto_archive_duration=_RUNNING_ARCHIVE_MINUTES)
        except discord.HTTPException as error:
            if error.code != _THREAD_EXISTS:
                raise
        return row.message

    async def delete(self, channel: ChannelId, message: MessageId) -> None:
        await self._message(channel, message).delete()

    async def remove_buttons(self, channel: ChannelId, message: MessageId) -> None:
        await self._message(channel, message).edit(view=None)

    async def change_buttons(self, channel: ChannelId, message: MessageId, post: Post) -> None:
        """Replace only a message's buttons."""
        await self._message(channel, message).edit(view=arguments(post)["view"])

    async def replace_text(self, channel: ChannelId, message: MessageId, post: Post) -> None:
        """Replace a message with new text and no buttons."""
        changes = {"view": None} | arguments(post)
        await self._message(channel, message).edit(**changes)

    async def replace_text_and_buttons(
        self, channel: ChannelId, message: MessageId, post: Post
    ) -> None:
        """Replace a message's text and buttons, but not its picture."""
        await self._message(channel, message).edit(**arguments(post))

    async def reword(self, channel: ChannelId, message: MessageId, content: str) -> None:
        """Replace only a message's text, without pinging anyone."""
        mentions = discord.AllowedMentions.none()
        await self._message(channel, message).edit(content=content, allowed_mentions=mentions)

    async def archive_soon(self, thread: ChannelId) -> None:
        """Let Discord archive an ended game's thread soon after its last message."""
        channel = self._client.get_channel(thread) or await self._client.fetch_channel(thread)
        if isinstance(channel, discord.Thread):
            await channel.edit(auto_archive_duration=_ENDED_ARCHIVE_MINUTES)

    def _message(self, channel: ChannelId, message: MessageId) -> discord.PartialMessage | FollowUp:
        """Return an editable message of the bot.

        Raises:
            NoFollowUpError: if the bot is a guest there, and the message is too old.
        """
        if self.slots.is_visited(channel):
            return self.slots.find(message)
        return self(channel).get_partial_message(message)

    @property
    def own_id(self) -> UserId:
        """The bot's own user id."""
        assert self._client.user is not None  # the client is logged in  # noqa: S101
        return UserId(self._client.user.id)

    def sees(self, guild: GuildId) -> bool:
        """Return True if the bot is in a server, as far as it knows from the gateway."""
        # The bot can't be removed from direct messages.
        return guild == NO_GUILD or self._client.get_guild(guild) is not None

    async def is_out(self, guild: GuildId) -> bool:
        """Return True if Discord reports that the bot is not in a server.

        Raises:
            One of `DISCORD_ERRORS`: if the request fails.
        """
        try:
            await self._client.fetch_guild(guild, with_counts=False)
        except (discord.NotFound, discord.Forbidden):
            return True
        return False

    async def is_gone(self, channel: ChannelId) -> bool:
        """Return True if Discord reports that a channel or thread is deleted.

        Raises:
            One of `DISCORD_ERRORS`: if the request fails.
        """
        try:
            await self._client.fetch_channel(channel)
        except discord.NotFound as error:
            return error.code == _UNKNOWN_CHANNEL
        except discord.Forbidden:
            return False
        return False

    async def is_deleted(self, channel: ChannelId, message: MessageId) -> bool:
        """Return True if Discord reports that a message or its channel is deleted.

        Raises:
            One of `DISCORD_ERRORS`: if the request fails.
        """
        try:
            await self(channel).fetch_message(message)
        except discord.NotFound as error:
            return error.code in (_UNKNOWN_CHANNEL, _UNKNOWN_MESSAGE)
        except discord.Forbidden:
            return False
        return False

    async def can_view(self, channel: ChannelId, member: discord.Member) -> bool:
        """Return True if a member of a server can view one of its channels or threads."""
        target: object = self._client.get_channel(channel)
        try:
            if target is None:  # an archived thread
                target = await self._client.fetch_channel(channel)
            if not isinstance(target, discord.abc.GuildChannel | discord.Thread):
                return False
            permissions = target.permissions_for(member)
            sees_all = permissions.manage_threads
            if isinstance(target, discord.Thread) and target.is_private() and not sees_all:
                await target.fetch_member(member.id)
        except (*DISCORD_ERRORS, discord.ClientException):  # hidden from the bot
            return False
        return target.guild == member.guild and permissions.view_channel

    def missing(self, channel: ChannelId) -> tuple[str, ...]:
        """Return the permissions that the bot is known to lack for playing in a channel."""
        cached_channel = self._client.get_channel(channel)
        if isinstance(cached_channel, discord.abc.GuildChannel | discord.Thread):
            return missing(
                cached_channel.permissions_for(cached_channel.guild.me),
                to_play(cached_channel.type),
            )
        return ()

    def missing_for(self, channel: ChannelId, *, parent: ChannelId) -> tuple[str, ...]:
        """Return the permissions that the bot lacks in a channel, or in a new thread there."""
        is_known = channel == parent or self.knows(channel)
        return self.missing(channel) if is_known else self.missing_threads(parent)

    def missing_threads(self, channel: ChannelId) -> tuple[str, ...]:
        """Return the permissions that the bot lacks for threads there and games in them."""
        cached_channel = self._client.get_channel(channel)
        if not isinstance(cached_channel, discord.abc.GuildChannel):
            return ()
        permissions = cached_channel.permissions_for(cached_channel.guild.me)
        return missing(permissions, to_play(cached_channel.type) | TO_OPEN_THREADS)


async def send_post(
    destination: discord.abc.Messageable,
    post: Post,
    nonce: str,
    picture: File | None = None,
    *,
    reply_to: discord.MessageReference | None = None,
) -> MessageId:
    """Send a message with a nonce, so that Discord rejects duplicates for a few minutes.

    The nonce has at most 25 characters. If the bot can't send a reply, it sends a plain message.
    """
    options: dict[str, Any] = {"nonce": nonce, "silent": post.silent}
    if reply_to is not None:
        options["reference"] = reply_to
    try:
        message = await destination.send(**arguments(post, picture), **options)
    except discord.Forbidden as error:
        if reply_to is None or error.code != _NO_REPLY_WITHOUT_HISTORY:
            raise
        return await send_post(destination, post, nonce, picture)
    except CUT_OFF:
        # If it had already arrived, Discord returns its id and posts nothing.
        message = await destination.send(**arguments(post, picture), **options)
    return MessageId(message.id)


def messages_since(
    channel: discord.abc.Messageable, tried_at: datetime
) -> AsyncIterator[discord.Message]:
    """Yield the part of a channel's history that may contain a message sent at `tried_at`."""
    return channel.history(
        limit=None, after=tried_at - _CLOCK_ERROR, before=tried_at + _LONGEST_FLIGHT
    )


async def _name(guild: discord.Guild, player: UserId) -> str:
    try:
        return (await guild.fetch_member(player)).display_name
    except discord.NotFound:  # the user has left the server
        return "?"
