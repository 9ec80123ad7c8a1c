"""The commands that show something to the asker alone, and change nothing."""

from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.commands.common import anywhere, by_server, channel_of, guild_of
from bot.edge.desk import Interaction
from bot.model.ids import UserId

GAMES_LISTED = 25


@app_commands.command(description="Show the board of this channel's game, to you alone")
@app_commands.describe(text="In words, row by row, without a picture: for screen readers")
@anywhere
@by_server
async def board(interaction: Interaction, text: bool = False) -> None:
    """Show the board."""
    async with answering(interaction) as answer:
        desk = interaction.client.desk
        game = await desk.games.here(channel_of(interaction))
        post = messages.board_aloud(game) if text else messages.look(game)
        await answer.privately(post, await desk.publisher.draw(post))


@app_commands.command(description="List all that you can play now, to you alone")
@anywhere
@by_server
async def moves(interaction: Interaction) -> None:
    """List the asker's legal moves."""
    async with answering(interaction) as answer:
        game, _ = await interaction.client.desk.games.legal_here(
            channel_of(interaction), UserId(interaction.user.id)
        )
        await answer.privately(messages.legal_moves(game))


@app_commands.command(description="List your running games in this server")
@anywhere
@by_server
async def games(interaction: Interaction) -> None:
    """List the asker's games."""
    async with answering(interaction) as answer:
        desk, user = interaction.client.desk, UserId(interaction.user.id)
        guild = guild_of(interaction)
        running = await desk.games.of_player(guild, user)
        listed = [
            (game, await desk.store.deliveries.newest_board(game.row.id))
            for game in running[:GAMES_LISTED]
        ]
        await answer.privately(messages.running_games(listed, guild, user))
