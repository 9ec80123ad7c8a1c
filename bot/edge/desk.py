"""What every door of the bot leads to: the use cases, and the way out."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import discord

from bot.edge.delivery.publisher import Publisher
from bot.edge.vanished import Vanished
from bot.edge.work import Work
from bot.games import (
    Blocks,
    Choices,
    Games,
    Lobby,
    Offers,
    Pie,
    Planning,
    Rematches,
    StandIn,
    Timekeeper,
)
from bot.games.clocks import ClockRoom
from bot.games.vacations import Vacations
from bot.model.ids import ChannelId
from bot.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The parts that commands, buttons and typed moves work with."""

    lobby: Lobby
    rematches: Rematches
    games: Games
    offers: Offers
    pie: Pie
    planning: Planning
    timekeeper: Timekeeper
    stand_in: StandIn
    clocks: ClockRoom
    vacations: Vacations
    choices: Choices
    blocks: Blocks
    store: Store
    publisher: Publisher
    vanished: Vanished
    work: Work


class DeskClient(discord.AutoShardedClient):
    """A client with a desk, so that a command or button finds it through its interaction."""

    desk: Desk
    has_machine: bool = False
    """The machine can be challenged."""
    command_ids: Mapping[str, int] = MappingProxyType({})
    """Discord's ids of our commands by their names, once they are known."""

    def done_elsewhere(self, channel: ChannelId) -> None:
        """What was heard here has been done by another process, which may fall over after it."""


Interaction = discord.Interaction[DeskClient]
