"""Converts a user's input to an interaction's data, with the same checks as Discord's app."""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from sandbox import access, commands, message_payloads, payloads
from sandbox.components import Component, Kind
from sandbox.errors import ApiError
from sandbox.interactions import (
    by_guild,
    context,
    installations,
    resolved_channel,
    resolved_user,
)
from sandbox.modals import Modal, ModalField
from sandbox.model import JSON, Attachment, Channel, Message, Role, User
from sandbox.permissions import Permission
from sandbox.state import State


class InvocationRefused(Exception):  # noqa: N818 - it is Discord's answer to the user, not an error
    """Discord or its app doesn't allow the user's action."""


def _find_command(
    state: State, channel: Channel, user: User, name: str, kind: int = commands.CHAT_INPUT
) -> JSON:
    """Return a command that a user is using in a channel."""
    _check_person(channel, user)
    candidates = [
        command for command in state.application.commands.values() if command["type"] == kind
    ]
    for command in candidates:
        if command["name"] == name:
            _check_place(channel, user, command)
            return command
    names = ", ".join(sorted({command["name"] for command in candidates})) or "none"
    label = f"/{name}" if kind == commands.CHAT_INPUT else repr(name)
    raise InvocationRefused(f"there is no command {label}; there are: {names}")


def _check_person(channel: Channel, user: User) -> None:
    """Check that a user may use a command in a channel.

    Without Send Messages, commands of guild-installed apps are refused with 50013. Responses of
    user-installed apps become ephemeral.
    """
    needed = Permission.USE_APPLICATION_COMMANDS
    if by_guild(channel, user):
        needed |= access.send_permission(channel)
    try:
        access.require(channel, user, needed)
    except ApiError as error:
        raise InvocationRefused(str(error)) from error


def _check_place(channel: Channel, user: User, command: JSON) -> None:
    owners = installations(channel, user)
    if not any(int(way) in command["integration_types"] for way in owners):
        raise InvocationRefused(f"/{command['name']} is not installed here, nor by {user.name}")
    contexts = command.get("contexts")
    if (contexts is not None or channel.recipients) and context(channel) not in (contexts or ()):
        raise InvocationRefused(f"/{command['name']} is not offered here")
    if channel.guild is None:
        if contexts is None and not command.get("dm_permission", True):
            raise InvocationRefused(f"/{command['name']} is not offered in direct messages")
        return
    needed = command.get("default_member_permissions")
    if needed is not None:
        permissions = channel.permissions_of(user)
        if int(needed) & ~permissions or (int(needed) == 0 and user is not channel.guild.owner):
            raise InvocationRefused(f"/{command['name']} is not offered to {user.name}")


def offered(
    state: State, channel: Channel, user: User, kind: int = commands.CHAT_INPUT
) -> list[JSON]:
    """Return the commands offered to a user in a channel, in the bot's own order.

    Args:
        state: The sandbox's state.
        channel: The channel.
        user: The user who opens the list.
        kind: Slash commands, or commands on a message or a user.
    """
    answer = []
    for command in state.application.commands.values():
        if command["type"] != kind:
            continue
        with contextlib.suppress(InvocationRefused):
            _check_person(channel, user)
            _check_place(channel, user, command)
            answer.append(command)
    return answer


def command_data(
    state: State,
    channel: Channel,
    user: User,
    path: str,
    values: Mapping[str, object],
    *,
    focused: str | None = None,
) -> JSON:
    """Return the ``data`` of a slash command, or of an autocomplete if an option is ``focused``.

    Raises:
        InvocationRefused: if the command, an option or a value is not offered.
    """
    name, *rest = path.split()
    command = _find_command(state, channel, user, name)
    data: JSON = {
        "id": command["id"],
        "name": command["name"],
        "type": command["type"],
    }
    level, place = command, data
    for part in rest:
        nested = [option for option in level.get("options", ()) if option["type"] <= commands.GROUP]
        level = next((option for option in nested if option["name"] == part), {})
        if not level:
            raise InvocationRefused(
                f"/{path}: there is no {part!r} among {[option['name'] for option in nested]}"
            )
        inner: JSON = {"name": part, "type": level["type"]}
        place["options"] = [inner]
        place = inner
    offered = level.get("options", [])
    if any(option["type"] <= commands.GROUP for option in offered):
        raise InvocationRefused(f"/{path} needs one of {[option['name'] for option in offered]}")
    resolved: JSON = {}
    filler = _Filler(channel, user, resolved)
    place["options"] = [
        filler.fill(option, values[option["name"]], focused=option["name"] == focused)
        for option in offered
        if values.get(option["name"]) is not None
    ]
    if place is data and not data["options"]:
        del data["options"]
    _check_complete(path, offered, values, focused)
    if resolved:
        data["resolved"] = resolved
    return data


def message_command_data(state: State, user: User, message: Message, name: str) -> JSON:
    """Return the ``data`` of a command on a message, chosen in the Apps menu.

    Raises:
        InvocationRefused: if the command is not offered.
    """
    command = _find_command(state, message.channel, user, name, commands.MESSAGE)
    payload = message_payloads.message(message, state.bot)
    return {
        "id": command["id"],
        "name": command["name"],
        "type": command["type"],
        "target_id": str(message.id),
        "resolved": {"messages": {str(message.id): payload}},
    }


def user_command_data(state: State, channel: Channel, user: User, target: User, name: str) -> JSON:
    """Return the ``data`` of a command on a user, chosen in the Apps menu.

    Raises:
        InvocationRefused: if the command is not offered.
    """
    command = _find_command(state, channel, user, name, commands.USER)
    resolved: JSON = {}
    resolved_user(channel, target, resolved)
    return {
        "id": command["id"],
        "name": command["name"],
        "type": command["type"],
        "target_id": str(target.id),
        "resolved": resolved,
    }


def _check_complete(
    path: str, offered: list[JSON], values: Mapping[str, object], focused: str | None
) -> None:
    names = {option["name"] for option in offered}
    for name in values:
        if name not in names:
            raise InvocationRefused(f"/{path} has no option {name!r}; it has: {sorted(names)}")
    if focused is not None:
        return
    for option in offered:
        if option.get("required") and values.get(option["name"]) is None:
            raise InvocationRefused(f"/{path} needs {option['name']!r}")


class _Filler:
    """Fills in a command's options and the matching ``resolved``."""

    def __init__(self, channel: Channel, user: User, resolved: JSON) -> None:
        self._channel = channel
        self._user = user
        self._resolved = resolved

    def fill(self, option: JSON, value: Any, *, focused: bool) -> JSON:
        kind = option["type"]
        answer: JSON = {"name": option["name"], "type": kind}
        if focused:
            if not option.get("autocomplete"):
                raise InvocationRefused(f"the option {option['name']!r} has no suggestions")
            # A half-typed value may not be valid yet.
            return {**answer, "value": value, "focused": True}
        return {**answer, "value": self._value(option, kind, value)}

    def _value(self, option: JSON, kind: int, value: Any) -> Any:  # noqa: PLR0911 - one per type
        name = option["name"]
        if kind == commands.STRING:
            return self._text(option, value)
        if kind in {commands.INTEGER, commands.NUMBER}:
            return self._number(option, kind, value)
        if kind == commands.BOOLEAN:
            if not isinstance(value, bool):
                raise InvocationRefused(f"{name!r} takes true or false, not {value!r}")
            return value
        if kind in {commands.USER_OPTION, commands.MENTIONABLE}:
            user = getattr(value, "user", value)
            if isinstance(user, User):
                resolved_user(self._channel, user, self._resolved)
                return str(user.id)
        if kind in {commands.ROLE, commands.MENTIONABLE} and isinstance(value, Role):
            self._resolved.setdefault("roles", {})[str(value.id)] = payloads.role(value)
            return str(value.id)
        if kind == commands.CHANNEL and isinstance(value, Channel):
            resolved_channel(value, self._user, self._resolved)
            return str(value.id)
        if kind == commands.ATTACHMENT and isinstance(value, Attachment):
            payload = message_payloads.attachment(value)
            self._resolved.setdefault("attachments", {})[str(value.id)] = payload
            return str(value.id)
        raise InvocationRefused(f"{name!r} does not take {value!r}")

    @staticmethod
    def _text(option: JSON, value: Any) -> str:
        name = option["name"]
        if not isinstance(value, str):
            raise InvocationRefused(f"{name!r} takes text, not {value!r}")
        choices = {choice["name"]: choice["value"] for choice in option.get("choices", ())}
        if choices:
            if value not in choices and value not in choices.values():
                raise InvocationRefused(f"{name!r} is one of {list(choices)}, not {value!r}")
            return str(choices.get(value, value))
        shortest = option.get("min_length", 0)
        longest = option.get("max_length", commands.MAX_STRING)
        if not shortest <= len(value) <= longest:
            raise InvocationRefused(f"{name!r} takes {shortest} to {longest} characters")
        return value

    @staticmethod
    def _number(option: JSON, kind: int, value: Any) -> int | float:
        name = option["name"]
        choices = {choice["name"]: choice["value"] for choice in option.get("choices", ())}
        value = choices.get(value, value)
        fitting = (int,) if kind == commands.INTEGER else (int, float)
        if isinstance(value, bool) or not isinstance(value, fitting):
            raise InvocationRefused(f"{name!r} takes a number, not {value!r}")
        if choices and value not in choices.values():
            raise InvocationRefused(f"{name!r} is one of {list(choices)}, not {value!r}")
        low, high = option.get("min_value"), option.get("max_value")
        if (low is not None and value < low) or (high is not None and value > high):
            raise InvocationRefused(f"{name!r} is from {low} to {high}, not {value!r}")
        number: int | float = value
        return number


def find_component(
    offered: Sequence[Component], label: str | None, custom_id: str | None
) -> Component:
    """Return the component with a label or custom id, or the only one if neither is given.

    If no label is equal, "d4" is the button "d4 · white, 2 tall".

    Raises:
        InvocationRefused: if there is none, or it is disabled or only a link.
    """
    candidates = [component for component in offered if custom_id in {None, component.custom_id}]
    matches = [component for component in candidates if label in {None, component.label}] or [
        component for component in candidates if component.label.startswith(f"{label} · ")
    ]
    if len(matches) != 1:
        labels = [f"{component.label!r} ({component.custom_id})" for component in offered]
        raise InvocationRefused(
            f"{len(matches)} components fit {label or custom_id!r} among {labels}"
        )
    component = matches[0]
    if component.disabled:
        raise InvocationRefused(f"{component.label!r} is disabled")
    if component.custom_id is None:
        raise InvocationRefused(f"{component.label!r} is a link to {component.url}")
    return component


def component_data(
    message: Message,
    user: User,
    component: Component,
    values: Sequence[str | User | Channel] | None,
) -> JSON:
    """Return the ``data`` of a click, or of a selection of ``values``.

    Raises:
        InvocationRefused: if a value is not offered, or there are too many or too few.
    """
    data: JSON = {
        "custom_id": component.custom_id,
        "component_type": component.kind,
        "id": component.payload["id"],
    }
    if values is None:
        return data
    low, high = component.payload["min_values"], component.payload["max_values"]
    if not low <= len(values) <= high:
        raise InvocationRefused(f"{user.name} has to choose {low} to {high}, not {len(values)}")
    resolved: JSON = {}
    data["values"] = [
        _chosen(message.channel, user, component, value, resolved) for value in values
    ]
    if resolved:
        data["resolved"] = resolved
    return data


def _chosen(
    channel: Channel, user: User, component: Component, value: str | User | Channel, resolved: JSON
) -> str:
    kind = component.kind
    if kind == Kind.STRING_SELECT:
        for label, offered in component.options:
            if value in {label, offered}:
                return offered
    elif kind in {Kind.USER_SELECT, Kind.MENTIONABLE_SELECT}:
        if isinstance(value, User):
            resolved_user(channel, value, resolved)
            return str(value.id)
    elif kind == Kind.CHANNEL_SELECT and isinstance(value, Channel):
        resolved_channel(value, user, resolved)
        return str(value.id)
    raise InvocationRefused(f"the select does not offer {value!r}; it has {component.options}")


def modal_data(
    channel: Channel, user: User, modal: Modal, values: Mapping[str, str | Sequence[str]]
) -> JSON:
    """Return the ``data`` of a submitted modal, given its inputs by custom id or label.

    Inputs that are not given keep their values.

    Raises:
        InvocationRefused: if the modal has no such input, or a text is not allowed there.
    """
    names = {name for field in modal.fields for name in (field.custom_id, field.label)}
    for name in values:
        if name not in names:
            raise InvocationRefused(f"the form has no input {name!r}; it has {sorted(names)}")
    by_id = {
        field.custom_id: _input(field, values.get(field.custom_id, values.get(field.label)))
        for field in modal.fields
    }
    items = []
    for item in modal.components:
        entry: JSON = {"type": item["type"], "id": item["id"]}
        if item["type"] == Kind.LABEL:
            entry["component"] = by_id[item["component"]["custom_id"]]
        elif item["type"] == Kind.ROW:
            entry["components"] = [by_id[part["custom_id"]] for part in item["components"]]
        items.append(entry)
    resolved: JSON = {}
    for field in modal.fields:
        for value in by_id[field.custom_id].get("values", ()):
            _resolve(channel, user, field, value, resolved)
    data: JSON = {"custom_id": modal.custom_id, "components": items}
    return {**data, "resolved": resolved} if resolved else data


def _resolve(channel: Channel, user: User, field: ModalField, value: str, resolved: JSON) -> None:
    kind, guild = field.payload["type"], channel.guild
    if guild is None:
        return
    if kind == Kind.USER_SELECT and int(value) in guild.members:
        resolved_user(channel, guild.members[int(value)].user, resolved)
    elif kind == Kind.CHANNEL_SELECT:
        resolved_channel(guild.channels[int(value)], user, resolved)


def _input(field: ModalField, value: str | Sequence[str] | None) -> JSON:
    payload = field.payload
    answer: JSON = {"type": payload["type"], "id": payload["id"], "custom_id": field.custom_id}
    if not field.is_text:
        return {**answer, "values": list(field.chosen if value is None else value)}
    text = field.value if value is None else str(value)
    if field.required and not text:
        raise InvocationRefused(f"{field.label!r} must be filled in")
    shortest, longest = payload.get("min_length") or 0, payload.get("max_length") or 4000
    if text and not shortest <= len(text) <= longest:
        raise InvocationRefused(f"{field.label!r} takes {shortest} to {longest} characters")
    return {**answer, "value": text}
