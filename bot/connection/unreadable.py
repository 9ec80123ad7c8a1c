"""Events that cannot be read are passed over, and interactions whose shape is not theirs.

discord.py ends the whole session on an event that it cannot parse, and the next one would meet the
same event again; what it reads of an interaction only later would end as a task that nobody looks
at. Of a shape only what is used is asked for: what Discord adds one day does no harm.
"""

from collections.abc import Callable
from typing import Any, Final

import discord
import structlog

_MOST_ROWS = _MOST_IN_A_ROW = 5
_ROW = discord.ComponentType.action_row.value
_BUTTON = discord.ComponentType.button.value
_SELECTS = frozenset(kind.value for kind in discord.ComponentType if kind.name.endswith("select"))
_IDS = 2**63
_DIGITS = 19
_SLASH_COMMAND = discord.AppCommandType.chat_input.value
_MESSAGE_COMMAND = discord.AppCommandType.message.value
_PERSON_COMMAND = discord.AppCommandType.user.value

Shape = Callable[[Any], bool]


def _is(*types: type) -> Shape:
    # A bool is an int to Python, but not in JSON.
    return lambda value: type(value) in types


def _is_bits(value: Any) -> bool:
    """A number that Discord writes as text, such as permissions."""
    text = str(value)
    return (
        type(value) in (str, int)
        and text.isascii()
        and text.isdecimal()
        and len(text) <= _DIGITS
        and int(text) < _IDS
    )


def _is_id(value: Any) -> bool:
    return _is_bits(value) and int(value) > 0


def _listing(shape: Shape) -> Shape:
    return lambda value: isinstance(value, list) and all(map(shape, value))


def _mapping(shape: Shape) -> Shape:
    return lambda value: isinstance(value, dict) and all(map(shape, value.values()))


def _having(needed: dict[str, Shape], perhaps: dict[str, Shape] | None = None) -> Shape:
    optional = perhaps or {}

    def fits(value: Any) -> bool:
        return (
            isinstance(value, dict)
            and all(name in value and shape(value[name]) for name, shape in needed.items())
            and all(shape(value[name]) for name, shape in optional.items() if name in value)
        )

    return fits


def _option(value: Any) -> bool:
    scalar = _is(str, int, float, bool)
    inner = {"value": scalar, "options": _listing(_option), "focused": _is(bool)}
    return _having({"name": _is(str), "type": _is(int)}, inner)(value)


def _component(value: Any) -> bool:
    """Return what is in a row of a message."""
    text = _is(str, type(None))
    inner = {
        "custom_id": _is(str),
        "label": text,
        "placeholder": text,
        "url": text,
        "style": _is(int),
        "disabled": _is(bool),
        "min_values": _is(int),
        "max_values": _is(int),
        "options": _listing(_having({"label": _is(str), "value": _is(str)}, {"description": text})),
    }
    return _having({"type": _is(int)}, inner)(value)


def _in_a_row(value: Any) -> bool:
    """Up to five buttons, or one select."""
    if not _listing(_component)(value) or len(value) > _MOST_IN_A_ROW:
        return False
    kinds = [one["type"] for one in value]
    return all(kind == _BUTTON for kind in kinds) or (len(kinds) == 1 and kinds[0] in _SELECTS)


_ROWS: Final = _listing(_having({"type": lambda value: value == _ROW, "components": _in_a_row}))


def _rows(value: Any) -> bool:
    """The components of a message of ours; discord.py fails on rows within rows."""
    return _ROWS(value) and len(value) <= _MOST_ROWS


_TEXT: Final = _is(str)
_NAME: Final = _is(str, type(None))
_USER: Final = _having(
    {
        "id": _is_id,
        "username": _TEXT,
        "discriminator": _TEXT,
        "avatar": _is(str, type(None)),
    },
    {"global_name": _NAME},
)
_MEMBER: Final = _having(
    {"user": _USER, "permissions": _is_bits, "roles": _listing(_is_id)}, {"nick": _NAME}
)
_RESOLVED_PARTS: Final[dict[str, Shape]] = {
    "users": _mapping(_USER),
    "members": _mapping(
        _having({"permissions": _is_bits, "roles": _listing(_is_id)}, {"nick": _NAME})
    ),
    "channels": _mapping(_having({"id": _is_id, "type": _is(int), "permissions": _is_bits})),
    "attachments": _mapping(
        _having(
            {
                "id": _is_id,
                "size": _is(int),
                "filename": _TEXT,
                "url": _TEXT,
                "proxy_url": _TEXT,
            }
        )
    ),
}
_RESOLVED: Final = _having({}, _RESOLVED_PARTS)
_SLASH: Final = _having(
    {"id": _is_id, "name": _TEXT, "type": lambda value: value == _SLASH_COMMAND},
    {"options": _listing(_option), "resolved": _RESOLVED, "guild_id": _is_id},
)
_MESSAGE: Final = _having({"id": _is_id, "content": _TEXT, "author": _having({"id": _is_id})})
_ON_A_MESSAGE: Final = _having(
    {
        "id": _is_id,
        "name": _TEXT,
        "type": lambda value: value == _MESSAGE_COMMAND,
        "target_id": _is_id,
        "resolved": _having({"messages": _mapping(_MESSAGE)}),
    },
    {"guild_id": _is_id},
)


_ON_A_PERSON: Final = _having(
    {
        "id": _is_id,
        "name": _TEXT,
        "type": lambda value: value == _PERSON_COMMAND,
        "target_id": _is_id,
        "resolved": _having({"users": _mapping(_USER)}, _RESOLVED_PARTS),
    },
    {"guild_id": _is_id},
)


def _command(value: Any) -> bool:
    """A slash command, or one on a message or a person, who comes along."""
    for shape, among in ((_ON_A_MESSAGE, "messages"), (_ON_A_PERSON, "users")):
        if shape(value):
            return str(value["target_id"]) in value["resolved"][among]
    return _SLASH(value)


_PRESS: Final = _having(
    {"custom_id": _TEXT, "component_type": _is(int)}, {"values": _listing(_TEXT)}
)
_FIELD: Final = _having({"custom_id": _TEXT}, {"value": _TEXT})
_FORM: Final = _having(
    {
        "custom_id": _TEXT,
        "components": _listing(_having({}, {"component": _FIELD, "components": _listing(_FIELD)})),
    }
)
_DATA: Final = {2: _command, 3: _PRESS, 4: _SLASH, 5: _FORM}
_KNOWN_CHANNELS: Final = frozenset(kind.value for kind in discord.ChannelType)
_INTERACTION: Final = _having(
    {
        "id": _is_id,
        "application_id": _is_id,
        "token": _TEXT,
        "type": lambda value: type(value) is int and value in _DATA,
        "channel": _having(
            {"id": _is_id, "type": lambda value: type(value) is int and value in _KNOWN_CHANNELS}
        ),
    },
    {
        "guild_id": _is_id,
        "channel_id": _is_id,
        "app_permissions": _is_bits,
        "member": _MEMBER,
        "user": _USER,
        "message": _having({"components": _rows}, {"flags": _is(int), "content": _TEXT}),
    },
)


def is_interaction(data: Any) -> bool:
    """Return whether a payload is one of an interaction that can be read."""
    return (
        _INTERACTION(data)
        and _DATA[data["type"]](data.get("data"))
        and ("member" in data) == ("guild_id" in data)
        and ("member" in data or "user" in data)
    )


_log = structlog.get_logger()

_NEEDED = ("READY", "RESUMED")
"""Without these there is no session."""

_OF_INTERACTION = "INTERACTION_CREATE"

Parse = Callable[[Any], Any]


def pass_over_broken_ones(parsers: dict[str, Parse]) -> None:
    """Guard the parsers of a client's connection, by the names of their events."""
    for name, parse in parsers.items():
        if name not in _NEEDED:
            parsers[name] = _guarded(name, parse)


def _guarded(name: str, parse: Parse) -> Parse:
    def guarded(data: Any) -> None:
        try:
            if name == _OF_INTERACTION and not is_interaction(data):
                raise ValueError("that is no interaction")  # noqa: TRY301 - told below like others
            parse(data)
        except Exception as error:
            _log.warning(
                "an event could not be read",
                event_name=name,
                error=f"{type(error).__name__}: {error}",
            )

    return guarded
