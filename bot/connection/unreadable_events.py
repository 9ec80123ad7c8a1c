"""Passes over events that cannot be read, and interactions of a wrong shape.

discord.py ends the whole session on an event that it cannot parse, and the next one would meet the
same event again; what it reads of an interaction only later would end as a task that nobody looks
at. Of a shape only what is used and promised is asked for: what Discord adds one day, or leaves out
as it may, does no harm.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

import discord
import structlog

_MOST_PARTS = 40
_MOST_IN_A_ROW = 5
_ROW = discord.ComponentType.action_row.value
_SECTION = discord.ComponentType.section.value
_TEXT_DISPLAY = discord.ComponentType.text_display.value
_GALLERY = discord.ComponentType.media_gallery.value
_FILE = discord.ComponentType.file.value
_BUTTON = discord.ComponentType.button.value
_SELECTS = frozenset(kind.value for kind in discord.ComponentType if kind.name.endswith("select"))
_IDS = 2**63
_DIGITS = 19
_ENTERED = (discord.AppCommandType.chat_input.value, 4)
"""Slash commands, and the one that Discord adds itself where an app has Activities."""
_MESSAGE_COMMAND = discord.AppCommandType.message.value
_PERSON_COMMAND = discord.AppCommandType.user.value

Shape = Callable[[Any], str | None]
"""The way to what does not fit, such as `.user.id`, or "" for all of it; None if it fits."""


def _that(fits: Callable[[Any], bool]) -> Shape:
    return lambda value: None if fits(value) else ""


def _is(*types: type) -> Shape:
    # A bool is an int to Python, but not in JSON.
    return _that(lambda value: type(value) in types)


@_that
def _is_bits(value: Any) -> bool:
    """Tell whether it is a number that Discord writes as text, such as permissions."""
    text = str(value)
    return (
        type(value) in (str, int)
        and text.isascii()
        and text.isdecimal()
        and len(text) <= _DIGITS
        and int(text) < _IDS
    )


@_that
def _is_id(value: Any) -> bool:
    return _is_bits(value) is None and int(value) > 0


def _first(parts: Iterable[tuple[str, str | None]]) -> str | None:
    """Return the way to the first part that does not fit, each with the step to it."""
    return next((f"{step}{way}" for step, way in parts if way is not None), None)


def _listing(shape: Shape, most: int | None = None) -> Shape:
    def wrong(value: Any) -> str | None:
        if not isinstance(value, list) or (most is not None and len(value) > most):
            return ""
        return _first((f"[{number}]", shape(one)) for number, one in enumerate(value))

    return wrong


def _mapping(shape: Shape) -> Shape:
    def wrong(value: Any) -> str | None:
        if not isinstance(value, dict):
            return ""
        return _first((".*", shape(one)) for one in value.values())

    return wrong


def _having(needed: dict[str, Shape], perhaps: dict[str, Shape] | None = None) -> Shape:
    shapes = {**needed, **(perhaps or {})}

    def wrong(value: Any) -> str | None:
        if not isinstance(value, dict):
            return ""
        missing = ((f".{name}", "") for name in needed if name not in value)
        known = ((f".{n}", shape(value[n])) for n, shape in shapes.items() if n in value)
        return _first((*missing, *known))

    return wrong


def _option(value: Any) -> str | None:
    scalar = _is(str, int, float, bool)
    inner = {"value": scalar, "options": _listing(_option), "focused": _is(bool)}
    return _having({"name": _is(str), "type": _is(int)}, inner)(value)


def _component(value: Any) -> str | None:
    """Check a component in a row of a message; return its fault, if any."""
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


def _in_a_row(value: Any) -> str | None:
    """Check up to five buttons, or one select."""
    if (way := _listing(_component, _MOST_IN_A_ROW)(value)) is not None:
        return way
    kinds = [one["type"] for one in value]
    buttons = all(kind == _BUTTON for kind in kinds)
    return None if buttons or (len(kinds) == 1 and kinds[0] in _SELECTS) else ""


_TEXT: Final = _is(str)
_WORDS: Final = _having({"type": _that(lambda value: value == _TEXT_DISPLAY), "content": _TEXT})
_MEDIA: Final = _having({"url": _TEXT})
_PARTS: Final = {
    _ROW: _having({"components": _in_a_row}),
    _SECTION: _having({"components": _listing(_WORDS), "accessory": _component}),
    _TEXT_DISPLAY: _WORDS,
    _GALLERY: _having({"items": _listing(_having({"media": _MEDIA}))}),
    _FILE: _having({"file": _MEDIA}),
}


def _part(value: Any) -> str | None:
    """Check a row, or a part of a message that is laid out by newer components."""
    kind = value.get("type") if isinstance(value, dict) else None
    return _PARTS[kind](value) if type(kind) is int and kind in _PARTS else ".type"


_ROWS: Final = _listing(_part, _MOST_PARTS)
"""The components of a message of ours; discord.py fails on rows within rows."""

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
    {"user": _USER, "roles": _listing(_is_id)}, {"nick": _NAME, "permissions": _is_bits}
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
    {"id": _is_id, "name": _TEXT, "type": _that(lambda value: value in _ENTERED)},
    {"options": _listing(_option), "resolved": _RESOLVED, "guild_id": _is_id},
)
_FILES: Final = _listing(_having({"filename": _TEXT}))
_MESSAGE: Final = _having(
    {"id": _is_id, "content": _TEXT, "author": _having({"id": _is_id})}, {"attachments": _FILES}
)
_ON_A_MESSAGE: Final = _having(
    {
        "id": _is_id,
        "name": _TEXT,
        "type": _that(lambda value: value == _MESSAGE_COMMAND),
        "target_id": _is_id,
        "resolved": _having({"messages": _mapping(_MESSAGE)}),
    },
    {"guild_id": _is_id},
)


_ON_A_PERSON: Final = _having(
    {
        "id": _is_id,
        "name": _TEXT,
        "type": _that(lambda value: value == _PERSON_COMMAND),
        "target_id": _is_id,
        "resolved": _having({"users": _mapping(_USER)}, _RESOLVED_PARTS),
    },
    {"guild_id": _is_id},
)


def _command(value: Any) -> str | None:
    """Return a slash command, or one on a message or a person, who comes along."""
    kind = value.get("type") if isinstance(value, dict) else None
    for of, shape, among in (
        (_MESSAGE_COMMAND, _ON_A_MESSAGE, "messages"),
        (_PERSON_COMMAND, _ON_A_PERSON, "users"),
    ):
        if kind == of:
            way = shape(value)
            came = way is None and str(value["target_id"]) in value["resolved"][among]
            return way if way is not None or came else ".target_id"
    return _SLASH(value)


_PRESS: Final = _having(
    {"custom_id": _TEXT, "component_type": _is(int)}, {"values": _listing(_TEXT)}
)
_FIELD: Final = _having({"custom_id": _TEXT}, {"value": _TEXT, "values": _listing(_TEXT)})
_FORM: Final = _having(
    {
        "custom_id": _TEXT,
        "components": _listing(_having({}, {"component": _FIELD, "components": _listing(_FIELD)})),
    }
)
_DATA: Final = {2: _command, 3: _PRESS, 4: _SLASH, 5: _FORM}
_INTERACTION: Final = _having(
    {
        "id": _is_id,
        "application_id": _is_id,
        "token": _TEXT,
        "type": _that(lambda value: type(value) is int and value in _DATA),
    },
    {
        "guild_id": _is_id,
        "channel_id": _is_id,
        "app_permissions": _is_bits,
        "member": _MEMBER,
        "user": _USER,
        "message": _having(
            {},
            {"components": _ROWS, "flags": _is(int), "content": _TEXT, "attachments": _FILES},
        ),
    },
)


def wrong_in(data: Any) -> str | None:
    """Return the way to the field by which a payload is no interaction; None if it can be read."""
    if (way := _INTERACTION(data)) is not None:
        return way
    if (way := _DATA[data["type"]](data.get("data"))) is not None:
        return f".data{way}"
    if ("member" in data) != ("guild_id" in data):
        return ".member" if "guild_id" in data else ".guild_id"
    return None if "member" in data or "user" in data else ".user"


_KINDS: Final = frozenset(kind.value for kind in discord.ChannelType)
_CHANNEL: Final = _having(
    {"id": _is_id, "type": _that(lambda value: type(value) is int and value in _KINDS)}
)
_AMONG_PEOPLE = 2
"""Discord's number for places of direct messages that the bot is not in."""
_UNSAID: Final = {
    "name": "",
    "position": 0,
    "permission_overwrites": [],
    "bitrate": 0,
    "user_limit": 0,
    "owner_id": 0,
    "message_count": 0,
    "member_count": 0,
    "thread_metadata": {
        "archived": False,
        "auto_archive_duration": 0,
        "archive_timestamp": "1970-01-01T00:00:00+00:00",
    },
}
"""Fields of a channel that discord.py reads, and Discord need not send with an interaction."""


def _filled_up(data: dict[str, Any]) -> dict[str, Any]:
    """Return an interaction with all that discord.py reads of its channel and its message.

    Of a channel Discord need not send more than the number; and of a kind that is new, discord.py
    would forget that, too. Either is taken for a channel as plain as can be.
    """
    if "message" in data:
        data = {**data, "message": {"components": [], **data["message"]}}
    channel: Any = data.get("channel")
    if _CHANNEL(channel) is None:
        return {**data, "channel": {**_UNSAID, **channel}}
    found = [channel.get("id")] if isinstance(channel, dict) else []
    number = next((one for one in (*found, data.get("channel_id")) if _is_id(one) is None), None)
    if number is None:
        return {name: value for name, value in data.items() if name != "channel"}
    kind = discord.ChannelType.text
    if "guild_id" not in data:
        alone = data.get("context") != _AMONG_PEOPLE
        kind = discord.ChannelType.private if alone else discord.ChannelType.group
    return {**data, "channel": {**_UNSAID, "id": number, "type": kind.value}}


_log = structlog.get_logger()

_NEEDED = ("READY", "RESUMED")
"""Without these there is no session."""

_OF_INTERACTION, _OF_EDIT = "INTERACTION_CREATE", "MESSAGE_UPDATE"

Parse = Callable[[Any], Any]


def pass_over_broken_ones(parsers: dict[str, Parse]) -> None:
    """Guard the parsers of a client's connection, by the names of their events."""
    for name, parse in parsers.items():
        if name not in _NEEDED:
            parsers[name] = _guarded(name, parse)


def _guarded(name: str, parse: Parse) -> Parse:
    def guarded(data: Any) -> None:
        try:
            if name == _OF_INTERACTION:
                if (way := wrong_in(data)) is not None:
                    raise ValueError(f"no interaction has such a {way[1:] or 'shape'}")  # noqa: TRY301 - told below like others
                data = _filled_up(data)
            if name == _OF_EDIT and "author" not in data:
                return  # it tells of something else than a new text, such as a link's preview
            parse(data)
        except Exception as error:
            _log.warning(
                "an event could not be read",
                event_name=name,
                error=f"{type(error).__name__}: {error}",
            )

    return guarded
