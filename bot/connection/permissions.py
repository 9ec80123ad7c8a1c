"""The permissions that the bot needs, and checks of the ones that it has.

Permissions are named as in Discord's settings.
"""

from collections.abc import Mapping
from typing import Any

import discord

THREADS = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)

_TO_PLAY = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
}
TO_OPEN_THREADS = {
    "create_public_threads": "Create Public Threads",
    "send_messages_in_threads": "Send Messages in Threads",
}

_TO_MARK = "add_reactions"
"""Permission to react to chat messages that contain moves. Without it, the bot doesn't react."""

_TO_PLAN = "create_events"
"""Permission for a tournament's scheduled event.

Without it, a tournament is only announced in its channel.
"""

NEEDED = discord.Permissions(
    **dict.fromkeys([*_TO_PLAY, *TO_OPEN_THREADS, _TO_MARK, _TO_PLAN], True)
)
"""All permissions that the invite link asks for."""


def allows_user_install(application: discord.AppInfo | None) -> bool:
    """Return True if users may install the bot to their own accounts."""
    return application is not None and application.user_integration_config is not None


def can_read(channel: discord.abc.GuildChannel) -> bool:
    return reads(channel.permissions_for(channel.guild.me))


def reads(permissions: discord.Permissions) -> bool:
    """Return True if these permissions let the bot receive and read messages."""
    return permissions.administrator or (
        permissions.view_channel and permissions.read_message_history
    )


def to_play(kind: discord.ChannelType | None) -> dict[str, str]:
    """Return the permissions that a game needs in this kind of channel."""
    if kind not in THREADS:
        return dict(_TO_PLAY)
    writing = "send_messages_in_threads"
    names = {flag: name for flag, name in _TO_PLAY.items() if flag != "send_messages"}
    return {writing: TO_OPEN_THREADS[writing], **names}


def missing(permissions: discord.Permissions, needed: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(
        name
        for flag, name in needed.items()
        if not (permissions.administrator or getattr(permissions, flag))
    )


def is_direct(interaction: discord.Interaction[Any]) -> bool:
    """Return True if the interaction is in direct messages with the bot."""
    return interaction.guild_id is None and not interaction.context.private_channel


def is_visiting(interaction: discord.Interaction[Any]) -> bool:
    """Return True if the bot is a guest: a user installed it, but the server did not."""
    if interaction.guild_id is None:
        return interaction.context.private_channel
    is_known = interaction.client.get_guild(interaction.guild_id) is not None
    return not (is_known or interaction.is_guild_integration())


def is_muffled(interaction: discord.Interaction[Any]) -> bool:
    """Return True if only the user sees the bot's responses.

    A server may require that of guests.

    It is also true if the user may not write there.
    """
    if interaction.guild_id is None or not is_visiting(interaction):
        return False
    may = interaction.permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    writes = may.send_messages_in_threads if in_thread else may.send_messages
    return not (may.administrator or (may.use_external_apps and writes))


def may_give_permissions(permissions: discord.Permissions) -> bool:
    """Return True if a member may change the bot's permissions in a channel.

    This requires Manage Permissions in the channel's settings, or Manage Roles in the server's. To
    Discord, they are the same permission. Manage Channels is not enough.
    """
    return permissions.administrator or permissions.manage_roles


def may_reply(message: discord.Message) -> bool:
    """Return True if the bot can send a reply to a message, and not only a plain message."""
    if message.guild is None:
        return True
    channel = message.channel
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return False
    permissions = channel.permissions_for(message.guild.me)
    return permissions.administrator or permissions.read_message_history
