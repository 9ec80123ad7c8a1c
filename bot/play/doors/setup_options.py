"""Parts of the subcommands of /setup: channels as options, and who may use them."""

from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from bot.base.ids import ChannelId, GuildId
from bot.play.doors.commands import guild_of
from bot.play.doors.rights import check_named, check_setup
from bot.play.doors.services import Interaction
from bot.play.use_cases.servers import Servers


@dataclass(frozen=True, slots=True)
class Named:
    """A channel that somebody has named."""

    number: ChannelId
    granted: discord.Permissions
    """Permissions of the asker there."""

    def checked(self) -> ChannelId:
        """Return its number.

        Raises:
            NotAllowed: if they may have nothing posted there.
        """
        check_named(self.granted, self.number)
        return self.number


class Channel(app_commands.Transformer):
    """A channel in which people, or its threads, can talk."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        kinds = discord.ChannelType
        return [kinds.text, kinds.news, kinds.voice, kinds.stage_voice, kinds.forum]

    async def transform(self, _interaction: discord.Interaction[Any], value: Any, /) -> Named:
        """Take what was chosen."""
        return Named(ChannelId(value.id), value.permissions)


class Room(Channel):
    """A channel in which messages stand; in a forum there are only threads."""

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        return [kind for kind in super().channel_types if kind is not discord.ChannelType.forum]


class Threaded(Channel):
    """A channel in which threads can be opened."""

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        return [discord.ChannelType.text, discord.ChannelType.news]


ThreadedOption = app_commands.Transform[Named, Threaded]
RoomOption = app_commands.Transform[Named, Room]
ChannelOption = app_commands.Transform[Named, Channel]


def moderated(interaction: Interaction) -> tuple[Servers, GuildId]:
    """Return the use cases of servers, and the server of somebody who may change its settings.

    Raises:
        NotAllowed, RolesUnknown: as `check_setup`.
    """
    check_setup(interaction)
    return interaction.client.services.servers, guild_of(interaction)
