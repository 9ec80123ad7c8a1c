"""Telling Discord the commands: only where it knows others, for each time is counted."""

from collections.abc import Mapping
from typing import Any

import discord
import structlog
from discord import app_commands
from discord.http import HTTPClient, Route

from bot.edge.translator import Translator

_log = structlog.get_logger()

_AMONG_PEOPLE, _BY_SERVERS = 2, 0
"""Discord's numbers for a place without us, and for who lets us in."""


async def tell_commands(
    tree: app_commands.CommandTree[Any],
    http: HTTPClient,
    application: int,
    *,
    by_people: bool,
) -> Mapping[str, int]:
    """Let Discord know our commands; by which numbers it knows them.

    Args:
        tree: Our commands.
        http: Asks Discord.
        application: Our number.
        by_people: Whether people may add us to their own accounts.
    """
    translator = Translator()
    await tree.set_translator(translator)
    ours = [
        await command.get_translated_payload(tree, translator) for command in tree.get_commands()
    ]
    if not by_people:
        ours = [_for_servers(command) for command in ours]
    where = "/applications/{application_id}/commands"
    route = Route("GET", where, application_id=application)
    theirs = await http.request(route, params={"with_localizations": "true"})
    if not same_commands(ours, theirs):
        theirs = await http.bulk_upsert_global_commands(application, payload=ours)
        _log.info("told Discord the commands", count=len(ours))
    return {command["name"]: int(command["id"]) for command in theirs if _is_slash(command)}


def _for_servers(command: dict[str, Any]) -> dict[str, Any]:
    """A command where only servers let us in: Discord would refuse all for what it says beyond."""
    contexts = [where for where in command["contexts"] if where != _AMONG_PEOPLE]
    return {**command, "contexts": contexts, "integration_types": [_BY_SERVERS]}


def same_commands(ours: list[dict[str, Any]], theirs: list[Any]) -> bool:
    """Whether Discord knows exactly our commands. It adds fields of its own to each."""
    known = {_key(command): command for command in theirs}
    return known.keys() == set(map(_key, ours)) and all(
        _covers(known[_key(command)], command) for command in ours
    )


def _key(command: Mapping[str, Any]) -> tuple[int, str]:
    """A slash command and what can be done with a message or a person may have one name."""
    return command["type"], command["name"]


def _is_slash(command: Mapping[str, Any]) -> bool:
    return bool(command["type"] == discord.AppCommandType.chat_input.value)


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
