"""Tests for a guild's scheduled events: created, found, changed, deleted."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import discord
import pytest

from sandbox import GuildAdmin, Permission, Sandbox
from tests.sandbox.clients import INTENTS, Api, Bot, running

P = Permission


def _soon(**ahead: int) -> str:
    return (datetime.now(UTC) + timedelta(**ahead)).isoformat()


def _body(**other: object) -> dict[str, object]:
    return {
        "name": "Autumn Swiss",
        "description": "Three rounds.",
        "scheduled_start_time": _soon(days=1),
        "scheduled_end_time": _soon(days=2),
        "privacy_level": 2,
        "entity_type": 3,
        "entity_metadata": {"location": "#dvonn"},
        **other,
    }


@pytest.fixture
def path(guild: GuildAdmin) -> str:
    guild.set_role_permissions(guild.bot_role, guild.bot_role.permissions | P.CREATE_EVENTS)
    return f"/guilds/{guild.id}/scheduled-events"


async def test_discord_py_makes_finds_changes_and_ends_one(
    world: Sandbox, guild: GuildAdmin, path: str
) -> None:
    intents = discord.Intents(INTENTS.value)
    intents.guild_scheduled_events = True
    bot = Bot(intents=intents)
    heard: list[tuple[str, str]] = []

    @bot.event
    async def on_scheduled_event_create(event: discord.ScheduledEvent) -> None:
        heard.append(("made", event.name))

    @bot.event
    async def on_scheduled_event_update(
        _: discord.ScheduledEvent, event: discord.ScheduledEvent
    ) -> None:
        heard.append((event.status.name, event.name))

    async with running(world, bot):
        server = bot.get_guild(guild.id)
        assert server is not None
        begins = datetime.now(UTC) + timedelta(days=1)
        made = await server.create_scheduled_event(
            name="Autumn Swiss",
            start_time=begins,
            end_time=begins + timedelta(hours=3),
            location="#dvonn",
            entity_type=discord.EntityType.external,
            privacy_level=discord.PrivacyLevel.guild_only,
        )
        (found,) = await server.fetch_scheduled_events(with_counts=True)
        assert (found.id, found.location, found.start_time) == (made.id, "#dvonn", begins)
        assert found.creator_id == world.bot_user.id
        await made.edit(name="Winter Swiss")
        going_on = await made.start()
        await going_on.end()
        assert await server.fetch_scheduled_events() == []
    changes = [("scheduled", "Winter Swiss"), ("active", "Winter Swiss")]
    assert heard == [("made", "Autumn Swiss"), *changes, ("completed", "Winter Swiss")]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": "x" * 101}, "name"),
        ({"name": None}, "name"),
        ({"description": "x" * 1_001}, "description"),
        ({"scheduled_start_time": _soon(days=-1)}, "scheduled_start_time"),
        ({"scheduled_start_time": "soon"}, "scheduled_start_time"),
        ({"scheduled_end_time": None}, "scheduled_end_time"),
        ({"scheduled_end_time": _soon(hours=1)}, "scheduled_end_time"),
        ({"entity_type": 2}, "entity_type"),
        ({"entity_type": None}, "entity_type"),
        ({"privacy_level": None}, "privacy_level"),
        ({"entity_metadata": None}, "entity_metadata"),
        ({"entity_metadata": {"location": "x" * 101}}, "entity_metadata"),
    ],
)
async def test_faults_are_refused_with_their_place(
    guild: GuildAdmin, path: str, api: Api, wrong: dict[str, object], field: str
) -> None:
    status, answer = await api("POST", path, _body(**wrong))
    assert (status, answer["code"]) == (400, 50035)
    assert list(answer["errors"]) == [field]
    assert guild.guild.events == {}


async def test_the_rights_to_create_and_change_one(guild: GuildAdmin, path: str, api: Api) -> None:
    status, made = await api("POST", path, _body())
    assert status == 200
    own = f"{path}/{made['id']}"
    granted = guild.bot_role.permissions
    guild.set_role_permissions(guild.bot_role, granted & ~P.CREATE_EVENTS)
    for method, where, body in (
        ("POST", path, _body()),
        ("PATCH", own, {"name": "x"}),
        ("DELETE", own, None),
    ):
        status, answer = await api(method, where, body)
        assert (status, answer["code"]) == (403, 50013)
    assert (await api("GET", own))[1] == made
    guild.set_role_permissions(guild.bot_role, granted)
    guild.guild.events[int(made["id"])].creator_id = guild.owner.id
    assert (await api("DELETE", own))[0] == 403
    guild.set_role_permissions(guild.bot_role, granted | P.MANAGE_EVENTS)
    assert (await api("DELETE", own))[0] == 204
    status, answer = await api("GET", own)
    assert (status, answer["code"]) == (404, 10070)


async def test_an_event_proceeds_only_in_order(path: str, api: Api) -> None:
    _, made = await api("POST", path, _body())
    own = f"{path}/{made['id']}"
    for status, code in ((3, 400), (2, 200), (4, 400), (3, 200), (2, 404)):
        assert (await api("PATCH", own, {"status": status}))[0] == code


async def test_there_are_a_hundred_at_most(path: str, api: Api) -> None:
    for _ in range(100):
        assert (await api("POST", path, _body()))[0] == 200
    status, answer = await api("POST", path, _body())
    assert (status, answer["code"]) == (400, 30038)


async def test_a_stored_world_restores_its_events(tmp_path: Path) -> None:
    async with Sandbox(folder=tmp_path) as world:
        guild = world.create_guild("Friends")
        guild.set_role_permissions(guild.bot_role, guild.bot_role.permissions | P.CREATE_EVENTS)
        async with aiohttp.ClientSession() as session:
            api = Api(world, session)
            assert (await api("POST", f"/guilds/{guild.id}/scheduled-events", _body()))[0] == 200
        (before,) = guild.guild.events.values()
    async with Sandbox(folder=tmp_path) as world:
        (after,) = world.state.guilds[guild.id].events.values()
    assert repr(after) == repr(before)
