"""The commands: each stands in one module and is registered here, and nowhere else."""

from discord import app_commands

import bot.composition  # noqa: F401 - it fills /setup
from bot.connection.command_tree import Commands
from bot.features.explore.doors.show_command import show
from bot.features.lessons.doors import learn
from bot.features.plans.doors.command import plan
from bot.features.profiles.doors.commands import leaderboard, profile
from bot.features.puzzles.doors.command import puzzle
from bot.features.tournaments.doors.command import tournament
from bot.play.doors.begin_commands import challenge, play
from bot.play.doors.commands import AnyCommand
from bot.play.doors.game_commands import draw, move, resign, undo
from bot.play.doors.help_command import show_help
from bot.play.doors.look_commands import board, games
from bot.play.doors.menus import (
    board_as_text,
    explore_from_here,
    my_moves,
    profile_of,
    replay_game,
    review_game,
)
from bot.play.doors.services import DeskClient
from bot.play.doors.settings_command import settings
from bot.play.doors.setup_command import setup

ALL: tuple[AnyCommand, ...] = (
    play,
    challenge,
    learn,
    show_help,
    move,
    board,
    games,
    undo,
    draw,
    resign,
    settings,
    setup,
    plan,
    show,
    puzzle,
    profile,
    leaderboard,
    tournament,
)
"""The slash commands, in the order in which people need them."""

MENUS: tuple[app_commands.ContextMenu, ...] = (
    board_as_text,
    my_moves,
    review_game,
    replay_game,
    explore_from_here,
    profile_of,
)
"""What can be done with a message, or asked about a person."""


def command_tree(client: DeskClient) -> Commands:
    """All commands of the bot."""
    tree = Commands(client)
    for command in (*ALL, *MENUS):
        tree.add_command(command)
    return tree
