"""The parts that all commands share."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from discord import app_commands

from bot.base.ids import NO_GUILD, ChannelId, GuildId
from bot.base.locales import Reader
from bot.base.zones import zones_like
from bot.connection.posts import Option
from bot.play.doors.services import Interaction
from bot.play.words.help import Surroundings

AnyCommand = app_commands.Command[Any, Any, Any] | app_commands.Group
TextChoices = list[app_commands.Choice[str]]

Line = Callable[[Reader, Surroundings], str | None]
"""The line of a command in /help where it is asked for; None where the command is no use."""

_LINE = "line in help"

_AnyOne = TypeVar("_AnyOne", bound=AnyCommand)
_Offered = TypeVar("_Offered")

AUTOCOMPLETE_LIMIT = 25
"""Number of choices that Discord shows for an option."""

_by_anyone = app_commands.allowed_installs(guilds=True, users=True)
_everywhere = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
_among_people = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=True)
_in_servers = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
_by_server = app_commands.allowed_installs(guilds=True, users=False)


def anywhere(command: _Offered) -> _Offered:
    """Offer a command everywhere: in servers, all direct messages and groups."""
    return _by_anyone(_everywhere(command))


def among_people(command: _Offered) -> _Offered:
    """Offer a command everywhere but where somebody is alone with the bot."""
    return _by_anyone(_among_people(command))


def in_servers(command: _Offered) -> _Offered:
    """Offer a command only in servers that have let the bot in."""
    return _by_server(_in_servers(command))


def in_help(line: Line) -> Callable[[_AnyOne], _AnyOne]:
    """Give a command a line on the first page of /help; they stand in the registry's order."""

    def give(command: _AnyOne) -> _AnyOne:
        command.extras[_LINE] = line
        return command

    return give


def lines_of_help(
    commands: Iterable[AnyCommand], reader: Reader, around: Surroundings
) -> list[str]:
    """Return the lines of /help on those commands that have one for this place."""
    found = (one.extras[_LINE](reader, around) for one in commands if _LINE in one.extras)
    return [line for line in found if line is not None]


def channel_of(interaction: Interaction) -> ChannelId:
    """Return the channel or thread of a command."""
    return ChannelId(interaction.channel_id or 0)


def guild_of(interaction: Interaction) -> GuildId:
    """Return the server of a command; for direct messages `NO_GUILD`."""
    return GuildId(interaction.guild_id or NO_GUILD)


def choices(options: Iterable[Option]) -> TextChoices:
    """Return options as Discord wants them, the first of too many."""
    return [
        app_commands.Choice(name=option.label, value=option.value)
        for option in list(options)[:AUTOCOMPLETE_LIMIT]
    ]


def zone_choices(typed: str) -> TextChoices:
    """Return time zones whose names are like the typed text."""
    return [
        app_commands.Choice(name=name, value=name) for name in zones_like(typed, AUTOCOMPLETE_LIMIT)
    ]
