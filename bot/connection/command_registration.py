"""Registers our commands with Discord in all languages, in the background.

Discord allows 200 new commands a day, so commands are only sent if they have changed.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import discord
import structlog
from discord import app_commands
from discord.http import HTTPClient, Route

from bot.base.health import ActiveFaults, Fault
from bot.base.languages import CATALOGUES, IN_ENGLISH, reader_for
from bot.connection.request_errors import CONNECTION_ERRORS, error_text, retry_after

_log = structlog.get_logger()

_PRIVATE_CHANNEL, _GUILD_INSTALL = 2, 0
"""Discord's values of the context PRIVATE_CHANNEL and the integration type GUILD_INSTALL."""
_ENTRY_POINT = 4
_KEPT_PROPERTIES = (
    *("type", "name", "name_localizations", "description", "description_localizations"),
    *("default_member_permissions", "dm_permission", "contexts", "integration_types"),
    *("nsfw", "handler"),
)
"""Properties to keep when a command that isn't ours is sent back. A bot can't set other ones."""
_FIRST_WAIT = timedelta(seconds=5)
_LONGEST_WAIT = timedelta(minutes=10)
_INDEX = re.compile(r"\bIn (\d+)(?=[.:])")

Commands = list[Any]


async def keep_registering(
    tree: app_commands.CommandTree[Any],
    http: HTTPClient,
    application: int,
    *,
    user_installs: bool,
    learn: Callable[[Mapping[str, int]], None],
    sleep: Callable[[float], Awaitable[None]],
    degraded: ActiveFaults,
) -> None:
    """Register our commands with Discord, with retries at growing intervals.

    `user_installs` is True if users may install the bot for themselves. `learn` receives the ids
    of all slash commands in Discord, including ones registered earlier.
    """
    commands = await payload(tree, user_installs=user_installs)
    wait = _FIRST_WAIT
    while True:
        try:
            await _register(commands, http, application, learn)
        except Exception as error:
            delay = max(wait, retry_after(error))
            reason = _with_command_name(error_text(error), commands)
            degraded.begin(Fault.COMMANDS_REFUSED, reason)
            _log.error(
                "command registration failed, retrying",
                error=reason,
                retry_s=delay.total_seconds(),
                exc_info=not isinstance(error, (*CONNECTION_ERRORS, LookupError, TypeError)),
            )
        else:
            degraded.end(Fault.COMMANDS_REFUSED)
            return
        await sleep(delay.total_seconds())
        wait = min(2 * wait, _LONGEST_WAIT)


def _with_command_name(text: str, commands: Commands) -> str:
    """Replace the index in an error such as "In 5.name: too long" with the command's name."""

    def name(match: re.Match[str]) -> str:
        number = int(match[1])
        return f"In /{commands[number]['name']}" if number < len(commands) else match[0]

    return _INDEX.sub(name, text)


async def payload(tree: app_commands.CommandTree[Any], *, user_installs: bool) -> Commands:
    """Return our commands with their translations, in the form that Discord expects."""
    translator = Translator()
    commands = [
        await command.get_translated_payload(tree, translator) for command in tree.get_commands()
    ]
    return commands if user_installs else [_without_user_installs(command) for command in commands]


async def _register(
    commands: Commands,
    http: HTTPClient,
    application: int,
    learn: Callable[[Mapping[str, int]], None],
) -> None:
    path = "/applications/{application_id}/commands"
    route = Route("GET", path, application_id=application)
    current: Commands = await http.request(route, params={"with_localizations": "true"})
    learn(_slash_ids(current))
    # If a host enables Activities, Discord adds a command of its own and rejects lists without it.
    foreign = [command for command in current if command["type"] == _ENTRY_POINT]
    if not same_commands(commands, [command for command in current if command not in foreign]):
        preserved = [
            {key: command[key] for key in _KEPT_PROPERTIES if key in command} for command in foreign
        ]
        current = await http.bulk_upsert_global_commands(
            application, payload=[*commands, *preserved]
        )
        learn(_slash_ids(current))
        _log.info("commands registered", count=len(commands))


def _slash_ids(commands: Commands) -> Mapping[str, int]:
    return {command["name"]: int(command["id"]) for command in commands if _is_slash(command)}


def _without_user_installs(command: dict[str, Any]) -> dict[str, Any]:
    """Return a command without the fields that Discord rejects for a bot without user installs."""
    contexts = [context for context in command["contexts"] if context != _PRIVATE_CHANNEL]
    return {**command, "contexts": contexts, "integration_types": [_GUILD_INSTALL]}


def same_commands(expected: list[dict[str, Any]], actual: list[Any]) -> bool:
    """Return True if Discord has exactly our commands, apart from the fields that it adds."""
    by_key = {_key(command): command for command in actual}
    return by_key.keys() == set(map(_key, expected)) and all(
        _covers(by_key[_key(command)], command) for command in expected
    )


def _key(command: Mapping[str, Any]) -> tuple[int, str]:
    """Return a command's unique key. A slash command and a context menu may share a name."""
    return command["type"], command["name"]


def _is_slash(command: Mapping[str, Any]) -> bool:
    return bool(command["type"] == discord.AppCommandType.chat_input.value)


def _covers(actual: Any, expected: Any) -> bool:
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            # otherwise a removed translation would stay in Discord
            (actual.get(key) or {}) == value
            if key.endswith("_localizations")
            else _covers(actual.get(key), value)
            for key, value in expected.items()
        )
    if isinstance(expected, list):
        if not expected:
            return not actual
        return (
            isinstance(actual, list)
            and len(actual) == len(expected)
            and all(map(_covers, actual, expected))
        )
    # A field that Discord leaves out has its default, null or false.
    return actual == expected or (not expected and not actual) or str(actual) == str(expected)


_Location = app_commands.TranslationContextLocation
# A single word can be ambiguous, so it is translated with a context.
_NAMES: Final = {
    _Location.command_name: "command",
    _Location.group_name: "command",
    _Location.parameter_name: "option",
}
_A_NAME: Final = re.compile(r"[-_'\w]{1,32}")
_LONGEST_NAME: Final = 32
_LONGEST: Final = 100
FOR_READER: Final = "for_reader"
"""Key in a `locale_str`'s extras for a function that takes a reader and returns the text."""


class Translator(app_commands.Translator):
    """Translates commands into all the bot's languages.

    Texts whose translations Discord would reject stay in English, because a single one would make
    it reject all commands.
    """

    def __init__(self, folder: Path = CATALOGUES) -> None:
        self._folder = folder

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
        /,
    ) -> str | None:
        """Translate a text, or return None to leave it in English."""
        reader = reader_for(locale.value, self._folder)
        if reader is IN_ENGLISH:
            return None
        if isinstance(context.data, app_commands.ContextMenu):
            text = reader.gettext(string.message)
            return text if 0 < len(text) <= _LONGEST_NAME else None
        name_of = _NAMES.get(context.location)
        if name_of is not None:
            text = reader.pgettext(name_of, string.message)
            return text if _A_NAME.fullmatch(text) and text == text.lower() else None
        if FOR_READER in string.extras:
            text = string.extras[FOR_READER](reader)
        elif context.location is _Location.choice_name:
            text = reader.pgettext("choice", string.message)
        else:
            text = reader.gettext(string.message)
        return text if 0 < len(text) <= _LONGEST else None
