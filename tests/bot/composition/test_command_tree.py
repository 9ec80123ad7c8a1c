"""Discord's limits on commands, of which one too many makes the registration of all fail."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest

from bot.composition import command_tree
from bot.connection.command_registration import keep_registering
from bot.connection.permissions import can_be_brought
from bot.play.doors.interactions import ServicesClient
from sandbox import Sandbox

MOST_ENTRIES, MOST_OPTIONS = 20, 4
FITS_A_PHONE = 65
"""So long a description stays in two lines of the list on a phone."""
MODERATORS = {"setup"}
OF_A_SERVER = {*MODERATORS, "tournament"}
AMONG_PEOPLE = {"challenge"}
SLASH, ON_A_PERSON, ON_A_MESSAGE = 1, 2, 3
MOST_IN_A_MENU = 5
"""So many commands on people, and on messages, every client of Discord's shows."""
SUBCOMMAND, GROUP = 1, 2
IN_SERVERS, IN_DIRECT_MESSAGES, IN_GROUPS = 0, 1, 2
BY_SERVERS, BY_PEOPLE = 0, 1
CHOOSABLE = {3, 4, 10}  # text, whole numbers, numbers
# What is a letter or a digit in any script, "-", "_" and "'".
NAME = re.compile(r"[-_'\w]{1,32}")

Payload = dict[str, Any]


def faults(commands: list[Payload]) -> list[str]:
    """What Discord would refuse, or what would show a command where it cannot be used."""
    found = [f"{len(commands)} commands"] if len(commands) > 100 else []
    for command in commands:
        if command["type"] in {ON_A_PERSON, ON_A_MESSAGE}:
            found += [] if 1 <= len(command["name"]) <= 32 else [f"{command['name']}: name"]
        else:
            found += _of_parts([command], "")
        if (length := sum(map(len, _texts(command)))) > 8_000:
            found.append(f"{command['name']}: {length} characters")
        where, by_whom = _offered(command["name"])
        if command.get("contexts") != where:
            found.append(f"{command['name']}: not where it can be used")
        if command.get("integration_types") != by_whom:
            found.append(f"{command['name']}: not installed by whom it is for")
    for kind in (ON_A_PERSON, ON_A_MESSAGE):
        if (count := sum(command["type"] == kind for command in commands)) > MOST_IN_A_MENU:
            found.append(f"{count} in a menu")
    return found + [f"{name}: there twice" for name in _twice(commands)]


def _offered(name: str) -> tuple[list[int], list[int]]:
    """Where a command is offered, and to those of whose installations."""
    if name in OF_A_SERVER:
        return [IN_SERVERS], [BY_SERVERS]
    direct = [] if name in AMONG_PEOPLE else [IN_DIRECT_MESSAGES]
    return [IN_SERVERS, *direct, IN_GROUPS], [BY_SERVERS, BY_PEOPLE]


def _of_parts(parts: list[Payload], path: str) -> Iterator[str]:
    """Of commands, subcommands or options, which have much in common."""
    for part in parts:
        name, options = part["name"], part.get("options", [])
        where = f"{path}{name}"
        if not NAME.fullmatch(name) or name != name.lower():
            yield f"{where}: name"
        if not 1 <= len(part["description"]) <= 100:
            yield f"{where}: description"
        if len(options) > 25:
            yield f"{where}: {len(options)} options"
        choices = part.get("choices", [])
        if len(choices) > 25 or any(not 1 <= len(str(c["name"])) <= 100 for c in choices):
            yield f"{where}: choices"
        if (choices or part.get("autocomplete")) and part["type"] not in CHOOSABLE:
            yield f"{where}: choices for what has none"
        required = [bool(option.get("required")) for option in options]
        if required != sorted(required, reverse=True):
            yield f"{where}: a required option after others"
        if len({option["type"] in {SUBCOMMAND, GROUP} for option in options}) > 1:
            yield f"{where}: subcommands beside options"
        yield from (f"{where} {twice}: there twice" for twice in _twice(options))
        yield from _of_parts(options, f"{where} ")


def _twice(parts: list[Payload]) -> set[str]:
    names = [part["name"] for part in parts]
    return {name for name in names if names.count(name) > 1}


def _texts(part: Payload) -> Iterator[str]:
    """What counts towards the 8000 characters of a command."""
    yield from (part["name"], part.get("description", ""))
    for choice in part.get("choices", []):
        yield from (str(choice["name"]), str(choice["value"]))
    for option in part.get("options", []):
        yield from _texts(option)


@pytest.fixture
async def commands() -> list[Payload]:
    """All commands, as Discord is told of them."""
    tree = command_tree(ServicesClient(intents=discord.Intents.none()))
    return [command.to_dict(tree) for command in tree.get_commands()]


async def test_every_command_is_within_discords_limits(commands: list[Payload]) -> None:
    assert {"play", "challenge", "move", "undo", "settings", *MODERATORS} <= {
        command["name"] for command in commands
    }
    assert sum(command["type"] == SLASH for command in commands) <= 25
    assert faults(commands) == []


def entries(commands: list[Payload]) -> dict[str, Payload]:
    """What a plain member sees on typing /, by its path."""
    found: dict[str, Payload] = {}
    for command in commands:
        if command["type"] == SLASH and command["default_member_permissions"] is None:
            found |= _leaves(command["name"], command)
    return found


def _leaves(path: str, part: Payload) -> dict[str, Payload]:
    inner = [one for one in part.get("options", []) if one["type"] in {SUBCOMMAND, GROUP}]
    if not inner:
        return {path: part}
    return {
        name: leaf for one in inner for name, leaf in _leaves(f"{path} {one['name']}", one).items()
    }


async def test_a_plain_member_sees_few_entries_with_few_options_each(
    commands: list[Payload],
) -> None:
    seen = entries(commands)
    assert len(seen) <= MOST_ENTRIES, sorted(seen)
    many = {path for path, one in seen.items() if len(one.get("options", [])) > MOST_OPTIONS}
    assert many == {"tournament correct"}, "which organisers alone need"
    assert all(len(one["description"]) <= FITS_A_PHONE for one in seen.values())


async def test_what_moderators_do_is_offered_to_nobody_else(commands: list[Payload]) -> None:
    manage_channels = discord.Permissions(manage_channels=True).value
    assert {
        command["name"]: command["default_member_permissions"]
        for command in commands
        if command["default_member_permissions"] is not None
    } == dict.fromkeys(MODERATORS, manage_channels)


OPTION = {"name": "x", "description": "x", "type": 3}
GOOD = {
    "name": "good",
    "description": "Good",
    "type": 1,
    "contexts": [0, 1, 2],
    "integration_types": [0, 1],
    "options": [{**OPTION, "required": True}, {**OPTION, "name": "y"}],
}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"name": "Good"}, "Good: name"),
        ({"name": "go od"}, "go od: name"),
        ({"name": "g" * 33}, "g" * 33 + ": name"),
        ({"description": ""}, "good: description"),
        ({"description": "x" * 101}, "good: description"),
        ({"options": [{**OPTION, "name": f"o{n}"} for n in range(26)]}, "good: 26 options"),
        ({"options": [OPTION, {**OPTION, "name": "y", "required": True}]}, "good: a required"),
        ({"options": [OPTION, {**OPTION, "name": "y", "type": 1}]}, "good: subcommands beside"),
        ({"options": [OPTION, OPTION]}, "good x: there twice"),
        ({"options": [{**OPTION, "description": ""}]}, "good x: description"),
        ({"options": [{**OPTION, "choices": [{"name": "", "value": ""}]}]}, "good x: choices"),
        ({"options": [{**OPTION, "type": 7, "autocomplete": True}]}, "good x: choices for what"),
        (
            {"options": [{**OPTION, "choices": [{"name": "a" * 99, "value": "b" * 99}] * 26}]},
            "good x: choices",
        ),
        (
            {
                "options": [
                    {**OPTION, "name": f"o{n}", "choices": [{"name": "a" * 99, "value": "b"}] * 25}
                    for n in range(4)
                ]
            },
            "good: 10",
        ),
        ({"contexts": [0]}, "good: not where it can be used"),
        ({"contexts": [0, 1]}, "good: not where it can be used"),
        ({"name": "challenge"}, "challenge: not where it can be used"),
        ({"contexts": None}, "good: not where it can be used"),
        ({"type": 3, "name": "g" * 33}, "g" * 33 + ": name"),
        ({"name": "setup"}, "setup: not where it can be used"),
        ({"integration_types": [0]}, "good: not installed by whom it is for"),
        ({"name": "setup", "contexts": [0]}, "setup: not installed by whom it is for"),
    ],
)
def test_each_fault_would_be_seen(change: Payload, fault: str) -> None:
    assert faults([GOOD]) == []
    assert any(found.startswith(fault) for found in faults([GOOD | change]))


def test_too_many_commands_and_twins_would_be_seen() -> None:
    menu = [GOOD | {"name": f"good{number}", "type": ON_A_PERSON} for number in range(6)]
    assert faults(menu) == ["6 in a menu"]
    many = [GOOD | {"name": f"good{number}"} for number in range(101)]
    assert faults(many) == ["101 commands"]
    assert faults([GOOD, GOOD]) == ["good: there twice"]


@pytest.mark.parametrize("by_people", [True, False])
async def test_where_people_cannot_add_it_its_commands_are_for_servers_alone(
    monkeypatch: pytest.MonkeyPatch, *, by_people: bool
) -> None:
    async with Sandbox() as world:
        world.application.user_install = by_people
        monkeypatch.setattr(discord.http.Route, "BASE", world.api_url)
        async with ServicesClient(intents=discord.Intents.none()) as client:
            await client.login(world.token)
            may = can_be_brought(client.application)
            assert may is by_people
            tree, ids = command_tree(client), dict[str, int]()
            for _ in range(2):  # the second time nothing is left to be told
                await keep_registering(
                    *(tree, client.http, world.application.id),
                    by_people=may,
                    learn=ids.update,
                    tick=asyncio.sleep,
                )
        told = [one for one in world.exchanges if one.method == "PUT"]
        assert [one.status for one in told] == [200]
        commands = world.application.commands.values()
        beyond = [one["name"] for one in commands if one["integration_types"] != [BY_SERVERS]]
        assert bool(beyond) is by_people
        assert any(IN_GROUPS in one["contexts"] for one in commands) is by_people
