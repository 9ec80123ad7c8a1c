"""Parts of /setup's subcommands: channel options, and the permissions required to use them."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

import discord
from discord import app_commands

from bot.base.ids import ChannelId, GuildId
from bot.connection.permissions import missing
from bot.people.use_cases.servers import ServerSettings
from bot.play.handlers.interactions import Interaction, guild_of
from bot.play.model.refused_starts import NotAllowed, RolesUnknown

MODERATOR_PERMISSION: Final = "Manage Channels"
"""Permission required of moderators, as named in Discord's settings."""
_TO_WRITE: Final = {"view_channel": "View Channel", "send_messages": "Send Messages"}


class Scope(Enum):
    """Scope in which a user needs the permission to manage channels."""

    CHANNEL = auto()
    """The current channel, because nothing changes elsewhere."""
    SERVER = auto()
    """The whole server, through a role."""


IN_CHANNEL: Final = frozenset({"show", "style", "abort"})
"""Commands of /setup that need permissions only in the channel.

All others, and the server page of `style`, need permissions in the whole server.
"""


def check_setup(interaction: discord.Interaction[Any]) -> None:
    """Check that a user may use a command of /setup.

    A server can show the command to anyone.

    Raises:
        NotAllowed, RolesUnknown: like `check`.
    """
    command = interaction.command
    assert command is not None  # a command was used # noqa: S101
    check(interaction, Scope.CHANNEL if command.name in IN_CHANNEL else Scope.SERVER)


def check(interaction: discord.Interaction[Any], scope: Scope) -> None:
    """Check that a user has the permission to manage channels.

    Raises:
        NotAllowed: if they don't.
        RolesUnknown: if their roles are not known yet.
    """
    everywhere = scope is Scope.SERVER
    permissions = in_server(interaction) if everywhere else interaction.permissions
    if not permissions.manage_channels:
        raise NotAllowed(MODERATOR_PERMISSION, everywhere=everywhere)


def in_server(interaction: discord.Interaction[Any]) -> discord.Permissions:
    """Return the user's permissions in the whole server, from their roles or as its owner.

    Raises:
        RolesUnknown: if the server is not known yet.
    """
    member = interaction.user
    if not isinstance(member, discord.Member) or member.guild.default_role is None:
        raise RolesUnknown
    return member.guild_permissions


def manages_events(interaction: discord.Interaction[Any]) -> bool:
    permissions = in_server(interaction)
    return permissions.manage_events or permissions.manage_guild


@dataclass(frozen=True, slots=True)
class ChosenChannel:
    """A channel chosen in an option of a command."""

    number: ChannelId
    permissions: discord.Permissions
    """The user's permissions in the channel."""

    def checked_id(self) -> ChannelId:
        """Return the channel's id, if the user may manage the channel or write there.

        Raises:
            NotAllowed: with the missing permission.
        """
        permissions = self.permissions
        may_manage = permissions.administrator or permissions.manage_channels
        if not may_manage and (missing_permissions := missing(permissions, _TO_WRITE)):
            raise NotAllowed(missing_permissions[0], channel=self.number)
        return self.number


class Channel(app_commands.Transformer):
    """Option for a channel that people can write in, directly or in threads."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        kinds = discord.ChannelType
        return [kinds.text, kinds.news, kinds.voice, kinds.stage_voice, kinds.forum]

    async def transform(
        self, _interaction: discord.Interaction[Any], value: Any, /
    ) -> ChosenChannel:
        return ChosenChannel(ChannelId(value.id), value.permissions)


class MessageChannel(Channel):
    """Option for a channel that can contain messages. Forums have only threads."""

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        return [kind for kind in super().channel_types if kind is not discord.ChannelType.forum]


RoomOption = app_commands.Transform[ChosenChannel, MessageChannel]
ChannelOption = app_commands.Transform[ChosenChannel, Channel]


def moderated_server(interaction: Interaction) -> tuple[ServerSettings, GuildId]:
    """Return the server's settings and its id, after checking that the user may change them.

    Raises:
        NotAllowed, RolesUnknown: like `check_setup`.
    """
    check_setup(interaction)
    return interaction.client.services.require(ServerSettings), guild_of(interaction)
