"""Interactions are known by their shape: what only a broken one has is not read."""

from typing import Any

import pytest

from bot.connection.unreadable_events import wrong_in

LAID_OUT: list[dict[str, Any]] = [
    {
        "type": 9,
        "components": [{"type": 10, "content": "That cost much."}],
        "accessory": {"type": 2, "style": 1, "label": "Look", "custom_id": "x"},
    },
    {"type": 12, "items": [{"media": {"url": "https://cdn.discordapp.com/b.png"}}]},
    {"type": 13, "file": {"url": "https://cdn.discordapp.com/b.html"}},
]
COMPONENT = ".message.components[0].components[0].type"


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
    assert wrong_in(press({}, {})) is None
    assert wrong_in(press({"global_name": name}, {"nick": name})) is None


@pytest.mark.parametrize("name", [["Ann"], 1.5, 7, {"name": "Ann"}, True])
def test_names_that_are_no_words_are_broken(name: object) -> None:
    assert wrong_in(press({"global_name": name}, {})) == ".member.user.global_name"
    assert wrong_in(press({}, {"nick": name})) == ".member.nick"


def test_what_stands_in_the_message_is_text() -> None:
    """The bot reads from its own messages what was pasted into them."""

    def under(content: object) -> dict[str, Any]:
        return press({}, {}) | {"message": {"components": [], "content": content}}

    assert wrong_in(under("A1")) is None
    found = {wrong_in(under(strange)) for strange in (["A1"], {"a": 1}, 1, None)}
    assert found == {".message.content"}


def test_a_command_on_a_person_brings_them_along() -> None:
    bob = {"id": "6", "username": "bob", "discriminator": "0", "avatar": None}

    def asked(**changes: object) -> dict[str, Any]:
        data = {"id": "7", "name": "Profile", "type": 2, "target_id": "6"}
        data |= {"resolved": {"users": {"6": bob}}} | changes
        return press({}, {}) | {"type": 2, "data": data}

    assert wrong_in(asked()) is None
    member = {"6": {"permissions": "0", "roles": []}}
    assert wrong_in(asked(resolved={"users": {"6": bob}, "members": member})) is None
    shapes: dict[str, dict[str, Any]] = {
        ".target_id": {"target_id": "8"},
        ".resolved.users": {"resolved": {"messages": {"6": {}}}},
        ".resolved.users.*.username": {"resolved": {"users": {"6": bob | {"username": 7}}}},
        ".resolved.members.*.roles": {
            "resolved": {"users": {"6": bob}, "members": {"6": {"permissions": "0"}}}
        },
    }
    for way, broken in shapes.items():
        assert wrong_in(asked(**broken)) == f".data{way}"


@pytest.mark.parametrize(
    ("changes", "way"),
    [
        ({"token": 7}, ".token"),
        ({"type": 1}, ".type"),
        ({"data": {"custom_id": "x"}}, ".data.component_type"),
        ({"message": {"components": [{"type": 1, "components": [{"type": "2"}]}]}}, COMPONENT),
        ({"message": {"components": [{"type": 99}]}}, ".message.components[0].type"),
        (
            {"message": {"components": [LAID_OUT[0], {"type": 10}]}},
            ".message.components[1].content",
        ),
        ({"user": {}, "member": None}, ".member"),
    ],
)
def test_what_is_dropped_names_its_field(changes: dict[str, Any], way: str) -> None:
    assert wrong_in(press({}, {}) | changes) == way


def test_a_message_that_is_laid_out_is_read() -> None:
    assert wrong_in(press({}, {}) | {"message": {"components": LAID_OUT}}) is None


def test_what_is_missing_is_named() -> None:
    data = press({}, {})
    assert wrong_in({name: value for name, value in data.items() if name != "member"}) == ".member"
    assert wrong_in({name: value for name, value in data.items() if name != "id"}) == ".id"
    assert wrong_in([]) == ""
