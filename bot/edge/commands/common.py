"""What all commands share."""

from discord import app_commands

from bot.edge.desk import Interaction
from bot.model.ids import NO_GUILD, ChannelId, GuildId
from bot.model.refusals import NotAllowed

in_servers = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
anywhere = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
"""In servers, and in the direct messages between a person and the bot."""
by_server = app_commands.allowed_installs(guilds=True, users=False)


def channel_of(interaction: Interaction) -> ChannelId:
    """The channel or thread of a command."""
    return ChannelId(interaction.channel_id or 0)


def guild_of(interaction: Interaction) -> GuildId:
    """The server of a command; for direct messages `NO_GUILD`."""
    return GuildId(interaction.guild_id or NO_GUILD)


def check_moderator(interaction: Interaction) -> None:
    """See that somebody may moderate: a server can show such commands to anyone.

    Raises:
        NotAllowed: if this person may not manage the channel.
    """
    if not is_moderator(interaction):
        raise NotAllowed("Manage Channels")


def is_moderator(interaction: Interaction) -> bool:
    """Whether somebody may manage the channel, and so the games in it."""
    return interaction.permissions.manage_channels


def is_direct(interaction: Interaction) -> bool:
    """Whether a command comes from the direct messages between somebody and the bot."""
    return interaction.guild_id is None
