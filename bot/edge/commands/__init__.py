"""The slash commands."""

from typing import Any

from discord import app_commands

from bot.edge.answers import answering
from bot.edge.commands.challenge import challenge
from bot.edge.commands.clock import clock
from bot.edge.commands.help import show_help
from bot.edge.commands.look import board, games, moves
from bot.edge.commands.offers import draw, fill, takeback
from bot.edge.commands.plan import plan
from bot.edge.commands.play import abort, move, resign
from bot.edge.commands.preferences import preferences
from bot.edge.commands.setup import setup
from bot.edge.commands.status import status
from bot.edge.commands.vacation import vacation
from bot.edge.desk import DeskClient, Interaction


class Commands(app_commands.CommandTree[DeskClient]):
    """The commands; a fault outside their own code is answered too."""

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Answer when a command cannot even be begun, as when Discord knows an older form of it."""
        async with answering(interaction):
            raise error


def command_tree(client: DeskClient) -> Commands:
    """All commands of the bot."""
    tree = Commands(client)
    commands: tuple[app_commands.Command[Any, Any, Any] | app_commands.Group, ...] = (
        show_help,
        challenge,
        move,
        moves,
        board,
        games,
        plan,
        takeback,
        draw,
        fill,
        resign,
        abort,
        clock,
        vacation,
        preferences,
        status,
        setup,
    )
    for command in commands:
        tree.add_command(command)
    return tree
