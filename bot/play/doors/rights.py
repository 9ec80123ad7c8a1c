"""Permissions that each part of /setup asks for, and whether somebody has them.

With a command Discord says what its member may do in that channel, and so do the channel's own
permissions: whoever manages one room looks like a moderator there. What holds for the whole server
is asked of the member's roles instead, and what is posted in a channel that they name of that one.
"""

from enum import Enum, auto
from typing import Any, Final

import discord

from bot.base.ids import ChannelId
from bot.connection.permissions import missing
from bot.play.model.refusals.starting import NotAllowed, RolesUnknown

MODERATING: Final = "Manage Channels"
"""Permission to moderate, as Discord's settings name it."""
_TO_WRITE: Final = {"view_channel": "View Channel", "send_messages": "Send Messages"}


class Scope(Enum):
    """The place in which somebody must be allowed to manage channels."""

    CHANNEL = auto()
    """The channel where they ask: nothing changes elsewhere."""
    SERVER = auto()
    """The whole server, by a role."""


IN_CHANNEL: Final = frozenset({"show", "style", "abort"})
"""The commands of /setup that ask for rights in the channel only; style's page for the server asks
for more. All others ask for rights in the whole server."""


def check_setup(interaction: discord.Interaction[Any]) -> None:
    """See that somebody may use a command of /setup: a server can show it to anyone.

    Raises:
        NotAllowed, RolesUnknown: as `check`.
    """
    command = interaction.command
    assert command is not None  # it is one that was used  # noqa: S101
    check(interaction, Scope.CHANNEL if command.name in IN_CHANNEL else Scope.SERVER)


def check(interaction: discord.Interaction[Any], scope: Scope) -> None:
    """See that somebody may manage channels.

    Raises:
        NotAllowed: if they may not.
        RolesUnknown: if that cannot be told yet.
    """
    everywhere = scope is Scope.SERVER
    granted = in_server(interaction) if everywhere else interaction.permissions
    if not granted.manage_channels:
        raise NotAllowed(MODERATING, everywhere=everywhere)


def in_server(interaction: discord.Interaction[Any]) -> discord.Permissions:
    """Return the asker's permissions in the whole server, by their roles or as its owner.

    Raises:
        RolesUnknown: if the server is not known yet.
    """
    member = interaction.user
    if not isinstance(member, discord.Member) or member.guild.default_role is None:
        raise RolesUnknown
    return member.guild_permissions


def manages_events(interaction: discord.Interaction[Any]) -> bool:
    """Tell whether somebody manages the events of a server, or the server."""
    granted = in_server(interaction)
    return granted.manage_events or granted.manage_guild


def check_named(granted: discord.Permissions, channel: ChannelId) -> None:
    """See that somebody may have something posted in a channel: who manages it, or writes there.

    Args:
        granted: What they may do there.
        channel: Which.

    Raises:
        NotAllowed: naming what they lack.
    """
    if granted.administrator or granted.manage_channels:
        return
    if lacking := missing(granted, _TO_WRITE):
        raise NotAllowed(lacking[0], channel=channel)
