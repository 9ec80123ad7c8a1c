"""The slash commands: each stands in one module and is registered here, and nowhere else."""

from bot.edge.commands.challenge import challenge
from bot.edge.commands.common import AnyCommand
from bot.edge.commands.help import show_help
from bot.edge.commands.look import board, clock, games, moves, status
from bot.edge.commands.offers import draw, fill, takeback
from bot.edge.commands.plan import plan
from bot.edge.commands.play import abort, move, resign
from bot.edge.commands.preferences import preferences
from bot.edge.commands.setup import setup
from bot.edge.commands.tree import Commands
from bot.edge.commands.vacation import vacation
from bot.edge.desk import DeskClient

ALL: tuple[AnyCommand, ...] = (
    show_help,
    challenge,
    move,
    moves,
    board,
    games,
    clock,
    vacation,
    preferences,
    plan,
    takeback,
    draw,
    fill,
    resign,
    abort,
    status,
    setup,
)


def command_tree(client: DeskClient) -> Commands:
    """All commands of the bot."""
    tree = Commands(client)
    for command in ALL:
        tree.add_command(command)
    return tree
