"""Telling Discord the commands: only where it knows others, for each time is counted."""

from collections.abc import Mapping
from typing import Any

import structlog
from discord import app_commands
from discord.http import HTTPClient

_log = structlog.get_logger()


async def tell_commands(
    tree: app_commands.CommandTree[Any], http: HTTPClient, application: int
) -> Mapping[str, int]:
    """Let Discord know our commands; by which numbers it knows them.

    Args:
        tree: Our commands.
        http: Asks Discord.
        application: Our number.
    """
    ours = [command.to_dict(tree) for command in tree.get_commands()]
    theirs = await http.get_global_commands(application)
    if same_commands(ours, theirs):
        return {command["name"]: int(command["id"]) for command in theirs}
    known = {command.name: command.id for command in await tree.sync()}
    _log.info("told Discord the commands", count=len(ours))
    return known


def same_commands(ours: list[dict[str, Any]], theirs: list[Any]) -> bool:
    """Whether Discord knows exactly our commands. It adds fields of its own to each."""
    known = {command["name"]: command for command in theirs}
    return known.keys() == {command["name"] for command in ours} and all(
        _covers(known[command["name"]], command) for command in ours
    )


def _covers(theirs: Any, ours: Any) -> bool:
    if isinstance(ours, dict):
        return isinstance(theirs, dict) and all(
            _covers(theirs.get(key), value) for key, value in ours.items()
        )
    if isinstance(ours, list):
        if not ours:
            return not theirs
        return (
            isinstance(theirs, list)
            and len(theirs) == len(ours)
            and all(map(_covers, theirs, ours))
        )
    # What Discord leaves out of its answer is at its default: null, false.
    return theirs == ours or (not ours and not theirs) or str(theirs) == str(ours)
