"""The commands that show something to the asker alone, and change nothing."""

import math

from discord import app_commands

from bot import __version__, messages
from bot.edge.answers import answering
from bot.edge.commands.common import anywhere, by_server, channel_of, guild_of, in_help
from bot.edge.desk import Interaction
from bot.locales import Reader
from bot.messages import Status, Surroundings
from bot.model.ids import UserId

GAMES_LISTED = 25


def _board_help(reader: Reader, around: Surroundings) -> str:
    return reader.gettext("{command} shows you the board again; with `text`, in words.").format(
        command=around.command("board")
    )


@in_help(_board_help)
@app_commands.command(description="Show the board of this channel's game, to you alone")
@app_commands.describe(text="In words, row by row, without a picture: for screen readers")
@anywhere
@by_server
async def board(interaction: Interaction, text: bool = False) -> None:
    """Show the board."""
    async with answering(interaction) as answer:
        desk = interaction.client.desk
        game = await desk.games.here(channel_of(interaction))
        post = (
            messages.board_aloud(answer.reader, game)
            if text
            else messages.look(answer.reader, game)
        )
        await answer.privately(post, await desk.publisher.render(post))


def _moves_help(reader: Reader, around: Surroundings) -> str:
    return reader.gettext("{command} lists all that you can play.").format(
        command=around.command("moves")
    )


@in_help(_moves_help)
@app_commands.command(description="List all that you can play now, to you alone")
@anywhere
@by_server
async def moves(interaction: Interaction) -> None:
    """List the asker's legal moves."""
    async with answering(interaction) as answer:
        game, _ = await interaction.client.desk.games.legal_here(
            channel_of(interaction), UserId(interaction.user.id)
        )
        await answer.privately(messages.legal_moves(answer.reader, game))


def _games_help(reader: Reader, around: Surroundings) -> str:
    return reader.gettext("{command} finds your games in this server.").format(
        command=around.command("games")
    )


@in_help(_games_help)
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
            (game, await desk.whereabouts.board(game.row.id)) for game in running[:GAMES_LISTED]
        ]
        await answer.privately(messages.running_games(answer.reader, listed, guild, user))


def _clock_help(reader: Reader, around: Surroundings) -> str:
    return reader.gettext(
        "{command} shows a game's clocks; {vacation} stops yours for some days."
    ).format(command=around.command("clock"), vacation=around.command("vacation start"))


@in_help(_clock_help)
@app_commands.command(description="Show the clocks of this channel's game, to you alone")
@anywhere
@by_server
async def clock(interaction: Interaction) -> None:
    """Show both clocks."""
    async with answering(interaction) as answer:
        game, standing = await interaction.client.desk.clocks.here(channel_of(interaction))
        await answer.privately(messages.clocks(answer.reader, game, standing))


_MILLISECONDS = 1_000


@app_commands.command(description="Show whether all is well with me, to you alone")
@anywhere
@by_server
async def status(interaction: Interaction) -> None:
    """Tell how the bot is."""
    async with answering(interaction) as answer:
        client, guild = interaction.client, guild_of(interaction)
        count = client.shard_count or 1
        shard = (guild >> 22) % count
        post = messages.status(
            answer.reader,
            Status(
                version=__version__,
                heartbeat_ms=_milliseconds(dict(client.latencies).get(shard, math.nan)),
                heard_until=await client.desk.heard.until(shard, count),
                unsent=await client.desk.servers.unsent(guild),
                reads_messages=client.intents.message_content,
                has_machine=client.has_machine,
            ),
        )
        await answer.privately(post)


def _milliseconds(seconds: float) -> int | None:
    """A heart beat's time; None before the first one."""
    return round(seconds * _MILLISECONDS) if math.isfinite(seconds) else None
