"""Tests for responses to interactions: content, deadlines, tokens, forms, limits."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from sandbox import (
    Channel,
    GuildAdmin,
    InteractionFailed,
    InvocationRefused,
    ManualClock,
    Patience,
    Person,
    Sandbox,
)
from tests.sandbox.clients import Api, Socket, connected


async def register(api: Api, world: Sandbox, *names: str) -> None:
    body = [{"name": name, "description": name} for name in names]
    status, answer = await api("PUT", f"/applications/{world.application.id}/commands", body)
    assert status == 200, answer


@pytest.fixture
async def socket(world: Sandbox, channel: Channel, ann: Person, api: Api) -> AsyncIterator[Socket]:
    """A minimal bot with the command /move, in a world with the channel and Ann."""
    await register(api, world, "move")
    async with connected(world) as socket:
        await socket.event("READY")
        yield socket


async def begin(
    socket: Socket, person: Person, channel: Channel
) -> tuple[dict[str, Any], asyncio.Task[Any]]:
    """Use a slash command.

    Return the interaction that the bot receives, and the task that waits for the answer.
    """
    using = asyncio.create_task(person.slash(channel, "move"))
    return await socket.event("INTERACTION_CREATE"), using


def callback(event: dict[str, Any]) -> str:
    return f"/interactions/{event['id']}/{event['token']}/callback"


async def test_three_seconds_are_all_there_is(
    world: Sandbox, channel: Channel, ann: Person, api: Api, clock: ManualClock, socket: Socket
) -> None:
    event, using = await begin(socket, ann, channel)
    clock.advance(2.9)
    assert not using.done()
    clock.advance(0.2)
    with pytest.raises(InteractionFailed, match="The application did not respond"):
        await using
    body = {"type": 4, "data": {"content": "late"}}
    status, answer = await api("POST", callback(event), body)
    assert (status, answer["code"]) == (404, 10062)
    assert channel.messages == []


async def test_three_seconds_can_be_made_more(
    world: Sandbox, channel: Channel, ann: Person, api: Api, clock: ManualClock, socket: Socket
) -> None:
    world.state.first_response_s = 10
    event, using = await begin(socket, ann, channel)
    clock.advance(9.9)
    body = {"type": 4, "data": {"content": "in time"}}
    assert await api("POST", callback(event), body) == (204, None)
    assert (await using).content == "in time"


async def test_people_of_a_busy_machine_have_more_time_for_it() -> None:
    async with Sandbox(patience=Patience(lambda *_: True, response_s=10)) as world:
        assert world.state.first_response_s == 10


async def test_a_second_callback_is_refused(
    world: Sandbox, channel: Channel, ann: Person, api: Api, socket: Socket
) -> None:
    event, using = await begin(socket, ann, channel)
    body = {"type": 4, "data": {"content": "one"}}
    assert await api("POST", callback(event), body) == (204, None)
    status, answer = await api("POST", callback(event), body)
    assert (status, answer["code"]) == (400, 40060)
    assert (await using).content == "one"
    assert len(channel.messages) == 1


async def test_a_refused_response_can_be_mended(
    world: Sandbox, channel: Channel, ann: Person, api: Api, socket: Socket
) -> None:
    event, using = await begin(socket, ann, channel)
    for body, code in (
        ({"type": 4, "data": {"content": "x" * 2001}}, 50035),
        ({"type": 4, "data": {}}, 50006),
        ({"type": 7, "data": {"content": "no message to update"}}, 50035),
        ({"type": 8, "data": {"choices": []}}, 50035),
        ({"type": 12}, 50035),
    ):
        assert (await api("POST", callback(event), body))[1]["code"] == code
    for wrong in ({"token": "made-up"}, {"id": "1"}):
        path = callback({**event, **wrong})
        assert (await api("POST", path, {"type": 5}))[1]["code"] == 10062
    status, answer = await api(
        "POST", callback(event), {"type": 5}, query={"with_response": "true"}
    )
    assert status == 200
    assert answer["interaction"]["response_message_loading"] is True
    assert (await using).deferred


async def test_a_token_lives_fifteen_minutes(
    world: Sandbox, channel: Channel, ann: Person, api: Api, clock: ManualClock, socket: Socket
) -> None:
    event, using = await begin(socket, ann, channel)
    webhook = f"/webhooks/{world.application.id}/{event['token']}"
    # Before the first response there can be no follow-up.
    assert (await api("POST", webhook, {"content": "early"}))[1]["code"] == 10015
    await api("POST", callback(event), {"type": 4, "data": {"content": "one"}})
    await using
    clock.advance(14 * 60)
    status, more = await api("POST", webhook, {"content": "two"})
    assert (status, more["webhook_id"]) == (200, str(world.application.id))
    status, mine = await api("PATCH", f"{webhook}/messages/@original", {"content": "uno"})
    assert (status, mine["content"]) == (200, "uno")
    assert (await api("GET", f"{webhook}/messages/{more['id']}"))[1]["content"] == "two"
    assert (await api("DELETE", f"{webhook}/messages/{more['id']}"))[0] == 204
    assert (await api("GET", f"{webhook}/messages/{more['id']}"))[1]["code"] == 10008
    clock.advance(61)
    status, answer = await api("POST", webhook, {"content": "three"})
    assert (status, answer["code"]) == (401, 50027)
    assert [message.content for message in channel.messages] == ["uno"]


async def test_without_a_bot_an_interaction_fails_at_once(
    world: Sandbox, channel: Channel, ann: Person, api: Api
) -> None:
    await register(api, world, "move")
    with pytest.raises(InteractionFailed, match="no bot is connected"):
        await ann.slash(channel, "move")


async def test_the_data_of_an_interaction(
    world: Sandbox, guild: GuildAdmin, channel: Channel, ann: Person, api: Api, socket: Socket
) -> None:
    event, using = await begin(socket, ann, channel)
    assert event["application_id"] == str(world.application.id)
    assert (event["type"], event["version"], event["context"]) == (2, 1, 0)
    assert event["guild_id"] == str(guild.id)
    assert event["member"]["user"]["id"] == str(ann.id)
    assert int(event["member"]["permissions"]) == channel.permissions_of(ann.user)
    assert int(event["app_permissions"]) == channel.permissions_of(world.bot_user)
    assert event["authorizing_integration_owners"] == {"0": str(guild.id)}
    assert event["channel"]["id"] == event["channel_id"] == str(channel.id)
    assert event["data"]["name"] == "move"
    assert "user" not in event
    await api("POST", callback(event), {"type": 4, "data": {"content": "x"}})
    message = (await using).message
    assert message.interaction["user"]["id"] == str(ann.id)


async def test_actions_that_the_client_prevents(
    *, world: Sandbox, guild: GuildAdmin, channel: Channel, ann: Person, bob: Person, api: Api
) -> None:
    kinds = {"t": 3, "i": 4, "b": 5, "u": 6, "c": 7, "r": 8, "n": 10}
    options: list[dict[str, Any]] = [
        {"name": name, "description": "d", "type": kind} for name, kind in kinds.items()
    ]
    options[0] |= {"min_length": 2, "max_length": 3}
    options[1] |= {"choices": [{"name": "one", "value": 1}]}
    body = [
        {"name": "try", "description": "d", "options": options},
        {"name": "home", "description": "d", "dm_permission": False},
        {
            "name": "more",
            "description": "d",
            "options": [{"name": "sub", "description": "d", "type": 1}],
        },
    ]
    await api("PUT", f"/applications/{world.application.id}/commands", body)
    for values, told in (
        ({"t": 5}, "takes text"),
        ({"t": "x"}, "takes 2 to 3 characters"),
        ({"i": 2}, "is one of"),
        ({"i": "two"}, "takes a number"),
        ({"b": "yes"}, "takes true or false"),
        ({"u": "Bob"}, "'u' does not take 'Bob'"),
        ({"c": ann}, "'c' does not take"),
        ({"r": ann}, "'r' does not take"),
        ({"n": "1.5"}, "takes a number"),
    ):
        with pytest.raises(InvocationRefused, match=told):
            await ann.slash(channel, "try", **values)
    with pytest.raises(InvocationRefused, match="has no suggestions"):
        await ann.autocomplete(channel, "try", t="x")
    with pytest.raises(InvocationRefused, match="not offered in direct messages"):
        await ann.slash(ann.dm, "home")
    with pytest.raises(InvocationRefused, match="no command /here"):
        await ann.slash(ann.dm, "here")
    with pytest.raises(InvocationRefused, match="there is no 'sup' among"):
        await ann.slash(channel, "more sup")
    async with connected(world) as socket:
        await socket.event("READY")
        role = guild.create_role("club")
        using = asyncio.create_task(
            ann.slash(channel, "try", t="abc", i="one", b=True, u=bob, c=channel, r=role, n=1.5)
        )
        data = (event := await socket.event("INTERACTION_CREATE"))["data"]
        values = {option["name"]: option["value"] for option in data["options"]}
        assert values == {
            "t": "abc",
            "i": 1,
            "b": True,
            "u": str(bob.id),
            "c": str(channel.id),
            "r": str(role.id),
            "n": 1.5,
        }
        resolved = data["resolved"]
        assert resolved["users"][str(bob.id)]["username"] == "bob"
        assert "user" not in resolved["members"][str(bob.id)]
        assert resolved["channels"][str(channel.id)]["name"] == "dvonn"
        assert resolved["roles"][str(role.id)]["name"] == "club"
        await api("POST", callback(event), {"type": 4, "data": {"content": "x"}})
        await using
        using = asyncio.create_task(ann.slash(channel, "home"))
        event = await socket.event("INTERACTION_CREATE")
        assert "options" not in event["data"]
        await api("POST", callback(event), {"type": 4, "data": {"content": "x"}})
        await using


async def test_buttons_that_can_not_be_pressed(
    guild: GuildAdmin, channel: Channel, ann: Person, api: Api
) -> None:
    link = {"type": 2, "style": 5, "label": "Rules", "url": "https://example.com"}
    body = {"content": "x", "components": [{"type": 1, "components": [link]}]}
    _, sent = await api("POST", f"/channels/{channel.id}/messages", body)
    message = channel.history[int(sent["id"])]
    assert (message.buttons[0].url, message.buttons[0].style) == ("https://example.com", 5)
    with pytest.raises(InvocationRefused, match="is a link to https"):
        await ann.click(message, "Rules")
    with pytest.raises(InvocationRefused, match="not the bot's"):
        await ann.click(await ann.say(channel, "mine"), "Rules")
    guild.set_permissions(channel, ann, deny=1 << 10)
    with pytest.raises(InvocationRefused, match="50001"):
        await ann.click(message, "Rules")
    await api("DELETE", f"/channels/{channel.id}/messages/{message.id}")
    with pytest.raises(InvocationRefused, match="the message is gone"):
        await ann.click(message, "Rules")


TEXT = {"type": 4, "custom_id": "t", "label": "Move", "style": 1}


def modal(*items: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"custom_id": "m", "title": "Move", "components": list(items), **more}


def label(component: dict[str, Any]) -> dict[str, Any]:
    return {"type": 18, "label": "Label", "component": component}


@pytest.mark.parametrize(
    "data",
    [
        modal(title="x" * 46),
        modal(),
        modal({"type": 1, "components": [TEXT]}, custom_id="x" * 101),
        modal(*({"type": 1, "components": [{**TEXT, "custom_id": str(n)}]} for n in range(6))),
        modal({"type": 1, "components": [TEXT]}, {"type": 1, "components": [TEXT]}),
        modal({"type": 1, "components": [{**TEXT, "label": "x" * 46}]}),
        modal({"type": 1, "components": [{**TEXT, "label": None}]}),
        modal({"type": 1, "components": [{**TEXT, "style": 3}]}),
        modal({"type": 1, "components": [{**TEXT, "placeholder": "x" * 101}]}),
        modal({"type": 1, "components": [{**TEXT, "max_length": 4001}]}),
        modal({"type": 1, "components": []}),
        modal({"type": 2}),
        modal({"type": 18, "label": "Label"}),
    ],
)
async def test_modals_have_limits(
    world: Sandbox, channel: Channel, ann: Person, api: Api, data: dict[str, Any], socket: Socket
) -> None:
    event, using = await begin(socket, ann, channel)
    status, answer = await api("POST", callback(event), {"type": 9, "data": data})
    assert (status, answer["code"]) == (400, 50035)
    await api("POST", callback(event), {"type": 4, "data": {"content": "x"}})
    await using


async def test_a_modal_with_a_select(
    world: Sandbox, channel: Channel, ann: Person, api: Api, socket: Socket
) -> None:
    options = [{"label": "a", "value": "a1"}, {"label": "b", "value": "b2"}]
    select = {"type": 3, "custom_id": "s", "options": options}
    data = modal({"type": 10, "content": "Choose."}, label(select))
    event, using = await begin(socket, ann, channel)
    assert (await api("POST", callback(event), {"type": 9, "data": data}))[0] == 204
    answer = await using
    with pytest.raises(InvocationRefused, match="no modal has opened"):
        await ann.submit(None, {})
    sending = asyncio.create_task(ann.submit(answer.modal, {"Label": ["b2"]}))
    event = await socket.event("INTERACTION_CREATE")
    assert (event["type"], event["data"]["custom_id"]) == (5, "m")
    assert event["data"]["components"][1]["component"]["values"] == ["b2"]
    # A modal from a command has no message to update.
    assert (await api("POST", callback(event), {"type": 7}))[1]["code"] == 50035
    await api("POST", callback(event), {"type": 4, "data": {"content": "done"}})
    done = (await sending).message
    assert done is not None
    assert done.interaction is not None
    assert done.interaction["triggering_interaction_metadata"]["type"] == 2


@pytest.mark.parametrize(
    "choices",
    [
        [{"name": "x" * 101, "value": "x"}],
        [{"name": "x", "value": "x" * 101}],
        [{"name": "x"}],
        [{"name": str(n), "value": str(n)} for n in range(26)],
        None,
    ],
)
async def test_suggestions_have_limits(
    world: Sandbox, channel: Channel, ann: Person, api: Api, choices: object
) -> None:
    option = {"name": "o", "description": "d", "type": 3, "autocomplete": True}
    body = [{"name": "move", "description": "d", "options": [option]}]
    await api("PUT", f"/applications/{world.application.id}/commands", body)
    async with connected(world) as socket:
        await socket.event("READY")
        using = asyncio.create_task(ann.autocomplete(channel, "move", o="d"))
        event = await socket.event("INTERACTION_CREATE")
        assert event["data"]["options"][0]["focused"] is True
        data = {} if choices is None else {"choices": choices}
        status, answer = await api("POST", callback(event), {"type": 8, "data": data})
        assert (status, answer["code"]) == (400, 50035)
        assert (await api("POST", callback(event), {"type": 4}))[1]["code"] == 50035
        await api("POST", callback(event), {"type": 8, "data": {"choices": []}})
        assert await using == []
