"""/help."""

from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.commands.common import anywhere, by_server
from bot.edge.desk import Interaction
from bot.edge.surroundings import surroundings


@app_commands.command(name="help", description="How to play here, and the rules with pictures")
@anywhere
@by_server
async def show_help(interaction: Interaction) -> None:
    """Show the first page to the asker."""
    async with answering(interaction) as answer:
        post = messages.help_page(
            answer.reader, messages.FIRST_PAGE, await surroundings(interaction)
        )
        await answer.privately(post, await interaction.client.desk.publisher.render(post))
