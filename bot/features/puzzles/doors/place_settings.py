"""/setup puzzle."""

from typing import Literal

from discord import app_commands

from bot.base.ids import GuildId
from bot.base.locales import Reader
from bot.features.puzzles.use_cases.dailies import Dailies
from bot.features.puzzles.words.dailies import daily_chosen
from bot.play.doors.interactions import (
    Interaction,
    PlaceSetting,
    TextChoices,
    answering,
    zone_choices,
)
from bot.play.doors.setup_options import RoomOption, moderated
from bot.play.model.refused_starts import MissingPermissions
from bot.play.model.terms import GuildRules
from bot.play.use_cases.cases import UseCases


@app_commands.command(description="Post a puzzle of the day; without options, show what is chosen")
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
    where: RoomOption | None = None,
    time: str | None = None,
    name: str | None = None,
) -> None:
    async with answering(interaction) as answer:
        _, guild = moderated(interaction)
        services = interaction.client.services
        if post == "off":
            await services.of(Dailies).stop(guild)
        elif post or where or time or name:
            named = None if where is None else where.checked()
            if named is not None and (missing := services.publisher.channels.missing(named)):
                raise MissingPermissions(missing)
            await services.of(Dailies).choose(guild, named, time, name)
        setting = await services.of(Dailies).setting(guild)
        shown = daily_chosen(answer.reader, setting, tells_how=post != "off")
        await answer.privately(shown)


@puzzle.autocomplete("name")
async def _zones(_interaction: Interaction, typed: str) -> TextChoices:
    return zone_choices(typed)


async def _line(cases: UseCases, reader: Reader, guild: GuildId, _rules: GuildRules) -> str | None:
    return daily_chosen(reader, await cases.of(Dailies).setting(guild)).content


PLACE_SETTINGS = (PlaceSetting(command=puzzle, rank=3, line=_line),)
