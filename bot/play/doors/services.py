"""The services behind all commands, buttons and typed moves: use cases, and ways to answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import discord
from discord import app_commands

from bot.base.ids import ChannelId
from bot.connection.names import Names
from bot.connection.work import Work
from bot.play.deleted_channels import DeletedChannels
from bot.play.delivery.publisher import Publisher
from bot.play.place_settings import PlaceSetting
from bot.play.readers import Readers
from bot.play.use_cases.cases import UseCases
from bot.play.words.buttons import BoardPart
from bot.play.words.game_page import GamePagePart
from bot.play.words.help import HelpPart
from bot.play.words.refusals import RefusalWords
from bot.play.words.replay import ReplayPart, SharedPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Services(UseCases):
    """The parts that commands, buttons and typed moves work with."""

    refusal: RefusalWords
    """Says why something is refused."""
    names: Names
    readers: Readers
    publisher: Publisher
    deleted_channels: DeletedChannels
    work: Work
    place_settings: Sequence[PlaceSetting]
    """Choices that moderators make for features."""


class ServicesClient(discord.AutoShardedClient):
    """A client with the services, so that a command or button finds it through its interaction."""

    services: Services
    commands: tuple[app_commands.Command[Any, Any, Any] | app_commands.Group, ...] = ()
    """The slash commands."""
    page_parts: tuple[GamePagePart, ...] = ()
    replay_parts: tuple[ReplayPart, ...] = ()
    board_parts: tuple[BoardPart, ...] = ()
    shared_parts: tuple[SharedPart, ...] = ()
    help_parts: tuple[HelpPart, ...] = ()
    has_machine: bool = False
    """The machine can be challenged."""
    command_ids: Mapping[str, int] = MappingProxyType({})
    """Discord's ids of our commands by their names, once they are known."""

    def done_elsewhere(self, channel: ChannelId) -> None:
        """Note that another process has done a request that this one has heard too."""


Interaction = discord.Interaction[ServicesClient]
