"""/clock."""

from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.commands.common import anywhere, by_server, channel_of
from bot.edge.desk import Interaction


@app_commands.command(description="Show the clocks of this channel's game, to you alone")
@anywhere
@by_server
async def clock(interaction: Interaction) -> None:
    """Show both clocks."""
    async with answering(interaction) as answer:
        game, standing = await interaction.client.desk.clocks.here(channel_of(interaction))
        await answer.privately(messages.clocks(answer.reader, game, standing))
