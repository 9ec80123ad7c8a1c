"""Application commands: validation, and their form in responses."""

import re
from collections.abc import Iterable
from typing import Any

from sandbox.errors import Form, entry_point_left_out, invalid, too_many_commands
from sandbox.forms import Fields
from sandbox.model import JSON
from sandbox.state import State

CHAT_INPUT, USER, MESSAGE, ENTRY_POINT = 1, 2, 3, 4
SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER_OPTION = 1, 2, 3, 4, 5, 6
CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = 7, 8, 9, 10, 11

MOST = {CHAT_INPUT: 100, USER: 15, MESSAGE: 15, ENTRY_POINT: 1}
MAX_NAME = 32
MAX_DESCRIPTION = 100
MAX_OPTIONS = 25
MAX_CHOICES = 25
MAX_CHOICE = 100
MAX_TOTAL = 8000
MAX_STRING = 6000

_BY_USER = 1
_NOT_FOR_USERS = "The application is not installed by users."
_TAKEN = "Application command names must be unique"
_NAME = re.compile(r"[-_'\w]{1,32}")
_CHOOSABLE = frozenset({STRING, INTEGER, NUMBER})
_NESTS = frozenset({SUBCOMMAND, GROUP})


def set_all(state: State, body: object) -> list[JSON]:
    """Replace all commands with the given ones.

    Commands with the same name keep their id.

    Raises:
        ApiError: 30032, 50240, or 50035 with every fault found.
    """
    form = Form()
    if not isinstance(body, list):
        raise invalid((), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
    checked = [_Command(form, (n,)).read(item) for n, item in enumerate(body)]
    names: set[tuple[int, str]] = set()
    for n, command in enumerate(checked):
        if _key(command) in names:
            form.wrong((n,), "APPLICATION_COMMANDS_DUPLICATE_NAME", _TAKEN)
        names.add(_key(command))
        if not state.application.user_install and _BY_USER in command["integration_types"]:
            form.wrong((n, "integration_types"), "BASE_TYPE_CHOICES", _NOT_FOR_USERS)
    form.raise_errors()
    for kind, limit in MOST.items():
        if sum(command["type"] == kind for command in checked) > limit:
            raise too_many_commands(limit)
    application = state.application
    if ENTRY_POINT in _types(application.commands.values()) - _types(checked):
        raise entry_point_left_out()
    old = {_key(command): command for command in application.commands.values()}
    application.commands.clear()
    for command in checked:
        _keep(state, command, old.get(_key(command)))
    application.registered = True
    state.readiness.fire(state)
    return list(application.commands.values())


def enable_activities(state: State) -> JSON:
    """Create the command that Discord adds automatically when Activities are enabled."""
    command: JSON = {
        "type": ENTRY_POINT,
        "name": "launch",
        "name_localizations": None,
        "description": "Launch an activity",
        "description_localizations": None,
        "default_member_permissions": None,
        "dm_permission": True,
        "contexts": [0, 1, 2],
        "integration_types": [0, 1],
        "nsfw": False,
        "handler": 2,
    }
    _keep(state, command, None)
    return command


def _types(commands: Iterable[JSON]) -> set[int]:
    return {command["type"] for command in commands}


def _key(command: JSON) -> tuple[int, str]:
    return command["type"], command["name"]


def _keep(state: State, command: JSON, before: JSON | None) -> None:
    command_id = int(before["id"]) if before else state.next_id()
    state.application.commands[command_id] = {
        "id": str(command_id),
        "application_id": str(state.application.id),
        "version": str(state.next_id()),
        **command,
    }


class _Command:
    """Validates one command and records its faults."""

    def __init__(self, form: Form, path: tuple[str | int, ...]) -> None:
        self._form = form
        self._path = path
        self._characters = 0

    def read(self, body: Any) -> JSON:
        fields = Fields(body, self._form, self._path)
        kind = fields.number("type") or CHAT_INPUT
        if kind not in MOST:
            fields.wrong("type", "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4}.")
            kind = CHAT_INPUT
        slash, described = kind == CHAT_INPUT, kind in {CHAT_INPUT, ENTRY_POINT}
        fields.raw("id")
        name = self._name(fields, strict=slash)
        permissions = fields.raw("default_member_permissions")
        nsfw = fields.flag("nsfw")
        answer: JSON = {
            "type": kind,
            "name": name,
            "name_localizations": self._localized(fields, "name_localizations", MAX_NAME),
            "description": self._description(fields) if described else "",
            "description_localizations": self._localized(
                fields, "description_localizations", MAX_DESCRIPTION
            ),
            "default_member_permissions": None if permissions is None else str(permissions),
            "dm_permission": fields.flag("dm_permission") is not False,
            "contexts": fields.raw("contexts"),
            "integration_types": fields.raw("integration_types") or [0],
            "nsfw": bool(nsfw),
        }
        if kind == ENTRY_POINT:
            answer["handler"] = fields.number("handler", low=1, high=2) or 1
        options = self._options(fields, depth=0) if slash else []
        if options:
            answer["options"] = options
        if self._characters > MAX_TOTAL:
            self._form.wrong(
                self._path,
                "APPLICATION_COMMAND_TOO_LARGE",
                f"Command exceeds maximum size ({MAX_TOTAL})",
            )
        return answer

    def _name(self, fields: Fields, *, strict: bool = True) -> str:
        name = fields.text("name", longest=MAX_NAME, shortest=1, required=True) or ""
        self._characters += len(name)
        if strict and name and (name != name.lower() or not _NAME.fullmatch(name)):
            fields.wrong("name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
        return name

    def _description(self, fields: Fields) -> str:
        text = fields.text("description", longest=MAX_DESCRIPTION, shortest=1, required=True) or ""
        self._characters += len(text)
        return text

    def _localized(self, fields: Fields, name: str, longest: int) -> JSON | None:
        inner = fields.inner(name)
        if inner is None:
            return None
        answer = {}
        for locale in inner.names():
            answer[locale] = inner.text(locale, longest=longest, shortest=1)
        return answer

    def _options(self, fields: Fields, depth: int) -> list[JSON]:
        answers = []
        names: set[str] = set()
        optional_seen = False
        for option in fields.each("options", limit=MAX_OPTIONS):
            answer = self._option(option, depth)
            answers.append(answer)
            if answer["name"] in names:
                option.wrong(
                    "name", "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", "Option name is taken"
                )
            names.add(answer["name"])
            if answer["type"] in _NESTS:
                continue
            if answer.get("required") and optional_seen:
                option.wrong(
                    "required",
                    "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                    "Required options must be placed before non-required options",
                )
            optional_seen = optional_seen or not answer.get("required")
        kinds = {answer["type"] in _NESTS for answer in answers}
        if len(kinds) > 1:
            fields.wrong(
                "options",
                "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
                "Sub-command and sub-command group option types are mutually exclusive "
                "to all other types",
            )
        return answers

    def _option(self, fields: Fields, depth: int) -> JSON:
        kind = fields.number("type", low=SUBCOMMAND, high=ATTACHMENT)
        if kind is None:
            fields.required("type")
        answer: JSON = {
            "type": kind,
            "name": self._name(fields),
            "name_localizations": self._localized(fields, "name_localizations", MAX_NAME),
            "description": self._description(fields),
            "description_localizations": self._localized(
                fields, "description_localizations", MAX_DESCRIPTION
            ),
        }
        if kind in _NESTS:
            # Groups are only allowed at the top level. They contain subcommands, which contain
            # plain options.
            if depth > (1 if kind == SUBCOMMAND else 0):
                fields.wrong("type", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Nested too deep")
            options = self._options(fields, depth + 1 if kind == GROUP else depth + 2)
            wrong = kind == GROUP and any(option["type"] != SUBCOMMAND for option in options)
            if wrong:
                fields.wrong(
                    "options", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "A group of commands"
                )
            answer["options"] = options
            fields.flag("required")
            return answer
        if fields.flag("required"):
            answer["required"] = True
        self._values(fields, kind or STRING, answer)
        return answer

    def _values(self, fields: Fields, kind: int, answer: JSON) -> None:
        choices = [
            self._choice(choice, kind) for choice in fields.each("choices", limit=MAX_CHOICES)
        ]
        autocomplete = bool(fields.flag("autocomplete"))
        if (choices or autocomplete) and kind not in _CHOOSABLE:
            fields.wrong("choices", "BASE_TYPE_CHOICES", "This type of option has no choices.")
        if choices and autocomplete:
            fields.wrong(
                "autocomplete",
                "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES",
                "Choices and autocomplete are mutually exclusive",
            )
        if choices:
            answer["choices"] = choices
        if autocomplete:
            answer["autocomplete"] = True
        for name in ("min_value", "max_value", "channel_types"):
            value = fields.raw(name)
            if value is not None and value != []:
                answer[name] = value
        for name in ("min_length", "max_length"):
            length = fields.number(name, low=0, high=MAX_STRING)
            if length is not None:
                answer[name] = length

    def _choice(self, fields: Fields, kind: int) -> JSON:
        name = fields.text("name", longest=MAX_CHOICE, shortest=1, required=True) or ""
        value = fields.raw("value")
        fitting = {STRING: str, INTEGER: int, NUMBER: int | float}.get(kind, object)
        if value is None:
            fields.required("value")
        elif isinstance(value, bool) or not isinstance(value, fitting):
            fields.wrong("value", "CHOICE_TYPE", f'Value "{value}" does not fit the option.')
        elif isinstance(value, str):
            fields.text("value", longest=MAX_CHOICE)
        self._characters += len(name) + len(str(value))
        answer: JSON = {"name": name, "value": value}
        localized = self._localized(fields, "name_localizations", MAX_CHOICE)
        if localized is not None:
            answer["name_localizations"] = localized
        return answer
