"""Tests for an application that a user has installed, in places without the bot."""

import asyncio
from typing import Any

import pytest

from sandbox import (
    Channel,
    GuildAdmin,
    InteractionFailed,
    InvocationRefused,
    ManualClock,
    Person,
    Sandbox,
)
from sandbox.permissions import EVERYONE, Permission
from tests.sandbox.clients import Api, Socket, connected

EVERYWHERE = {"contexts": [0, 1, 2], "integration_types": [0, 1]}
SHOWN = {"content": "for all"}
BUTTON = {"type": 2, "style": 1, "label": "Press", "custom_id": "x"}
WITH_BUTTON = {**SHOWN, "components": [{"type": 1, "components": [BUTTON]}]}


async def register(api: Api, world: Sandbox, **where: object) -> None:
    body = [{"name": "move", "description": "move", **where}]
    status, answer = await api("PUT", f"/applications/{world.application.id}/commands", body)
    assert status == 200, answer


async def use(socket: Socket, person: Person, channel: Channel) -> tuple[dict[str, Any], Any]:
    using = asyncio.create_task(person.slash(channel, "move"))
    return await socket.event("INTERACTION_CREATE"), using


def callback(event: dict[str, Any]) -> str:
    return f"/interactions/{event['id']}/{event['token']}/callback"


def webhook(event: dict[str, Any]) -> str:
    return f"/webhooks/{event['application_id']}/{event['token']}"


@pytest.fixture
def group(world: Sandbox, ann: Person) -> Channel:
    """Ann with two people who share no server with the bot. Only she has installed it."""
    ann.install()
    return world.create_private_channel(ann, *map(world.create_person, ("Bob", "Cid")))


async def test_only_who_has_installed_it_finds_commands_among_people(
    world: Sandbox, group: Channel, ann: Person, api: Api
) -> None:
    bob = world.person(group.recipients[1])
    for where in ({}, {"contexts": [0, 1], "integration_types": [0, 1]}, {"contexts": [0, 1, 2]}):
        await register(api, world, **where)
        with pytest.raises(InvocationRefused, match=r"not offered here|not installed"):
            await ann.slash(group, "move")
    await register(api, world, **EVERYWHERE)
    with pytest.raises(InvocationRefused, match="not installed here, nor by Bob"):
        await bob.slash(group, "move")
    with pytest.raises(InteractionFailed):  # no bot is connected, but the command is offered
        await ann.slash(group, "move")


async def test_commands_for_people_need_the_portals_leave(world: Sandbox, api: Api) -> None:
    world.application.user_install = False
    body = [{"name": "move", "description": "move", **EVERYWHERE}]
    path = f"/applications/{world.application.id}/commands"
    status, answer = await api("PUT", path, body)
    assert (status, answer["code"]) == (400, 50035)
    assert list(answer["errors"]["0"]) == ["integration_types"]
    status, answer = await api("GET", "/applications/@me")
    assert "1" not in answer["integration_types_config"]


async def test_the_bot_has_only_used_parts_there(
    world: Sandbox, group: Channel, ann: Person, api: Api
) -> None:
    await register(api, world, **EVERYWHERE)
    async with connected(world) as socket:
        await socket.event("READY")
        await ann.say(group, "unheard")
        using = asyncio.create_task(ann.slash(group, "move"))
        heard = [await socket.receive()]
        while heard[-1]["t"] != "INTERACTION_CREATE":
            heard.append(await socket.receive())
        assert "MESSAGE_CREATE" not in [row["t"] for row in heard]
        event = heard[-1]["d"]
        assert (event["context"], event["channel"]["type"]) == (2, 3)
        assert event["authorizing_integration_owners"] == {"1": str(ann.id)}
        assert "guild_id" not in event
        await api("POST", callback(event), {"type": 4, "data": SHOWN})
        shown = (await using).message
        assert shown in group.messages
        for method, path in (
            ("GET", f"/channels/{group.id}"),
            ("GET", f"/channels/{group.id}/messages"),
            ("GET", f"/channels/{group.id}/messages/{shown.id}"),
            ("PATCH", f"/channels/{group.id}/messages/{shown.id}"),
            ("DELETE", f"/channels/{group.id}/messages/{shown.id}"),
            ("POST", f"/channels/{group.id}/messages"),
            ("POST", f"/channels/{group.id}/typing"),
        ):
            body = SHOWN if method in {"POST", "PATCH"} else None
            status, answer = await api(method, path, body)
            assert (status, answer["code"]) == (403, 50001), path


async def test_a_user_installed_app_has_five_follow_ups(
    world: Sandbox, group: Channel, ann: Person, channel: Channel, api: Api
) -> None:
    await register(api, world, **EVERYWHERE)
    async with connected(world) as socket:
        await socket.event("READY")
        for place, most in ((group, 5), (channel, 7)):
            event, using = await use(socket, ann, place)
            await api("POST", callback(event), {"type": 4, "data": SHOWN})
            await using
            answers = [await api("POST", webhook(event), SHOWN) for _ in range(7)]
            assert [status for status, _ in answers] == [200] * most + [400] * (7 - most)
            if most < 7:
                assert answers[-1][1]["code"] == 40094


async def test_presses_of_others_use_the_installation_of_its_user(
    world: Sandbox, group: Channel, ann: Person, api: Api, clock: ManualClock
) -> None:
    bob = world.person(group.recipients[1])
    await register(api, world, **EVERYWHERE)
    async with connected(world) as socket:
        await socket.event("READY")
        event, using = await use(socket, ann, group)
        await api("POST", callback(event), {"type": 4, "data": WITH_BUTTON})
        shown = (await using).message
        clock.advance(16 * 60)
        status, answer = await api("PATCH", f"{webhook(event)}/messages/@original", SHOWN)
        assert (status, answer["code"]) == (401, 50027)
        pressing = asyncio.create_task(bob.click(shown, "Press"))
        event = await socket.event("INTERACTION_CREATE")
        assert event["user"]["id"] == str(bob.id)
        assert event["authorizing_integration_owners"] == {"1": str(ann.id)}
        await api("POST", callback(event), {"type": 7, "data": {"content": "pressed"}})
        await pressing
        assert shown.content == "pressed"


async def test_a_server_may_hide_responses_of_user_installed_apps(
    world: Sandbox, ann: Person, api: Api
) -> None:
    ann.install()
    await register(api, world, **EVERYWHERE)
    quiet = world.create_guild(
        "Quiet", permissions=None, everyone=EVERYONE & ~Permission.USE_EXTERNAL_APPS
    )
    mute = world.create_guild(
        "Mute", permissions=None, everyone=EVERYONE & ~Permission.SEND_MESSAGES
    )
    loud = world.create_guild("Loud", permissions=None)
    async with connected(world) as socket:
        await socket.event("READY")
        for guild, is_hidden in ((quiet, True), (mute, True), (loud, False)):
            guild.join(ann)
            place = guild.create_channel("talk")
            event, using = await use(socket, ann, place)
            assert event["authorizing_integration_owners"] == {"1": str(ann.id)}
            await api("POST", callback(event), {"type": 4, "data": SHOWN})
            assert (await using).ephemeral is is_hidden


async def test_direct_messages_reach_who_has_installed_it(
    world: Sandbox, guild: GuildAdmin, api: Api
) -> None:
    cid = world.create_person("Cid")
    assert (await api("POST", f"/channels/{cid.dm.id}/messages", SHOWN))[0] == 403
    cid.install()
    assert (await api("POST", f"/channels/{cid.dm.id}/messages", SHOWN))[0] == 200
