"""The place of an interaction: what Discord and the server's permissions allow there."""

import discord

from bot.edge.desk import Interaction
from bot.edge.permissions import TO_OPEN_THREADS, missing, to_play
from bot.model.conduct import Venue
from bot.model.ids import ChannelId

_WITH_THREADS = (discord.ChannelType.text, discord.ChannelType.news)


def venue(interaction: Interaction) -> Venue:
    """Where somebody asks for a game."""
    where, channel = interaction.channel, ChannelId(interaction.channel_id or 0)
    if interaction.guild_id is None:  # nothing can be lacking in direct messages
        return Venue(channel=channel, home=channel, has_threads=False, is_direct=True)
    kind = None if where is None else where.type
    to_play_here = to_play(kind)
    for_threads = {flag: name for flag, name in TO_OPEN_THREADS.items() if flag not in to_play_here}
    return Venue(
        channel=channel,
        home=ChannelId(where.parent_id) if isinstance(where, discord.Thread) else channel,
        has_threads=kind in _WITH_THREADS,
        lacking=missing(interaction.app_permissions, to_play_here),
        lacking_for_threads=missing(interaction.app_permissions, for_threads),
        asker_may_mend=may_give_permissions(interaction.permissions),
    )


def may_give_permissions(granted: discord.Permissions) -> bool:
    """Whether somebody may change what the bot may do in a channel.

    That is Manage Permissions in the channel's own settings, or Manage Roles in the server's: to
    Discord they are one. Manage Channels is not enough.
    """
    return granted.administrator or granted.manage_roles
