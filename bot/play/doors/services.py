"""The services behind all commands, buttons and typed moves: use cases, and ways to answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

import discord
from discord import app_commands

from bot.base.ids import ChannelId
from bot.connection.gateway_probe import ListeningRecord
from bot.connection.names import Names
from bot.connection.work import Work
from bot.play.deleted_channels import DeletedChannels
from bot.play.delivery.publisher import Publisher
from bot.play.place_settings import PlaceSetting
from bot.play.readers import Readers
from bot.play.use_cases.cases import UseCases
from bot.play.words.game_page import GamePagePart
from bot.play.words.help import HelpPart
from bot.play.words.refusals import RefusalWords
from bot.play.words.replay import ReplayPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Services(UseCases):
    """The parts that commands, buttons and typed moves work with."""

    refusal: RefusalWords
    """Says why something is refused."""
    heard: ListeningRecord
    names: Names
    readers: Readers
    publisher: Publisher
    deleted_channels: DeletedChannels
    work: Work
    place_settings: Sequence[PlaceSetting]
    """Choices that moderators make for features."""

    @classmethod
    def with_ways_out(
        cls,
        does: UseCases,
        *,
        refusal: RefusalWords,
        heard: ListeningRecord,
        names: Names,
        readers: Readers,
        publisher: Publisher,
        deleted_channels: DeletedChannels,
        work: Work,
        place_settings: Sequence[PlaceSetting],
    ) -> "Services":
        """Return the use cases at Discord's door."""
        cases = {field.name: getattr(does, field.name) for field in fields(UseCases)}
        return cls(
            **cases,
            refusal=refusal,
            heard=heard,
            names=names,
            readers=readers,
            publisher=publisher,
            deleted_channels=deleted_channels,
            work=work,
            place_settings=place_settings,
        )


class ServicesClient(discord.AutoShardedClient):
    """A client with the services, so that a command or button finds it through its interaction."""

    services: Services
    commands: tuple[app_commands.Command[Any, Any, Any] | app_commands.Group, ...] = ()
    """The slash commands."""
    page_parts: tuple[GamePagePart, ...] = ()
    replay_parts: tuple[ReplayPart, ...] = ()
    help_parts: tuple[HelpPart, ...] = ()
    has_machine: bool = False
    """The machine can be challenged."""
    command_ids: Mapping[str, int] = MappingProxyType({})
    """Discord's ids of our commands by their names, once they are known."""

    def done_elsewhere(self, channel: ChannelId) -> None:
        """Note that another process has done a request that this one has heard too."""


Interaction = discord.Interaction[ServicesClient]
