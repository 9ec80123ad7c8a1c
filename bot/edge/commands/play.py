"""The commands of a running game."""

from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.commands.common import by_server, channel_of, guild_of, in_servers
from bot.edge.desk import Interaction
from bot.errors import NotAllowed
from bot.ids import SourceId, UserId

AUTOCOMPLETE_LIMIT = 25
GAMES_LISTED = 25


@app_commands.command(description="Place a piece or move a stack")
@app_commands.describe(move="A free space such as d2, or a move such as d2-d4")
@in_servers
@by_server
async def move(interaction: Interaction, move: str) -> None:
    """Place or move in this channel's game."""
    async with answering(interaction) as answer:
        desk = interaction.client.desk
        update = await desk.games.play(
            channel_of(interaction),
            UserId(interaction.user.id),
            move,
            source=SourceId(interaction.id),
        )
        await answer.privately(messages.played(update))
        await desk.publisher.publish(update)


@move.autocomplete("move")
async def _legal_moves(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    legal = await interaction.client.desk.games.legal_here(
        channel_of(interaction), UserId(interaction.user.id), typed
    )
    return [app_commands.Choice(name=text, value=text) for text in legal[:AUTOCOMPLETE_LIMIT]]


@app_commands.command(description="Show the board of this channel's game, to you alone")
@in_servers
@by_server
async def board(interaction: Interaction) -> None:
    """Show the board."""
    async with answering(interaction) as answer:
        desk = interaction.client.desk
        post = messages.look(await desk.games.here(channel_of(interaction)))
        await answer.privately(post, await desk.publisher.draw(post))


@app_commands.command(description="List your running games in this server")
@in_servers
@by_server
async def games(interaction: Interaction) -> None:
    """List the asker's games."""
    async with answering(interaction) as answer:
        desk, user = interaction.client.desk, UserId(interaction.user.id)
        guild = guild_of(interaction)
        running = await desk.games.of_player(guild, user)
        listed = [
            (game, await desk.store.outbox.newest_board(game.row.id))
            for game in running[:GAMES_LISTED]
        ]
        await answer.privately(messages.running_games(listed, guild, user))


@app_commands.command(description="Give up this channel's game, after a question")
@in_servers
@by_server
async def resign(interaction: Interaction) -> None:
    """Ask whether to resign."""
    async with answering(interaction) as answer:
        game = await interaction.client.desk.games.seated_here(
            channel_of(interaction), UserId(interaction.user.id)
        )
        await answer.privately(messages.confirm_resignation(game))


@app_commands.command(description="For moderators: end this channel's game without a result")
@app_commands.default_permissions(manage_channels=True)
@in_servers
@by_server
async def abort(interaction: Interaction) -> None:
    """End a game without a result."""
    async with answering(interaction) as answer:
        # A server can show this command to anyone, so the permission is looked at here too.
        if not interaction.permissions.manage_channels:
            raise NotAllowed("Manage Channels")
        desk = interaction.client.desk
        update = await desk.games.abort(
            channel_of(interaction), UserId(interaction.user.id), source=SourceId(interaction.id)
        )
        await answer.privately(messages.played(update))
        await desk.publisher.publish(update)
