"""/setup: what moderators choose for their server."""

from typing import Any, Literal

import discord
from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.commands.common import by_server, check_moderator, guild_of, in_servers
from bot.edge.desk import Interaction
from bot.model.ids import ChannelId, GuildId
from bot.model.terms import MOST_GAMES_PER_PERSON, PlacementBoards
from bot.store.guilds import Guilds


class _Channel(app_commands.Transformer):
    """The number of a channel in which people, or its threads, can talk."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """What is asked for."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """What is offered."""
        kinds = discord.ChannelType
        return [kinds.text, kinds.news, kinds.voice, kinds.stage_voice, kinds.forum]

    async def transform(self, _interaction: discord.Interaction[Any], value: Any, /) -> ChannelId:
        """Take the number of what was chosen."""
        return ChannelId(value.id)


_ChannelOption = app_commands.Transform[ChannelId, _Channel]

setup = app_commands.Group(
    name="setup",
    description="For moderators: where games may be started, how many, how boards are posted",
    default_permissions=discord.Permissions(manage_channels=True),
)
in_servers(setup)
by_server(setup)


@setup.command(description="Show what is chosen for this server")
async def show(interaction: Interaction) -> None:
    """Show the settings."""
    async with answering(interaction) as answer:
        guilds, guild = _moderated(interaction)
        await answer.privately(messages.settings(answer.reader, await guilds.rules(guild)))


@setup.command(description="Let games be started in a channel, and then only in those allowed")
@app_commands.describe(channel="The channel. Its threads count with it")
async def allow(interaction: Interaction, channel: _ChannelOption) -> None:
    """Put a channel on the list."""
    async with answering(interaction) as answer:
        guilds, guild = _moderated(interaction)
        await guilds.allow_channel(guild, channel)
        await answer.privately(messages.settings(answer.reader, await guilds.rules(guild)))


@setup.command(description="Take a channel off the list of channels where games may be started")
@app_commands.describe(channel="The channel. Its threads count with it")
async def forbid(interaction: Interaction, channel: _ChannelOption) -> None:
    """Take a channel off the list."""
    async with answering(interaction) as answer:
        guilds, guild = _moderated(interaction)
        await guilds.forbid_channel(guild, channel)
        await answer.privately(
            messages.forbidden(answer.reader, await guilds.rules(guild), channel)
        )


@setup.command(description="Let games be started in any channel again")
async def anywhere(interaction: Interaction) -> None:
    """Empty the list; channels that are no more cannot be named one by one."""
    async with answering(interaction) as answer:
        guilds, guild = _moderated(interaction)
        await guilds.allow_every_channel(guild)
        await answer.privately(messages.settings(answer.reader, await guilds.rules(guild)))


@setup.command(description="Choose how many games one person may be playing at once")
@app_commands.describe(games="How many, in this server")
async def limit(
    interaction: Interaction, games: app_commands.Range[int, 1, MOST_GAMES_PER_PERSON]
) -> None:
    """Set the number of games a person."""
    async with answering(interaction) as answer:
        guilds, guild = _moderated(interaction)
        await guilds.set_games_per_person(guild, games)
        await answer.privately(messages.settings(answer.reader, await guilds.rules(guild)))


@setup.command(description="Choose what becomes of the last board while pieces are placed")
@app_commands.describe(
    placement="new: each turn posts a board. edit: the last one is edited while nobody wrote since"
)
async def boards(interaction: Interaction, placement: Literal["new", "edit"]) -> None:
    """Set how boards of the placement are posted."""
    async with answering(interaction) as answer:
        guilds, guild = _moderated(interaction)
        await guilds.set_placement_boards(guild, PlacementBoards(placement))
        await answer.privately(messages.settings(answer.reader, await guilds.rules(guild)))


def _moderated(interaction: Interaction) -> tuple[Guilds, GuildId]:
    """The settings and the server of somebody who may change them.

    Raises:
        NotAllowed: if this person may not.
    """
    check_moderator(interaction)
    return interaction.client.desk.store.guilds, guild_of(interaction)
