"""/setup: what moderators choose for their server."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

import discord
from discord import app_commands

from bot.base.ids import ChannelId, SourceId, UserId
from bot.play.doors.answers import Answer, answering
from bot.play.doors.commands import (
    TextChoices,
    channel_of,
    choices,
    guild_of,
    in_servers,
    zone_choices,
)
from bot.play.doors.place_settings_buttons import show_style
from bot.play.doors.rights import check_setup
from bot.play.doors.services import Interaction
from bot.play.doors.setup_options import ChannelOption, moderated
from bot.play.model.terms import MOST_GAMES_PER_PERSON, GuildRules, Place, PlacementBoards, Start
from bot.play.model.time_control import LONGEST_TEXT
from bot.play.place_settings import PlaceSetting
from bot.play.words.asides import played
from bot.play.words.clocks import clock_choices
from bot.play.words.settings import settings
from dvonn import Coordinates

setup = app_commands.Group(
    name="setup",
    description="For moderators: where games are played, how many, and how",
    default_permissions=discord.Permissions(manage_channels=True),
)
in_servers(setup)


@app_commands.command(description="Show this server's settings")
async def show(interaction: Interaction) -> None:
    """Show the settings."""
    async with answering(interaction) as answer:
        servers, guild = moderated(interaction)
        await show_settings(answer, await servers.rules(guild))


@app_commands.command(
    description="Choose this channel's and server's language, theme and coordinates"
)
async def style(interaction: Interaction) -> None:
    """Show the form."""
    async with answering(interaction) as answer:
        check_setup(interaction)
        await show_style(answer)


@app_commands.command(description="Allow games only in listed channels; this adds one")
@app_commands.describe(channel="The channel, with its threads")
async def allow(interaction: Interaction, channel: ChannelOption) -> None:
    """Put a channel on the list."""
    async with answering(interaction) as answer:
        servers, guild = moderated(interaction)
        rules = await servers.allow(guild, channel.checked())
        await show_settings(answer, rules)


@app_commands.command(description="Take a channel off the list of allowed ones")
@app_commands.describe(channel="The channel, with its threads")
async def forbid(interaction: Interaction, channel: ChannelOption) -> None:
    """Take a channel off the list."""
    async with answering(interaction) as answer:
        servers, guild = moderated(interaction)
        rules = await servers.forbid(guild, channel.number)
        await show_settings(answer, rules, forbidden=channel.number)


@app_commands.command(description="Allow games in every channel again")
async def anywhere(interaction: Interaction) -> None:
    """Empty the list; channels that are no more cannot be named one by one."""
    async with answering(interaction) as answer:
        servers, guild = moderated(interaction)
        rules = await servers.allow_everywhere(guild)
        await show_settings(answer, rules)


@app_commands.command(description="Set how many games one person may play at once")
@app_commands.describe(games="How many, in this server")
async def limit(
    interaction: Interaction, games: app_commands.Range[int, 1, MOST_GAMES_PER_PERSON]
) -> None:
    """Set the number of games a person."""
    async with answering(interaction) as answer:
        servers, guild = moderated(interaction)
        rules = await servers.limit(guild, games)
        await show_settings(answer, rules)


@app_commands.command(description="Set how placement boards are posted")
@app_commands.describe(
    placement="new: each turn posts a board. edit: the last one is edited while nobody wrote since"
)
async def boards(interaction: Interaction, placement: Literal["new", "edit"]) -> None:
    """Set how boards of the placement are posted."""
    async with answering(interaction) as answer:
        servers, guild = moderated(interaction)
        rules = await servers.place_on(guild, PlacementBoards(placement))
        await show_settings(answer, rules)


@app_commands.command(description="Set how games start here unless players choose otherwise")
@app_commands.describe(
    start="The board: ready-made (balanced, symmetric, pie) or empty (placement)",
    clock="For challenges, such as 1 day per move, or none",
    weekends="Pause that clock at weekends, in this time zone",
    coordinates="Names of spaces: standard a1 to k5, or pergioco e1 to a11",
    where="In the channel, or in threads",
    rated="Whether games between people count for ratings",
)
async def defaults(
    interaction: Interaction,
    start: Literal["balanced", "symmetric", "pie", "placement"] | None = None,
    clock: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    weekends: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    coordinates: Literal["standard", "pergioco"] | None = None,
    where: Literal["here", "thread"] | None = None,
    rated: bool | None = None,
) -> None:
    """Set the server's defaults."""
    async with answering(interaction) as answer:
        servers, guild = moderated(interaction)
        rules = await servers.play_by_default(
            guild,
            start=None if start is None else Start(start),
            clock=clock,
            weekends=weekends,
            coordinates=None if coordinates is None else Coordinates(coordinates),
            place=None if where is None else Place(where),
            rated=rated,
        )
        await show_settings(answer, rules)


@defaults.autocomplete("clock")
async def _clocks(interaction: Interaction, typed: str) -> TextChoices:
    reader = await interaction.client.services.readers.asker(interaction)
    return choices(clock_choices(reader, typed))


@defaults.autocomplete("weekends")
async def _zones(_interaction: Interaction, typed: str) -> TextChoices:
    return zone_choices(typed)


@app_commands.command(description="End this channel's game without a result")
async def abort(interaction: Interaction) -> None:
    """End a game of others."""
    async with answering(interaction) as answer:
        check_setup(interaction)
        update = await interaction.client.services.leaving.abort_here(
            channel_of(interaction), UserId(interaction.user.id), source=SourceId(interaction.id)
        )
        await answer.publish(update, answer.privately(played(answer.reader, update)))


async def show_settings(
    answer: Answer, rules: GuildRules, *, forbidden: ChannelId | None = None
) -> None:
    """Tell all that is chosen, perhaps after a channel was taken off the list."""
    services, guild = answer.interaction.client.services, guild_of(answer.interaction)
    lines = [
        (line, setting.command.name)
        for setting in services.place_settings
        if (line := await setting.line(services, answer.reader, guild, rules)) is not None
    ]
    post = settings(answer.reader, rules, lines, forbidden=forbidden)
    await answer.privately(post)


_OWN: Final[Mapping[int, tuple[app_commands.Command[Any, ..., Any], ...]]] = {
    0: (show, style, allow, forbid, anywhere, limit, boards),
    2: (defaults,),
    4: (abort,),
}


def fill_setup(settings: Iterable[PlaceSetting]) -> None:
    """Put all subcommands into /setup, by their ranks: the game's own, then those of features."""
    ranked = [(rank, command) for rank, commands in _OWN.items() for command in commands]
    ranked += [(setting.rank, setting.command) for setting in settings]
    for command in setup.commands:
        setup.remove_command(command.name)
    for _, command in sorted(ranked, key=lambda pair: pair[0]):
        setup.add_command(command)
