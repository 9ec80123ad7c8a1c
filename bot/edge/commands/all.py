"""The commands: each stands in one module and is registered here, and nowhere else."""

from discord import app_commands

from bot.edge.commands.begin import challenge, play
from bot.edge.commands.common import AnyCommand
from bot.edge.commands.game import draw, move, resign, undo
from bot.edge.commands.help import show_help
from bot.edge.commands.learn import learn
from bot.edge.commands.look import board, games
from bot.edge.commands.menus import (
    board_as_text,
    explore_from_here,
    my_moves,
    profile_of,
    replay_game,
    review_game,
)
from bot.edge.commands.plan import plan
from bot.edge.commands.profile import leaderboard, profile
from bot.edge.commands.puzzle import puzzle
from bot.edge.commands.settings import settings
from bot.edge.commands.setup import setup
from bot.edge.commands.show import show
from bot.edge.commands.tournament import tournament
from bot.edge.commands.tree import Commands
from bot.edge.desk import DeskClient

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
