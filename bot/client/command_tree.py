"""A command tree that also answers unknown commands, which discord.py ignores."""

import logging
from typing import Any

import discord
import structlog
from discord import app_commands

from bot.client import compat_0_1_0
from bot.composition import FEATURE_SET
from bot.connection.posts import Post
from bot.connection.request_errors import ACKNOWLEDGED
from bot.connection.words import unknown_form
from bot.play.handlers.interactions import Interaction, ServicesClient, answering
from bot.play.words.compat_0_1_0 import unknown_command

_log = structlog.get_logger()


class Commands(app_commands.CommandTree[ServicesClient]):
    """A command tree that also answers errors outside the commands' own code."""

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Answer a command that can't be run, such as one with outdated options."""
        if interaction.type is not discord.InteractionType.application_command:
            return  # failed suggestions are harmless
        async with answering(interaction) as answer:
            if isinstance(error, app_commands.CommandInvokeError):
                raise error
            _log.warning("command signature mismatch", error=str(error))
            if isinstance(error, app_commands.CommandNotFound) and not error.parents:
                words = unknown_command(answer.reader, error.name, self.client.command_ids)
            else:
                words = unknown_form(answer.reader)
            await answer.send_private(Post(content=words))

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        try:
            data: Any = interaction.data
            compat_0_1_0.bring_up_to_date(self.get_command(data["name"]), data)
            self._check_options(interaction)
        except app_commands.AppCommandError:
            raise
        except Exception as error:
            # An error that discord.py does not expect would end the task without a log line.
            raise app_commands.AppCommandError(f"{type(error).__name__}: {error}") from error
        return True

    def _check_options(self, interaction: Interaction) -> None:
        """Check the options' types and values, which discord.py leaves to Discord.

        Raises:
            CommandSignatureMismatch: if they are wrong.
        """
        data: Any = interaction.data
        if data["type"] != discord.AppCommandType.chat_input.value:
            return  # commands on a message or user have no options
        command, options = self.get_command(data["name"]), data.get("options", [])
        while isinstance(command, app_commands.Group):
            nested = (option for option in options if option["type"] in compat_0_1_0.NESTING)
            inner: Any = next(nested, {})
            command, options = command.get_command(inner.get("name", "")), inner.get("options", [])
        if command is None:
            return  # discord.py logs this
        parameters = {parameter.display_name: parameter for parameter in command.parameters}
        for option in options:
            parameter = parameters.get(option["name"])
            if parameter is None or not _fits(parameter, option, data.get("resolved", {})):
                raise app_commands.CommandSignatureMismatch(command)


_KINDS = discord.AppCommandOptionType
_TYPES: dict[discord.AppCommandOptionType, type] = {
    _KINDS.string: str,
    _KINDS.integer: int,
    _KINDS.boolean: bool,
}
_RESOLVED = {
    _KINDS.user: "users",
    _KINDS.role: "roles",
    _KINDS.channel: "channels",
    _KINDS.attachment: "attachments",
}


def _fits(parameter: app_commands.Parameter, option: Any, resolved: Any) -> bool:
    """Return True if an option has the right type or is still being typed."""
    value, kind = option.get("value"), parameter.type
    if option["type"] != kind.value:
        return False
    if option.get("focused"):
        return parameter.autocomplete and isinstance(value, str)
    if kind in _TYPES and type(value) is not _TYPES[kind]:
        return False
    if kind in _RESOLVED and str(value) not in resolved.get(_RESOLVED[kind], {}):
        return False
    values = [choice.value for choice in parameter.choices]
    return not values or value in values


def _should_log(record: logging.LogRecord) -> bool:
    """Return False for log records about suggestions that were late, outdated or already answered.

    discord.py warns about all of them.
    """
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, app_commands.CommandSignatureMismatch | discord.NotFound):
        return False
    return not isinstance(error, discord.HTTPException) or error.code != ACKNOWLEDGED


logging.getLogger("discord.app_commands.tree").addFilter(_should_log)


def command_tree(client: ServicesClient) -> Commands:
    tree = Commands(client)
    for command in (*FEATURE_SET.commands, *FEATURE_SET.menus):
        tree.add_command(command)
    return tree
