"""/setup season and /setup tournaments."""

from typing import Literal

import discord
from discord import app_commands

from bot.base.ids import GuildId
from bot.base.languages import Reader
from bot.features.tournaments.model.rules import ORGANISERS
from bot.features.tournaments.store.seasons import SeasonTable
from bot.features.tournaments.use_cases.seasons import Seasons
from bot.features.tournaments.words.seasons import organisers, season_chosen
from bot.play.doors.interactions import Interaction, PlaceSetting, answering, venue
from bot.play.doors.option_choices import LEVEL_OR_NONE_CHOICES, zones
from bot.play.doors.setup_command import show_settings
from bot.play.doors.setup_options import ThreadedOption, check_named, moderated
from bot.play.model.conduct import check_place
from bot.play.model.refused_starts import MissingPermissions
from bot.play.model.terms import GuildRules, Place
from bot.play.use_cases.use_cases import UseCases


@app_commands.command(description="Set who may make tournaments, besides moderators")
@app_commands.describe(role="Who else may, such as @everyone; empty: nobody")
async def tournaments(interaction: Interaction, role: discord.Role | None = None) -> None:
    async with answering(interaction) as answer:
        servers, guild = moderated(interaction)
        rules = await servers.choose_for(guild, ORGANISERS, None if role is None else role.id)
        await show_settings(answer, rules)


@app_commands.command(
    description="Have a ladder and a play-off each month; without options, show them"
)
@app_commands.describe(
    run="off: no more seasons; the running one is played to its end",
    where="The channel; empty: this one",
    name="Time zone, such as Europe/Rome. Months begin at its midnight",
    level="With an odd number in the play-off, I play too, this strong",
)
@app_commands.rename(where="channel", name="zone")
@app_commands.choices(level=LEVEL_OR_NONE_CHOICES)
async def season(
    interaction: Interaction,
    run: Literal["on", "off"] | None = None,
    where: ThreadedOption | None = None,
    name: str | None = None,
    level: int | None = None,
) -> None:
    async with answering(interaction) as answer:
        _, guild = moderated(interaction)
        services, table = answer.services, answer.services.store.of(SeasonTable)
        if run == "off":
            await table.stop(guild)
        elif run or where or name or level is not None:
            here = venue(interaction)
            known = await table.setting(guild)
            named = None if where is None else where.checked()
            if named is not None and (
                missing := services.publisher.channels.missing_threads(named)
            ):
                raise MissingPermissions(missing)
            if named is None and known is None:
                check_named(interaction.permissions, here.home)
                check_place(GuildRules(), here, Place.THREAD)
            await services.of(Seasons).choose(guild, named, name, level, here=here.home)
        await answer.privately(season_chosen(answer.reader, await table.setting(guild)))


season.autocomplete("name")(zones)


async def _seasons(
    cases: UseCases, reader: Reader, guild: GuildId, _rules: GuildRules
) -> str | None:
    return season_chosen(reader, await cases.store.of(SeasonTable).setting(guild)).content


async def _organisers(
    _cases: UseCases, reader: Reader, _guild: GuildId, rules: GuildRules
) -> str | None:
    return organisers(reader, rules.of(ORGANISERS))


PLACE_SETTINGS = (
    PlaceSetting(command=season, rank=3, line=_seasons),
    PlaceSetting(command=tournaments, rank=1, line=_organisers),
)
