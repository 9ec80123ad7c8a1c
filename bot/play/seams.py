"""The seam between the game and the features: a feature says here what it adds."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from discord import app_commands

from bot.base.errors import PlayError
from bot.connection.delivery_kinds import Kind
from bot.connection.from_id import FromId
from bot.play.client_parts import ClientPart, Recurring, ShardContext
from bot.play.delivery.news import DeliveryContext
from bot.play.doors.commands import AnyCommand
from bot.play.doors.replies import Replies
from bot.play.doors.services import Interaction, Services
from bot.play.doors.typed import TypedHandler
from bot.play.own_switches import Switch
from bot.play.place_settings import PlaceSetting
from bot.play.process import Look, Opens, Tool
from bot.play.use_cases.cases import UseCases
from bot.play.words.buttons import BoardPart
from bot.play.words.game_page import GamePagePart
from bot.play.words.help import HelpPart
from bot.play.words.refusals import Words
from bot.play.words.replay import ReplayPart, SharedPart

T = TypeVar("T")

Ranks = Mapping[int, tuple[T, ...]]
"""Things by their rank among those of the game and of all features: the lowest comes first."""
ReadForm = Callable[[Interaction], Awaitable[None]]
"""Carries out what was typed into a form, if the form is its own."""


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A part beside the game that can be taken out: `bot.composition` joins all of them.

    What the game itself has in these places is `bot.play.feature.GAME`.
    """

    name: str
    """The name of its folder."""
    needs: tuple[str, ...] = ()
    """The names of the features that it is built on."""
    refusals: Mapping[type[PlayError], Words] = field(default_factory=dict)
    """Refusals, with their words."""
    deliveries: tuple[Callable[[DeliveryContext], Kind], ...] = ()
    """Make its kinds of deliveries."""
    recurring: Callable[[ShardContext], Iterable[Recurring]] = lambda _: ()
    """Recurring work for each shard."""
    client_parts: tuple[Callable[[Services], ClientPart], ...] = ()
    """Make what it runs beside a client, where there is a machine."""
    switches: tuple[Switch, ...] = ()
    """Switches that people can turn on and off for themselves."""
    place_settings: tuple[PlaceSetting, ...] = ()
    """Choices of moderators for their server."""
    opens: Opens | None = None
    """Makes what it has once in a process: the use cases of each client get it."""
    check: Look | None = None
    tools: tuple[Tool, ...] = ()
    makes: tuple[Callable[[UseCases], object], ...] = ()
    """Make its use cases, its hooks and a `Watching`, from the use cases that are there by then."""
    commands: Ranks[AnyCommand] = field(default_factory=dict)
    """Its slash commands, in the order in which people need them."""
    menus: Ranks[app_commands.ContextMenu] = field(default_factory=dict)
    """Menus on a message or a person."""
    buttons: tuple[type[FromId], ...] = ()
    """Buttons and lists."""
    forms: tuple[ReadForm, ...] = ()
    page: Ranks[GamePagePart] = field(default_factory=dict)
    """Its buttons on the page of a game."""
    replay: Ranks[ReplayPart] = field(default_factory=dict)
    """Its buttons below a ply that is looked at."""
    board: tuple[BoardPart, ...] = ()
    """Its buttons under boards."""
    shared: tuple[SharedPart, ...] = ()
    """Its buttons under what people share."""
    help: HelpPart | None = None
    typed: Callable[[Services, Replies], TypedHandler] | None = None
    """Makes what reads people's messages that are no moves in a game."""


@dataclass(frozen=True, kw_only=True)
class Joined:
    """The parts of the game and of all features together."""

    commands: tuple[AnyCommand, ...]
    menus: tuple[app_commands.ContextMenu, ...]
    buttons: tuple[type[FromId], ...]
    forms: tuple[ReadForm, ...]
    page: tuple[GamePagePart, ...]
    replay: tuple[ReplayPart, ...]
    board: tuple[BoardPart, ...]
    shared: tuple[SharedPart, ...]
    help: tuple[HelpPart, ...]
    typed: tuple[Callable[[Services, Replies], TypedHandler], ...]
    """Handlers that are asked in turn."""
    opens: tuple[Opens, ...]
    checks: tuple[Look, ...]
    tools: tuple[Tool, ...]


def join(features: Iterable[Feature]) -> Joined:
    """Join what features have; within a rank it stands in the order of the features."""
    given = tuple(features)
    return Joined(
        commands=_in_order(one.commands for one in given),
        menus=_in_order(one.menus for one in given),
        buttons=tuple(button for one in given for button in one.buttons),
        forms=tuple(read for one in given for read in one.forms),
        page=_in_order(one.page for one in given),
        replay=_in_order(one.replay for one in given),
        board=tuple(part for one in given for part in one.board),
        shared=tuple(part for one in given for part in one.shared),
        help=tuple(one.help for one in given if one.help is not None),
        typed=tuple(one.typed for one in given if one.typed is not None),
        opens=tuple(one.opens for one in given if one.opens is not None),
        checks=tuple(one.check for one in given if one.check is not None),
        tools=tuple(tool for one in given for tool in one.tools),
    )


def _in_order(given: Iterable[Ranks[T]]) -> tuple[T, ...]:
    ranked = [(rank, item) for one in given for rank, items in one.items() for item in items]
    return tuple(item for _, item in sorted(ranked, key=lambda pair: pair[0]))
