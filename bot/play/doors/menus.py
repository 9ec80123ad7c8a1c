"""Menus under Apps, for a long press on a board's message or on a person."""

import discord
from discord import app_commands

from bot.base.ids import GameId, Revision, UserId
from bot.play.doors.answers import answering
from bot.play.doors.commands import anywhere
from bot.play.doors.looking import show_replay
from bot.play.doors.services import Interaction
from bot.play.model.courses import course_of
from bot.play.model.refusals.playing import NoBoard
from bot.play.model.spots import Spot, see
from bot.play.words.boards import board_as_text as board_as_text_post
from bot.play.words.moves import legal_moves
from bot.play.words.pictures import turn_of_picture


@app_commands.context_menu(name="Board as text")
@anywhere
async def board_as_text(interaction: Interaction, message: discord.Message) -> None:
    """Tell a board in words, as it was there."""
    async with answering(interaction) as answer:
        number, revision = shown_board(interaction, message)
        game, is_newest = await interaction.client.services.games.at(number, revision)
        await answer.privately(board_as_text_post(answer.reader, game, is_newest=is_newest))


@app_commands.context_menu(name="My moves")
@anywhere
async def my_moves(interaction: Interaction, message: discord.Message) -> None:
    """List all that the asker can play in a board's game as it stands now."""
    async with answering(interaction) as answer:
        number, _ = shown_board(interaction, message)
        game = await interaction.client.services.games.may_move(number, UserId(interaction.user.id))
        await answer.privately(legal_moves(answer.reader, game))


@app_commands.context_menu(name="Replay")
@anywhere
async def replay_game(interaction: Interaction, message: discord.Message) -> None:
    """Show a board's game move by move, from that board on."""
    async with answering(interaction) as answer:
        number, revision = shown_board(interaction, message)
        game, ply, _ = await interaction.client.services.history.at_board(number, revision)
        await show_replay(answer, see(Spot(number, ply), course_of(game), game))


def shown_board(interaction: Interaction, message: discord.Message) -> tuple[GameId, Revision]:
    """Return the game and the revision that a message shows.

    Raises:
        NoBoard: if it shows none, or somebody else wrote it.
    """
    own = interaction.client.user
    if own is not None and message.author.id == own.id:
        for file in message.attachments:
            turn = turn_of_picture(file.filename)
            if turn is not None:
                return turn
    raise NoBoard
