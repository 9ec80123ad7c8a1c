"""Handles /setup, moderators' settings for their server."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from discord import app_commands

from bot.base.ids import ChannelId, GuildId
from bot.base.languages import Reader, languages
from bot.people.handlers.moderation import log_action
from bot.people.handlers.own_settings import one_of
from bot.people.handlers.setup_options import (
    ChannelOption,
    Scope,
    check,
    check_setup,
    moderated_server,
)
from bot.people.model import ModeratorAction
from bot.people.use_cases.servers import ServerSettings
from bot.people.use_cases.stops import LONGEST_STOP, Stops
from bot.people.words.moderation import style_line
from bot.people.words.setup import place_style, settings
from bot.people.words.stops import running_again, stop_begun, stop_line
from bot.people.words.styles import AS_USUAL
from bot.play.handlers import interactions
from bot.play.handlers.option_choices import START_CHOICES, clocks, zones
from bot.play.model import terms
from bot.play.model.preferences import Style
from bot.play.model.refusals import StaleBoard
from bot.play.model.typed_clocks import LONGEST_TEXT
from bot.play.use_cases.use_cases import UseCases
from bot.play.words.notices import action_receipt
from dvonn import Coordinates
from renderer import THEMES

HERE: Final = "here"
SERVER: Final = "server"
_SCOPES: Final = {HERE: Scope.CHANNEL, SERVER: Scope.SERVER}
"""Scope of the permissions that each page of /setup style requires."""
_ID: Final = rf"dvonn:style:(?P<where>{HERE}|{SERVER})"


class StylePageButton(interactions.Component, template=rf"{_ID}:show"):
    """Button that switches between a channel's style settings and its server's."""

    async def respond(self, answer: interactions.Answer) -> None:
        check(answer.interaction, _SCOPES[self.match["where"]])
        await show_style(answer, self.match["where"])


class StyleSelect(
    interactions.Component, template=rf"{_ID}:(?P<action>language|theme|coordinates)"
):
    """Select of the style form. A choice takes effect immediately."""

    async def respond(self, answer: interactions.Answer) -> None:
        check(answer.interaction, _SCOPES[self.match["where"]])
        try:
            await self._choose(answer, self.chosen)
        except ValueError as error:  # someone has forged a choice
            raise StaleBoard from error
        action = ModeratorAction(
            by=answer.user, command="style", options=((self.action, self.chosen),)
        )
        await log_action(answer, action)
        answer.reader = await answer.services.readers.for_interaction(answer.interaction)
        await show_style(answer, self.match["where"])

    async def _choose(self, answer: interactions.Answer, value: str) -> None:
        services, guild = answer.services, interactions.guild_of(answer.interaction)
        home = interactions.venue(answer.interaction).home
        if self.match["where"] == HERE:
            style = _with_choice(
                await services.store.styles.of_channel(guild, home), self.action, value
            )
            await services.store.styles.choose_for_channel(guild, home, style)
            return
        style = _with_choice(await services.store.styles.of_server(guild), self.action, value)
        if self.action == "coordinates":
            default_coordinates = style.coordinates or terms.Defaults().coordinates
            await services.require(ServerSettings).set_defaults(
                guild, coordinates=default_coordinates
            )
        else:
            await services.store.styles.choose_for_server(guild, style)


async def show_style(answer: interactions.Answer, page: str = HERE) -> None:
    interaction = answer.interaction
    services, guild, home = (
        interaction.client.services,
        interactions.guild_of(interaction),
        interactions.venue(interaction).home,
    )
    server = await services.store.styles.of_server(guild)
    channel_style = await services.store.styles.of_channel(guild, home) if page == HERE else None
    await answer.view(place_style(answer.reader, home, server, channel_style))


def _with_choice(style: Style, setting: str, value: str) -> Style:
    """Return the style with one choice changed. Raise ValueError if the choice is invalid."""
    match setting:
        case "language":
            return replace(style, language=one_of(value, languages()))
        case "theme":
            return replace(style, theme=one_of(value, THEMES))
        case _:
            return replace(style, coordinates=None if value == AS_USUAL else Coordinates(value))


@app_commands.command(description="Show this server's settings")
async def show(interaction: interactions.Interaction) -> None:
    async with interactions.answering(interaction) as answer:
        _, guild = moderated_server(interaction)
        await _show(answer, await answer.services.store.guilds.rules(guild))


@app_commands.command(description="Choose the language, theme and coordinates here")
async def style(interaction: interactions.Interaction) -> None:
    async with interactions.answering(interaction) as answer:
        check_setup(interaction)
        await show_style(answer)


@app_commands.command(description="Allow games only in certain channels; this adds one")
@app_commands.describe(channel="The channel")
async def allow(interaction: interactions.Interaction, channel: ChannelOption) -> None:
    async with interactions.answering(interaction) as answer:
        servers, guild = moderated_server(interaction)
        rules = await servers.allow(guild, channel.checked_id())
        await show_settings(answer, rules)


@app_commands.command(description="Take a channel off the list of allowed ones")
@app_commands.describe(channel="The channel")
async def forbid(interaction: interactions.Interaction, channel: ChannelOption) -> None:
    async with interactions.answering(interaction) as answer:
        servers, guild = moderated_server(interaction)
        rules = await servers.forbid(guild, channel.number)
        await show_settings(answer, rules, forbidden=channel.number)


@app_commands.command(description="Allow games in every channel again")
async def anywhere(interaction: interactions.Interaction) -> None:
    """Empty the list of allowed channels. It may contain deleted ones, which nobody can name."""
    async with interactions.answering(interaction) as answer:
        servers, guild = moderated_server(interaction)
        rules = await servers.allow_everywhere(guild)
        await show_settings(answer, rules)


@app_commands.command(description="Set how many games one person may play at once")
@app_commands.describe(games="How many, in this server")
async def limit(
    interaction: interactions.Interaction,
    games: app_commands.Range[int, 1, terms.MOST_GAMES_PER_PERSON],
) -> None:
    async with interactions.answering(interaction) as answer:
        servers, guild = moderated_server(interaction)
        rules = await servers.choose(guild, games_per_person=games)
        await show_settings(answer, rules)


@app_commands.command(description="Set how placement boards are posted")
@app_commands.describe(
    placement="new: a board each turn. edit: one board, edited until someone writes"
)
async def boards(interaction: interactions.Interaction, placement: Literal["new", "edit"]) -> None:
    async with interactions.answering(interaction) as answer:
        servers, guild = moderated_server(interaction)
        rules = await servers.choose(guild, placement_boards=terms.PlacementBoards(placement))
        await show_settings(answer, rules)


@app_commands.command(description="Set how games usually start here")
@app_commands.describe(
    start="The board they begin on",
    clock="For challenges, such as 1 day per move, or none",
    weekends="Pause that clock at weekends, in this time zone",
    coordinates="Names of spaces: standard a1 to k5, or pergioco e1 to a11",
    where="In the channel, or in threads",
    rated="Are games between people rated?",
)
@app_commands.choices(start=START_CHOICES)
async def defaults(
    interaction: interactions.Interaction,
    start: str | None = None,
    clock: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    weekends: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    coordinates: Literal["standard", "pergioco"] | None = None,
    where: Literal["here", "thread"] | None = None,
    rated: bool | None = None,
) -> None:
    async with interactions.answering(interaction) as answer:
        servers, guild = moderated_server(interaction)
        rules = await servers.set_defaults(
            guild,
            start=None if start is None else terms.Start(start),
            clock=clock,
            weekends=weekends,
            coordinates=None if coordinates is None else Coordinates(coordinates),
            place=None if where is None else terms.Place(where),
            rated=rated,
        )
        await show_settings(answer, rules)


defaults.autocomplete("clock")(clocks)
defaults.autocomplete("weekends")(zones)


@app_commands.command(description="End this channel's game without a result")
async def abort(interaction: interactions.Interaction) -> None:
    async with interactions.answering(interaction) as answer:
        check_setup(interaction)
        update = await answer.services.leaving.abort_here(
            interactions.channel_of(interaction), answer.user, source=answer.source
        )
        await log_action(answer)
        await answer.publish(update, answer.send_private(action_receipt(answer.reader, update)))


@app_commands.command(description="Stop all clocks in this server for some days")
@app_commands.describe(days="For how many days")
async def pause(
    interaction: interactions.Interaction,
    days: app_commands.Range[int, 1, LONGEST_STOP.days],
) -> None:
    async with interactions.answering(interaction) as answer:
        _, guild = moderated_server(interaction)
        stop = await answer.services.require(Stops).begin(guild, days)
        await log_action(answer)
        await answer.send_public(stop_begun(await answer.public_reader(), stop.ends))


@app_commands.command(description="Let the clocks in this server run again")
async def resume(interaction: interactions.Interaction) -> None:
    async with interactions.answering(interaction) as answer:
        _, guild = moderated_server(interaction)
        await answer.services.require(Stops).end(guild)
        await log_action(answer)
        await answer.send_public(running_again(await answer.public_reader()))


async def show_settings(
    answer: interactions.Answer, rules: terms.GuildRules, *, forbidden: ChannelId | None = None
) -> None:
    """Show a server's settings after a moderator has changed one, and log the change."""
    await log_action(answer)
    await _show(answer, rules, forbidden=forbidden)


async def _show(
    answer: interactions.Answer, rules: terms.GuildRules, *, forbidden: ChannelId | None = None
) -> None:
    services, guild = answer.services, interactions.guild_of(answer.interaction)
    lines = [
        (line, setting.command.name)
        for setting in services.place_settings
        if (line := await setting.line(services, answer.reader, guild, rules)) is not None
    ]
    post = settings(answer.reader, rules, lines, forbidden=forbidden)
    await answer.send_private(post)


async def _style_line(
    cases: UseCases, reader: Reader, guild: GuildId, _rules: terms.GuildRules
) -> str:
    styles = cases.store.styles
    return style_line(reader, await styles.of_server(guild), await styles.of_channels(guild))


async def _stop_line(
    cases: UseCases, reader: Reader, guild: GuildId, _rules: terms.GuildRules
) -> str | None:
    stop = await cases.require(Stops).running(guild)
    return None if stop is None else stop_line(reader, stop.ends)


_COMMANDS_BY_RANK: Final[Mapping[int, tuple[app_commands.Command[Any, ..., Any], ...]]] = {
    0: (show, style, allow, forbid, anywhere, limit, boards),
    2: (defaults,),
    4: (abort, pause, resume),
}
_LINES: Final[Mapping[object, Callable[..., Awaitable[str | None]]]] = {
    style: _style_line,
    resume: _stop_line,
}
PLACE_SETTINGS: Final = tuple(
    interactions.PlaceSetting(
        command=command, rank=rank, line=_LINES.get(command, interactions.no_line)
    )
    for rank, commands in _COMMANDS_BY_RANK.items()
    for command in commands
)
"""The subcommands that always exist. `settings` describes their effects."""
