"""The commands that show something to the asker alone, and change nothing."""

from discord import app_commands

from bot.base.ids import UserId
from bot.base.locales import Reader
from bot.play.doors.answers import answering
from bot.play.doors.commands import anywhere, channel_of, guild_of, in_help
from bot.play.doors.services import Interaction
from bot.play.words.aloud import board_aloud
from bot.play.words.boards import look
from bot.play.words.clocks import with_clocks
from bot.play.words.game_page import games_list
from bot.play.words.help import Surroundings

GAMES_LISTED = 25


def _board_help(reader: Reader, around: Surroundings) -> str:
    return reader.gettext(
        "{command} shows you the board and the clocks; with `text`, in words."
    ).format(command=around.command("board"))


@in_help(_board_help)
@app_commands.command(description="Show the board and the clocks; only you see it")
@app_commands.describe(text="As text, for screen readers")
@anywhere
async def board(interaction: Interaction, text: bool = False) -> None:
    """Show the board, and how the clocks stand."""
    async with answering(interaction) as answer:
        services = interaction.client.services
        game, standing = await services.clocks.here(channel_of(interaction))
        shown = board_aloud if text else look
        post = with_clocks(answer.reader, shown(answer.reader, game), game, standing)
        await answer.privately(post)


def _games_help(reader: Reader, around: Surroundings) -> str:
    return reader.gettext("{command} finds your games here, finished ones too.").format(
        command=around.command("games")
    )


@in_help(_games_help)
@app_commands.command(description="List your games in this server, finished ones too")
@anywhere
async def games(interaction: Interaction) -> None:
    """List the asker's games."""
    async with answering(interaction) as answer:
        services, user = interaction.client.services, UserId(interaction.user.id)
        guild = guild_of(interaction)
        running = await services.games.of_player(guild, user)
        listed = [
            (game, await services.game_locations.board(game.row.id))
            for game in running[:GAMES_LISTED]
        ]
        ended = await services.history.ended(guild, user)
        await answer.privately(games_list(answer.reader, listed, ended, guild, user))
