"""What every door of the bot leads to: the use cases, and the ways out."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

import discord
from discord import app_commands

from bot.base.ids import ChannelId
from bot.connection.hearing import Heard
from bot.connection.people import Names, Readers
from bot.connection.work import Work
from bot.features.machine.opponent.analyst import Analyst
from bot.play.deleted_channels import Vanished
from bot.play.delivery.publisher import Publisher
from bot.play.use_cases.cases import UseCases
from bot.play.words.game_page import GamePagePart
from bot.play.words.help import HelpPart
from bot.play.words.replay import ReplayPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk(UseCases):
    """The parts that commands, buttons and typed moves work with."""

    heard: Heard
    names: Names
    readers: Readers
    publisher: Publisher
    vanished: Vanished
    work: Work
    engine: Analyst | None
    """What people ask about positions; None where the machine is switched off."""

    @classmethod
    def with_ways_out(
        cls,
        does: UseCases,
        *,
        heard: Heard,
        names: Names,
        readers: Readers,
        publisher: Publisher,
        vanished: Vanished,
        work: Work,
        engine: Analyst | None,
    ) -> "Desk":
        """The use cases at Discord's door."""
        cases = {field.name: getattr(does, field.name) for field in fields(UseCases)}
        return cls(
            **cases,
            heard=heard,
            names=names,
            readers=readers,
            publisher=publisher,
            vanished=vanished,
            work=work,
            engine=engine,
        )


class DeskClient(discord.AutoShardedClient):
    """A client with a desk, so that a command or button finds it through its interaction."""

    desk: Desk
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
        """What was heard here has been done by another process, which may fall over after it."""


Interaction = discord.Interaction[DeskClient]
