"""/setup tournaments."""

import discord
from discord import app_commands

from bot.base.ids import GuildId
from bot.base.languages import Reader
from bot.connection.roles import can_give
from bot.people.handlers.setup import show_settings
from bot.people.handlers.setup_options import moderated_server
from bot.play.handlers.interactions import Interaction, PlaceSetting, answering
from bot.play.model.terms import GuildRules
from bot.play.use_cases.use_cases import UseCases
from club.tournaments.model.rules import ORGANIZERS, WINNERS
from club.tournaments.refusals import CannotGiveRole
from club.tournaments.words.answers import organisers


@app_commands.command(description="Set who may make tournaments, and a role for their winners")
@app_commands.describe(
    role="Who else may make them, such as @everyone; empty: nobody",
    winners="The role that winners get; empty: none",
)
async def tournaments(
    interaction: Interaction,
    role: discord.Role | None = None,
    winners: discord.Role | None = None,
) -> None:
    async with answering(interaction) as answer:
        servers, guild = moderated_server(interaction)
        if winners is not None and not can_give(winners):
            raise CannotGiveRole(winners.id)
        await servers.choose_for(guild, WINNERS, None if winners is None else winners.id)
        rules = await servers.choose_for(guild, ORGANIZERS, None if role is None else role.id)
        await show_settings(answer, rules)


async def _organizers(
    _cases: UseCases, reader: Reader, _guild: GuildId, rules: GuildRules
) -> str | None:
    return organisers(reader, rules.choice(ORGANIZERS), rules.choice(WINNERS))


PLACE_SETTINGS = (PlaceSetting(command=tournaments, rank=1, line=_organizers),)
