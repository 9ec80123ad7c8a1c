"""/setup reviews."""

from typing import Literal

from discord import app_commands

from bot.base.ids import GuildId
from bot.base.locales import Reader
from bot.features.reviews.words.settings import no_review
from bot.play.doors.interactions import Interaction, PlaceSetting, answering
from bot.play.doors.setup_command import show_settings
from bot.play.doors.setup_options import moderated
from bot.play.model.terms import GuildRules
from bot.play.use_cases.cases import UseCases


@app_commands.command(description="Set whether I review games when they are over")
@app_commands.describe(games="off: the last board tells of no review")
async def reviews(interaction: Interaction, games: Literal["on", "off"]) -> None:
    async with answering(interaction) as answer:
        servers, guild = moderated(interaction)
        rules = await servers.choose(guild, reviews=games == "on")
        await show_settings(answer, rules)


async def _line(_cases: UseCases, reader: Reader, _guild: GuildId, rules: GuildRules) -> str | None:
    return None if rules.reviews else no_review(reader)


PLACE_SETTINGS = (PlaceSetting(command=reviews, rank=1, line=_line),)
