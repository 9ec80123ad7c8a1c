"""Interactions are known by their shape: what only a broken one has is not read."""

from typing import Any

import pytest

from bot.connection.unreadable import is_interaction


def press(user: dict[str, Any], member: dict[str, Any]) -> dict[str, Any]:
    """A button that somebody has pressed in a server."""
    person = {"id": "3", "username": "ann", "discriminator": "0", "avatar": None, **user}
    return {
        "id": "1",
        "application_id": "2",
        "token": "t",
        "type": 3,
        "channel": {"id": "4", "type": 0},
        "guild_id": "5",
        "member": {"user": person, "permissions": "0", "roles": [], **member},
        "data": {"custom_id": "dvonn:help:first", "component_type": 2},
    }


@pytest.mark.parametrize("name", [None, "Ann"])
def test_names_are_words_or_none(name: str | None) -> None:
    assert is_interaction(press({}, {}))
    assert is_interaction(press({"global_name": name}, {"nick": name}))


@pytest.mark.parametrize("name", [["Ann"], 1.5, 7, {"name": "Ann"}, True])
def test_names_that_are_no_words_are_broken(name: object) -> None:
    assert not is_interaction(press({"global_name": name}, {}))
    assert not is_interaction(press({}, {"nick": name}))


def test_what_stands_in_the_message_is_text() -> None:
    """The bot reads from its own messages what was pasted into them."""

    def under(content: object) -> dict[str, Any]:
        return press({}, {}) | {"message": {"components": [], "content": content}}

    assert is_interaction(under("A1"))
    assert not any(is_interaction(under(strange)) for strange in (["A1"], {"a": 1}, 1, None))


def test_a_command_on_a_person_brings_them_along() -> None:
    bob = {"id": "6", "username": "bob", "discriminator": "0", "avatar": None}

    def asked(**changes: object) -> dict[str, Any]:
        data = {"id": "7", "name": "Profile", "type": 2, "target_id": "6"}
        data |= {"resolved": {"users": {"6": bob}}} | changes
        return press({}, {}) | {"type": 2, "data": data}

    assert is_interaction(asked())
    member = {"6": {"permissions": "0", "roles": []}}
    assert is_interaction(asked(resolved={"users": {"6": bob}, "members": member}))
    shapes: list[dict[str, Any]] = [
        {"target_id": "8"},
        {"resolved": {}},
        {"resolved": {"messages": {"6": {}}}},
        {"resolved": {"users": {"6": bob | {"username": 7}}}},
        {"resolved": {"users": {"6": bob}, "members": {"6": {}}}},
    ]
    assert not any(is_interaction(asked(**broken)) for broken in shapes)
