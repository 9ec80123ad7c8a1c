"""Telling Discord the commands: only where it knows others, for each time is counted."""

from collections.abc import Mapping
from typing import Any

import structlog
from discord import app_commands
from discord.http import HTTPClient, Route

from bot.edge.translator import Translator

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
    translator = Translator()
    await tree.set_translator(translator)
    ours = [
        await command.get_translated_payload(tree, translator) for command in tree.get_commands()
    ]
    where = "/applications/{application_id}/commands"
    route = Route("GET", where, application_id=application)
    theirs = await http.request(route, params={"with_localizations": "true"})
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
            (theirs.get(key) or {}) == value  # a language that we no longer have must go
            if key.endswith("_localizations")
            else _covers(theirs.get(key), value)
            for key, value in ours.items()
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
