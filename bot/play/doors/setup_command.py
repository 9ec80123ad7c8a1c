"""/setup: what moderators choose for their server."""

from dataclasses import dataclass
from typing import Any, Literal

import discord
from discord import app_commands

from bot.base.ids import ChannelId, GuildId, SourceId, UserId
from bot.features.puzzles.use_cases.dailies import Dailies
from bot.features.puzzles.words.dailies import daily_chosen
from bot.features.tournaments.use_cases.seasons import Seasons
from bot.features.tournaments.words.seasons import season_chosen
from bot.play.doors.answers import Answer, answering
from bot.play.doors.commands import (
    TextChoices,
    channel_of,
    choices,
    guild_of,
    in_servers,
    zone_choices,
)
from bot.play.doors.levels import LEVEL_OR_NONE_CHOICES
from bot.play.doors.place_settings_buttons import show_style
from bot.play.doors.rights import check_named, check_setup
from bot.play.doors.services import Interaction
from bot.play.doors.venues import venue
from bot.play.model.conduct import check_place
from bot.play.model.refusals.starting import MissingPermissions
from bot.play.model.terms import MOST_GAMES_PER_PERSON, GuildRules, Place, PlacementBoards, Start
from bot.play.model.time_control import LONGEST_TEXT
from bot.play.use_cases.servers import Servers
from bot.play.words.asides import played
from bot.play.words.clocks import clock_choices
from bot.play.words.settings import settings
from dvonn import Coordinates


@dataclass(frozen=True, slots=True)
class _Named:
    """A channel that somebody has named."""

    number: ChannelId
    granted: discord.Permissions
    """What they may do there."""

    def checked(self) -> ChannelId:
        """Its number.

        Raises:
            NotAllowed: if they may have nothing posted there.
        """
        check_named(self.granted, self.number)
        return self.number


class _Channel(app_commands.Transformer):
    """A channel in which people, or its threads, can talk."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """What is asked for."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """What is offered."""
        kinds = discord.ChannelType
        return [kinds.text, kinds.news, kinds.voice, kinds.stage_voice, kinds.forum]

    async def transform(self, _interaction: discord.Interaction[Any], value: Any, /) -> _Named:
        """Take what was chosen."""
        return _Named(ChannelId(value.id), value.permissions)


class _Room(_Channel):
    """A channel in which messages stand; in a forum there are only threads."""

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """What is offered."""
        return [kind for kind in super().channel_types if kind is not discord.ChannelType.forum]


class _Threaded(_Channel):
    """A channel in which threads can be opened."""

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """What is offered."""
        return [discord.ChannelType.text, discord.ChannelType.news]


_ThreadedOption = app_commands.Transform[_Named, _Threaded]
_RoomOption = app_commands.Transform[_Named, _Room]
_ChannelOption = app_commands.Transform[_Named, _Channel]

setup = app_commands.Group(
    name="setup",
    description="For moderators: where games are played, how many, and how",
    default_permissions=discord.Permissions(manage_channels=True),
)
in_servers(setup)


@setup.command(description="Show this server's settings")
async def show(interaction: Interaction) -> None:
    """Show the settings."""
    async with answering(interaction) as answer:
        servers, guild = _moderated(interaction)
        await _show(answer, await servers.rules(guild))


@setup.command(description="Choose this channel's and server's language, theme and coordinates")
async def style(interaction: Interaction) -> None:
    """Show the form."""
    async with answering(interaction) as answer:
        check_setup(interaction)
        await show_style(answer)


@setup.command(description="Allow games only in listed channels; this adds one")
@app_commands.describe(channel="The channel, with its threads")
async def allow(interaction: Interaction, channel: _ChannelOption) -> None:
    """Put a channel on the list."""
    async with answering(interaction) as answer:
        servers, guild = _moderated(interaction)
        rules = await servers.allow(guild, channel.checked())
        await _show(answer, rules)


@setup.command(description="Take a channel off the list of allowed ones")
@app_commands.describe(channel="The channel, with its threads")
async def forbid(interaction: Interaction, channel: _ChannelOption) -> None:
    """Take a channel off the list."""
    async with answering(interaction) as answer:
        servers, guild = _moderated(interaction)
        rules = await servers.forbid(guild, channel.number)
        await _show(answer, rules, forbidden=channel.number)


@setup.command(description="Allow games in every channel again")
async def anywhere(interaction: Interaction) -> None:
    """Empty the list; channels that are no more cannot be named one by one."""
    async with answering(interaction) as answer:
        servers, guild = _moderated(interaction)
        rules = await servers.allow_everywhere(guild)
        await _show(answer, rules)


@setup.command(description="Set how many games one person may play at once")
@app_commands.describe(games="How many, in this server")
async def limit(
    interaction: Interaction, games: app_commands.Range[int, 1, MOST_GAMES_PER_PERSON]
) -> None:
    """Set the number of games a person."""
    async with answering(interaction) as answer:
        servers, guild = _moderated(interaction)
        rules = await servers.limit(guild, games)
        await _show(answer, rules)


@setup.command(description="Set how placement boards are posted")
@app_commands.describe(
    placement="new: each turn posts a board. edit: the last one is edited while nobody wrote since"
)
async def boards(interaction: Interaction, placement: Literal["new", "edit"]) -> None:
    """Set how boards of the placement are posted."""
    async with answering(interaction) as answer:
        servers, guild = _moderated(interaction)
        rules = await servers.place_on(guild, PlacementBoards(placement))
        await _show(answer, rules)


@setup.command(description="Set whether I review games when they are over")
@app_commands.describe(games="off: the last board tells of no review")
async def reviews(interaction: Interaction, games: Literal["on", "off"]) -> None:
    """Have games reviewed unasked, or not."""
    async with answering(interaction) as answer:
        servers, guild = _moderated(interaction)
        rules = await servers.review(guild, on=games == "on")
        await _show(answer, rules)


@setup.command(description="Set who may make tournaments, besides moderators")
@app_commands.describe(role="Who else may, such as @everyone; empty: nobody")
async def tournaments(interaction: Interaction, role: discord.Role | None = None) -> None:
    """Let the people of a role make tournaments."""
    async with answering(interaction) as answer:
        servers, guild = _moderated(interaction)
        rules = await servers.let_organise(guild, None if role is None else role.id)
        await _show(answer, rules)


@setup.command(description="Set how games start here unless players choose otherwise")
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
        servers, guild = _moderated(interaction)
        rules = await servers.play_by_default(
            guild,
            start=None if start is None else Start(start),
            clock=clock,
            weekends=weekends,
            coordinates=None if coordinates is None else Coordinates(coordinates),
            place=None if where is None else Place(where),
            rated=rated,
        )
        await _show(answer, rules)


@defaults.autocomplete("clock")
async def _clocks(interaction: Interaction, typed: str) -> TextChoices:
    reader = await interaction.client.desk.readers.asker(interaction)
    return choices(clock_choices(reader, typed))


@defaults.autocomplete("weekends")
async def _zones(_interaction: Interaction, typed: str) -> TextChoices:
    return zone_choices(typed)


@setup.command(description="Post a puzzle of the day; without options, show what is chosen")
@app_commands.describe(
    post="off: no more puzzles of the day",
    where="The channel",
    time="Such as 9:00 or 6 pm, by this server's clocks",
    name="Type your city or region, as in Europe/Rome",
)
@app_commands.rename(where="channel", name="zone")
async def puzzle(
    interaction: Interaction,
    post: Literal["on", "off"] | None = None,
    where: _RoomOption | None = None,
    time: str | None = None,
    name: str | None = None,
) -> None:
    """Choose where and when a puzzle is posted each day."""
    async with answering(interaction) as answer:
        _, guild = _moderated(interaction)
        desk = interaction.client.desk
        if post == "off":
            await desk.of(Dailies).stop(guild)
        elif post or where or time or name:
            named = None if where is None else where.checked()
            if named is not None and (missing := desk.publisher.channels.missing(named)):
                raise MissingPermissions(missing)
            await desk.of(Dailies).choose(guild, named, time, name)
        setting = await desk.of(Dailies).setting(guild)
        shown = daily_chosen(answer.reader, setting, tells_how=post != "off")
        await answer.privately(shown)


@puzzle.autocomplete("name")
async def _zones_of_puzzles(_interaction: Interaction, typed: str) -> TextChoices:
    return zone_choices(typed)


@setup.command(description="Have a ladder and a play-off each month; without options, show them")
@app_commands.describe(
    run="off: no further seasons; what runs goes on to its end",
    where="The channel; empty: this one",
    name="At whose midnight months begin: your city or region, as in Europe/Rome",
    level="With an odd number in the play-off, I play too, this strong",
)
@app_commands.rename(where="channel", name="zone")
@app_commands.choices(level=LEVEL_OR_NONE_CHOICES)
async def season(
    interaction: Interaction,
    run: Literal["on", "off"] | None = None,
    where: _ThreadedOption | None = None,
    name: str | None = None,
    level: int | None = None,
) -> None:
    """Let seasons run by themselves."""
    async with answering(interaction) as answer:
        _, guild = _moderated(interaction)
        desk = interaction.client.desk
        if run == "off":
            await desk.of(Seasons).stop(guild)
        elif run or where or name or level is not None:
            here = venue(interaction)
            known = await desk.of(Seasons).setting(guild)
            named = None if where is None else where.checked()
            if named is not None and (missing := desk.publisher.channels.missing_threads(named)):
                raise MissingPermissions(missing)
            if named is None and known is None:
                check_named(interaction.permissions, here.home)
                check_place(GuildRules(), here, Place.THREAD)
            await desk.of(Seasons).choose(guild, named, name, level, here=here.home)
        setting = await desk.of(Seasons).setting(guild)
        await answer.privately(season_chosen(answer.reader, setting))


@season.autocomplete("name")
async def _zones_of_seasons(_interaction: Interaction, typed: str) -> TextChoices:
    return zone_choices(typed)


@setup.command(description="End this channel's game without a result")
async def abort(interaction: Interaction) -> None:
    """End a game of others."""
    async with answering(interaction) as answer:
        check_setup(interaction)
        update = await interaction.client.desk.leaving.abort_here(
            channel_of(interaction), UserId(interaction.user.id), source=SourceId(interaction.id)
        )
        await answer.publish(update, answer.privately(played(answer.reader, update)))


async def _show(answer: Answer, rules: GuildRules, *, forbidden: ChannelId | None = None) -> None:
    """Tell all that is chosen, perhaps after a channel was taken off the list."""
    desk, guild = answer.interaction.client.desk, guild_of(answer.interaction)
    daily, season = await desk.of(Dailies).setting(guild), await desk.of(Seasons).setting(guild)
    post = settings(answer.reader, rules, daily, season, forbidden=forbidden)
    await answer.privately(post)


def _moderated(interaction: Interaction) -> tuple[Servers, GuildId]:
    """What can be chosen and the server of somebody who may change them.

    Raises:
        NotAllowed, RolesUnknown: as `check_setup`.
    """
    check_setup(interaction)
    return interaction.client.desk.servers, guild_of(interaction)
