"""The permissions that the bot needs, and what they allow where somebody asks.

They go by the names that people read in Discord's settings.
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
"""Permissions to mark a move among other words; where one lacks, nothing is marked."""

TO_PLAN = {"create_events": "Create Events"}
"""Permissions for a tournament among a server's events; else it stands in its channel alone."""

NEEDED = discord.Permissions(
    **dict.fromkeys([*_TO_PLAY, *TO_OPEN_THREADS, _TO_MARK, *TO_PLAN], True)
)
"""Everything the bot asks for when it is invited."""


def can_be_brought(application: discord.AppInfo | None) -> bool:
    """Return whether people may add the bot to their own accounts, and so bring it along."""
    return application is not None and application.user_integration_config is not None


def can_read(channel: discord.abc.GuildChannel) -> bool:
    return reads(channel.permissions_for(channel.guild.me))


def reads(granted: discord.Permissions) -> bool:
    """Return whether these permissions are enough to hear and read."""
    return granted.administrator or (granted.view_channel and granted.read_message_history)


def to_play(kind: discord.ChannelType | None) -> dict[str, str]:
    """Return what a game needs in a channel of this kind."""
    if kind not in THREADS:
        return dict(_TO_PLAY)
    writing = "send_messages_in_threads"
    others = {flag: name for flag, name in _TO_PLAY.items() if flag != "send_messages"}
    return {writing: TO_OPEN_THREADS[writing], **others}


def missing(granted: discord.Permissions, needed: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(
        name
        for flag, name in needed.items()
        if not (granted.administrator or getattr(granted, flag))
    )


def is_direct(interaction: discord.Interaction[Any]) -> bool:
    """Return whether these are the direct messages between somebody and the bot."""
    return interaction.guild_id is None and not interaction.context.private_channel


def is_visiting(interaction: discord.Interaction[Any]) -> bool:
    """Return whether the bot is not in a place: somebody has brought it along there."""
    if interaction.guild_id is None:
        return interaction.context.private_channel
    is_known = interaction.client.get_guild(interaction.guild_id) is not None
    return not (is_known or interaction.is_guild_integration())


def is_muffled(interaction: discord.Interaction[Any]) -> bool:
    """Tell whether only the asker sees the bot's answers: a server may want that of visitors.

    It is also so where the asker may not write themselves.
    """
    if interaction.guild_id is None or not is_visiting(interaction):
        return False
    may = interaction.permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    writes = may.send_messages_in_threads if in_thread else may.send_messages
    return not (may.administrator or (may.use_external_apps and writes))


def may_give_permissions(granted: discord.Permissions) -> bool:
    """Return whether somebody may change what the bot may do in a channel.

    That is Manage Permissions in the channel's own settings, or Manage Roles in the server's: to
    Discord they are one. Manage Channels is not enough.
    """
    return granted.administrator or granted.manage_roles


def may_reply(message: discord.Message) -> bool:
    """Tell whether an answer can show what it answers; else it is a plain message."""
    if message.guild is None:
        return True
    where = message.channel
    if not isinstance(where, discord.abc.GuildChannel | discord.Thread):
        return False
    granted = where.permissions_for(message.guild.me)
    return granted.administrator or granted.read_message_history
