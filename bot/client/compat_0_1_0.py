"""Accepts the commands of 0.1.0, which some Discord apps still list.

Remove this module in the first release after 2027-12-01. `bot.play.model.compat_0_1_0` explains it.
"""

from typing import Any, Final

import discord
from discord import app_commands

_KINDS = discord.AppCommandOptionType
NESTING: Final = (_KINDS.subcommand.value, _KINDS.subcommand_group.value)
"""Kinds of options that hold a subcommand."""
_RENAMED: Final = {"spaces": "moves"}
"""Options that have been renamed."""
_AnyCommand = app_commands.Command[Any, ..., Any] | app_commands.Group | None


def bring_up_to_date(command: _AnyCommand, data: Any) -> None:
    """Convert the data of an old command into its current form.

    A former subcommand is now the command itself. An option that has moved to the form with more
    options opens that form.
    """
    nested = [option for option in data.get("options", ()) if option["type"] in NESTING]
    if not isinstance(command, app_commands.Command):
        return
    if nested:
        data["options"] = _known_options(command, nested[0])
        return
    options = _known_options(command, data)
    has_form = any(parameter.display_name == "more" for parameter in command.parameters)
    if has_form and len(options) < len(data.get("options", ())):
        data["options"] = [*options, {"name": "more", "type": _KINDS.boolean.value, "value": True}]


def _known_options(command: app_commands.Command[Any, ..., Any], data: Any) -> list[Any]:
    """Return the given options, without those that a command doesn't have."""
    names = {parameter.display_name for parameter in command.parameters}
    options = [
        option | {"name": _RENAMED.get(option["name"], option["name"])}
        for option in data.get("options", ())
    ]
    return [option for option in options if option["name"] in names]
