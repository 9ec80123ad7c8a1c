"""Tests for Discord's limits on commands. A single violation makes the whole registration fail."""

from collections import Counter
from typing import Any

import discord
import pytest

from bot.base.health import ActiveFaults, Fault
from bot.client.command_tree import command_tree
from bot.connection.command_registration import _slash_ids, _with_command_name, keep_registering
from bot.connection.permissions import allows_user_install
from bot.play.handlers.interactions import ServicesClient
from sandbox import Sandbox
from sandbox.commands import ENTRY_POINT, enable_activities

MOST_ENTRIES, MOST_OPTIONS = 25, 4
FITS_A_PHONE = 65
"""A description of this length takes two lines in the list on a phone."""
MODERATORS = {"setup"}
SLASH, ON_A_PERSON, ON_A_MESSAGE = 1, 2, 3
MOST_IN_A_MENU = 5
"""Every client of Discord shows this many commands for users, and for messages."""
SUBCOMMAND, GROUP = 1, 2
IN_SERVERS, IN_DIRECT_MESSAGES, IN_GROUPS = 0, 1, 2
BY_SERVERS, BY_PEOPLE = 0, 1

Payload = dict[str, Any]


ANYWHERE = [IN_SERVERS, IN_DIRECT_MESSAGES, IN_GROUPS], [BY_SERVERS, BY_PEOPLE]
AMONG_PEOPLE = [IN_SERVERS, IN_GROUPS], [BY_SERVERS, BY_PEOPLE]
OF_A_SERVER = [IN_SERVERS], [BY_SERVERS]
"""The contexts and installations of a command."""


@pytest.fixture
async def commands() -> list[Payload]:
    """Return all commands as they are registered with Discord."""
    tree = command_tree(ServicesClient(intents=discord.Intents.none()))
    return [command.to_dict(tree) for command in tree.get_commands()]


async def test_commands_are_few_and_offered_where_they_can_be_used(commands: list[Payload]) -> None:
    """Register them with the local Discord, which checks all other limits."""
    named = {
        command["name"]: (command.get("contexts"), command.get("integration_types"))
        for command in commands
    }
    assert {"play", "challenge", "move", "undo", "settings", *MODERATORS} <= set(named)
    assert [
        item for item in named.values() if item not in (ANYWHERE, AMONG_PEOPLE, OF_A_SERVER)
    ] == []
    ways = named["move"], named["challenge"], named["setup"]
    assert ways == (ANYWHERE, AMONG_PEOPLE, OF_A_SERVER)
    kinds = Counter(command["type"] for command in commands)
    assert kinds[SLASH] <= MOST_ENTRIES
    assert max(kinds[ON_A_PERSON], kinds[ON_A_MESSAGE]) <= MOST_IN_A_MENU


def entries(commands: list[Payload]) -> dict[str, Payload]:
    """Return the commands that an ordinary member sees after typing /, by path."""
    found: dict[str, Payload] = {}
    for command in commands:
        if command["type"] == SLASH and command["default_member_permissions"] is None:
            found |= _leaves(command["name"], command)
    return found


def _leaves(path: str, part: Payload) -> dict[str, Payload]:
    inner = [row for row in part.get("options", []) if row["type"] in {SUBCOMMAND, GROUP}]
    if not inner:
        return {path: part}
    return {
        name: leaf for row in inner for name, leaf in _leaves(f"{path} {row['name']}", row).items()
    }


async def test_a_plain_member_sees_few_entries_with_few_options_each(
    commands: list[Payload],
) -> None:
    seen = entries(commands)
    assert len(seen) <= MOST_ENTRIES, sorted(seen)
    assert all(len(item.get("options", [])) <= MOST_OPTIONS for item in seen.values())
    assert all(len(row["description"]) <= FITS_A_PHONE for row in seen.values())


async def test_moderator_commands_are_offered_only_to_moderators(commands: list[Payload]) -> None:
    manage_channels = discord.Permissions(manage_channels=True).value
    assert {
        command["name"]: command["default_member_permissions"]
        for command in commands
        if command["default_member_permissions"] is not None
    } == dict.fromkeys(MODERATORS, manage_channels)


async def never(_seconds: float) -> None:
    raise AssertionError("Discord has refused the commands")


async def register(world: Sandbox, monkeypatch: pytest.MonkeyPatch, *, user_installs: bool) -> None:
    """Register all commands. The second time nothing is sent, because nothing has changed."""
    monkeypatch.setattr(discord.http.Route, "BASE", world.api_url)
    async with ServicesClient(intents=discord.Intents.none()) as client:
        await client.login(world.token)
        may = allows_user_install(client.application)
        assert may is user_installs
        tree, ids = command_tree(client), dict[str, int]()
        for _ in range(2):
            await keep_registering(
                *(tree, client.http, world.application.id),
                user_installs=may,
                learn=ids.update,
                sleep=never,
                degraded=ActiveFaults(),
            )
    told = [exchange for exchange in world.exchanges if exchange.method == "PUT"]
    assert [item.status for item in told] == [200]


@pytest.mark.parametrize("user_installs", [True, False])
async def test_without_user_install_commands_are_for_servers_only(
    monkeypatch: pytest.MonkeyPatch, *, user_installs: bool
) -> None:
    async with Sandbox() as world:
        world.application.user_install = user_installs
        await register(world, monkeypatch, user_installs=user_installs)
        commands = world.application.commands.values()
        beyond = [
            command["name"] for command in commands if command["integration_types"] != [BY_SERVERS]
        ]
        assert bool(beyond) is user_installs
        assert any(IN_GROUPS in command["contexts"] for command in commands) is user_installs


async def test_the_command_that_discord_has_made_for_activities_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Sandbox() as world:
        made = enable_activities(world.state)
        await register(world, monkeypatch, user_installs=True)
        (kept,) = (
            command
            for command in world.application.commands.values()
            if command["type"] == ENTRY_POINT
        )
        given = {"id", "application_id", "version"}
        assert {name: kept[name] for name in made.keys() - given} == {
            name: made[name] for name in made.keys() - given
        }


async def test_refused_commands_are_registered_again_after_growing_delays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    degraded, waits = ActiveFaults(), list[float]()
    too_long = {"code": 50035, "message": "Invalid Form Body", "errors": {"2": {"name": {}}}}
    async with Sandbox() as world:
        monkeypatch.setattr(discord.http.Route, "BASE", world.api_url)
        put = "PUT /applications/{application_id}/commands"
        world.faults.answer(put, status=400, body=too_long, times=2)

        async def sleep(seconds: float) -> None:
            waits.append(seconds)
            assert "Invalid Form Body" in degraded.faults[Fault.COMMANDS_REFUSED]

        async with ServicesClient(intents=discord.Intents.none()) as client:
            await client.login(world.token)
            await keep_registering(
                *(command_tree(client), client.http, world.application.id),
                user_installs=True,
                learn=dict[str, int]().update,
                sleep=sleep,
                degraded=degraded,
            )
        assert waits == [5.0, 10.0]
        assert degraded.faults == {}
        assert world.application.commands


def test_only_slash_commands_can_be_mentioned() -> None:
    told = [{"name": "play", "id": "7", "type": 1}, {"name": "Look closer", "id": "8", "type": 2}]
    assert _slash_ids(told) == {"play": 7}


def test_an_error_names_the_command_that_discord_counts() -> None:
    commands = [{"name": "play"}, {"name": "move"}]
    said = "In 1.options.0: too long In 2: unknown In 0.name: taken"
    assert (
        _with_command_name(said, commands)
        == "In /move.options.0: too long In 2: unknown In /play.name: taken"
    )
