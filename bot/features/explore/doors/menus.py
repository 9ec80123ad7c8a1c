"""The entries under Apps when people press long on a board's message."""

import discord
from discord import app_commands

from bot.features.explore.doors.looking import show_explore
from bot.play.doors.answers import answering
from bot.play.doors.commands import anywhere
from bot.play.doors.menus import shown_board
from bot.play.doors.services import Interaction
from bot.play.model.courses import course_of
from bot.play.model.spots import Spot, see


@app_commands.context_menu(name="Explore from here")
@anywhere
async def explore_from_here(interaction: Interaction, message: discord.Message) -> None:
    """Try moves on a board of one's own, from that board on."""
    async with answering(interaction) as answer:
        number, revision = shown_board(interaction, message)
        game, ply, line = await interaction.client.services.history.at_board(number, revision)
        await show_explore(answer, see(Spot(number, ply, line), course_of(game), game))
