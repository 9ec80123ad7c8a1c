"""The interface between the game and the features: the types that declare a feature's parts."""

import argparse
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar, TypeVar

import discord
from discord import app_commands

from bot.base.config import Settings, StoreSettings
from bot.base.errors import PlayError
from bot.base.ids import Shards, UserId
from bot.base.rhythm import Rhythm
from bot.connection.delivery_handlers import DeliveryHandler
from bot.connection.forms import DynamicComponent
from bot.play.delivery.boards import DeliveryContext
from bot.play.extension_points import Extension, Extensions
from bot.play.foresight import Foresight
from bot.play.game_changes import GameScope
from bot.play.handlers.interactions import (
    AnyCommand,
    OwnBoards,
    PlaceSetting,
    ReadForm,
    Services,
    SpectatorActions,
    in_servers,
)
from bot.play.handlers.replies import Replies
from bot.play.handlers.typed_messages import TypedHandler
from bot.play.model.game import Game
from bot.play.opponent import Opponent
from bot.play.store.store import Store
from bot.play.switches import Switch
from bot.play.teams import Teams
from bot.play.use_cases.use_cases import UseCases
from bot.play.words.help import HelpPart
from bot.play.words.refusals import Words
from bot.play.words.views import BoardPart


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurringTask:
    """Recurring work: a regular check finds the due items, and each is processed."""

    name: str
    every: timedelta
    due: Callable[[Shards], Awaitable[Iterable[Any]]]
    do: Callable[[Any], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardContext:
    """The services for a shard's recurring work."""

    services: Services
    received_until: Callable[[], Awaitable[datetime | None]]
    """Returns the time up to which all events were received. It is read once per check."""
    start_check: Callable[[], None]
    """Starts a new check."""
    machine: UserId | None
    """The machine's user id, if it plays."""
    rhythm: Rhythm
    later: Callable[[], datetime]
    """Returns when to check waiting games again."""


class ClientService:
    """A service that runs alongside a client. By default, each method does nothing."""

    scope: ClassVar[GameScope] = GameScope.ALL
    """The games that the service handles."""

    def on_game(self, game: Game) -> None:
        """Handle the newest state of a game, before it is announced.

        It is called again if another process may have died before it handled this state.
        """

    async def run(self, shards: Shards) -> None:
        """Do the work for some shards after their missed messages, in every session."""


OpenOpponent = Callable[[Settings, AsyncExitStack], Awaitable[Opponent | None]]
"""Creates people's opponent, if there is one, and registers its cleanup on the stack."""
Measure = Callable[[Store], Awaitable[object]]
"""Updates a feature's metrics before the host reads them."""
SetupCheck = Callable[[Settings], Awaitable[list[str]]]
"""Returns lines for `dvonn-bot check` about the feature's setup."""


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A command of `dvonn-bot` other than `run`."""

    name: str
    help: str
    fill: Callable[[argparse.ArgumentParser], object]
    load: Callable[[], StoreSettings]
    """Loads the tool's settings."""
    run: Callable[[Any, argparse.Namespace], Coroutine[Any, Any, int]]
    """Runs the tool with these settings and options. Returns the exit status."""
    until_stopped: bool = False
    """True if the tool runs until the process gets a signal to stop."""


T = TypeVar("T")

Ranks = Mapping[int, tuple[T, ...]]
"""Items of the game and all features by rank, lowest first."""


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A part of the bot that can be removed without changing the game.

    `bot.composition` combines them. The game's own declaration is `bot.play.feature.GAME`.
    """

    name: str
    """The name of the feature's folder."""
    needs: tuple[str, ...] = ()
    refusals: Mapping[type[PlayError], Words] = field(default_factory=dict)
    deliveries: tuple[Callable[[DeliveryContext], DeliveryHandler], ...] = ()
    recurring: Callable[[ShardContext], Iterable[RecurringTask]] = lambda _: ()
    """Recurring work for each shard."""
    client_services: tuple[Callable[[Services], ClientService | None], ...] = ()
    """Functions that create services alongside a client.

    They return None if there is nothing to run.
    """
    switches: tuple[Switch, ...] = ()
    """Switches that users can turn on or off for themselves."""
    place_settings: tuple[PlaceSetting, ...] = ()
    """Moderators' settings for their server."""
    check: SetupCheck | None = None
    measures: Measure | None = None
    tools: tuple[Tool, ...] = ()
    factories: tuple[Callable[[UseCases], object], ...] = ()
    """Functions that create use cases and hooks from the use cases created before."""
    extends: tuple[Extension, ...] = ()
    """The feature's additions to the game and to features that it depends on."""
    commands: Ranks[AnyCommand] = field(default_factory=dict)
    """Slash commands by rank. Lower ranks are more important."""
    menus: Ranks[app_commands.ContextMenu] = field(default_factory=dict)
    buttons: tuple[type[DynamicComponent], ...] = ()
    forms: tuple[ReadForm, ...] = ()
    board: tuple[BoardPart, ...] = ()
    help: HelpPart | None = None
    typed: Callable[[Services, Replies], TypedHandler] | None = None
    """Creates the handler for messages that are not moves in a game."""


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Parts of the game that at most one feature provides. A missing part is None."""

    opponent: OpenOpponent | None = None
    """Creates the machine, once per process."""
    foresight: Callable[[], Foresight] | None = None
    """Creates the object that reads and stores plans."""
    teams: Callable[[UseCases], Teams] | None = None
    """Creates the object that plays for teams, from the use cases created before."""
    own_boards: OwnBoards | None = None
    spectators: SpectatorActions | None = None


@dataclass(frozen=True, kw_only=True)
class FeatureSet:
    """The parts of the game and of all features, combined."""

    switches: tuple[Switch, ...]
    extensions: Extensions
    place_settings: tuple[PlaceSetting, ...]
    """The settings of places, in their order in /setup."""
    commands: tuple[AnyCommand, ...]
    menus: tuple[app_commands.ContextMenu, ...]
    buttons: tuple[type[DynamicComponent], ...]
    forms: tuple[ReadForm, ...]
    board: tuple[BoardPart, ...]
    help: tuple[HelpPart, ...]
    typed: tuple[Callable[[Services, Replies], TypedHandler], ...]
    """Handlers, which are tried in this order."""
    checks: tuple[SetupCheck, ...]
    measures: tuple[Measure, ...]
    tools: tuple[Tool, ...]


def combine(features: Iterable[Feature]) -> FeatureSet:
    """Combine the parts of all features. Within a rank, parts keep the order of the features."""
    all_features = tuple(features)
    place_settings = tuple(
        setting for feature in all_features for setting in feature.place_settings
    )
    setup: Ranks[AnyCommand] = {2: (_setup_of(place_settings),)}
    return FeatureSet(
        switches=tuple(switch for feature in all_features for switch in feature.switches),
        extensions=Extensions(
            extension for feature in all_features for extension in feature.extends
        ),
        place_settings=place_settings,
        commands=_in_order((*(feature.commands for feature in all_features), setup)),
        menus=_in_order(feature.menus for feature in all_features),
        buttons=tuple(button for feature in all_features for button in feature.buttons),
        forms=tuple(form for feature in all_features for form in feature.forms),
        board=tuple(part for feature in all_features for part in feature.board),
        help=tuple(feature.help for feature in all_features if feature.help is not None),
        typed=tuple(feature.typed for feature in all_features if feature.typed is not None),
        checks=tuple(feature.check for feature in all_features if feature.check is not None),
        measures=tuple(
            feature.measures for feature in all_features if feature.measures is not None
        ),
        tools=tuple(tool for feature in all_features for tool in feature.tools),
    )


def _setup_of(settings: Iterable[PlaceSetting]) -> app_commands.Group:
    """Return /setup with all its subcommands, ordered by rank."""
    setup = app_commands.Group(
        name="setup",
        description="For moderators: where games are played, how many, and how",
        default_permissions=discord.Permissions(manage_channels=True),
    )
    in_servers(setup)
    for setting in sorted(settings, key=lambda item: item.rank):
        setup.add_command(setting.command)
    return setup


def _in_order(ranks: Iterable[Ranks[T]]) -> tuple[T, ...]:
    ranked = [(rank, item) for ranked in ranks for rank, items in ranked.items() for item in items]
    return tuple(item for _, item in sorted(ranked, key=lambda pair: pair[0]))
