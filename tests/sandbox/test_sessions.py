"""Tests for sessions: how Discord counts them, how they end, and guild outages."""

from typing import Any

import pytest

from sandbox import Channel, GuildAdmin, Limit, ManualClock, Person, RateLimits, Sandbox
from tests.sandbox.clients import Api, ClosedError, Socket, connected


async def allowed(api: Api) -> dict[str, Any]:
    status, told = await api("GET", "/gateway/bot")
    assert status == 200
    return dict(told["session_start_limit"])


async def test_each_identify_is_counted_and_a_day_later_forgotten(
    clock: ManualClock, world: Sandbox, api: Api
) -> None:
    fresh = {"total": 1_000, "remaining": 1_000, "reset_after": 86_400_000, "max_concurrency": 1}
    assert await allowed(api) == fresh
    async with connected(world) as socket:
        await socket.event("READY")
        clock.advance(3_600)
        assert await allowed(api) == {**fresh, "remaining": 999, "reset_after": 82_800_000}
        async with connected(world, identify=False) as again:
            resume = {"token": world.token, "session_id": socket.session_id, "seq": socket.sequence}
            await again.send(6, resume)
            await again.event("RESUMED")
    assert (await allowed(api))["remaining"] == 999
    clock.advance(82_800)
    assert await allowed(api) == fresh


async def test_one_too_many_costs_the_token(world: Sandbox, api: Api) -> None:
    world.state.gateway.total = 2
    async with connected(world) as first, connected(world) as second:
        await first.event("READY")
        await second.event("READY")
        async with connected(world) as third:
            for socket in (third, first, second):
                assert await closing(socket) == 4004
    assert (await api("GET", "/users/@me"))[0] == 401
    async with connected(world) as late:
        assert await closing(late) == 4004


async def closing(socket: Socket) -> int:
    """Return the code with which a connection is closed. Earlier events are skipped."""
    while True:
        try:
            await socket.receive()
        except ClosedError as closed:
            return closed.code


class TestTurns:
    @pytest.fixture
    def limits(self) -> RateLimits:
        return RateLimits.generous().but(identify=Limit(1, 5))

    async def test_shards_of_one_remainder_identify_at_five_seconds_distance(
        self, clock: ManualClock, world: Sandbox
    ) -> None:
        world.state.gateway.max_concurrency = 2
        for shard, begins in ((0, True), (1, True), (2, False)):
            async with connected(world, shard=[shard, 4]) as socket:
                answer = await socket.receive()
                assert (answer["t"], answer["op"]) == (("READY", 0) if begins else (None, 9))
        clock.advance(5)
        async with connected(world, shard=[2, 4]) as socket:
            await socket.event("READY")


@pytest.mark.parametrize("resumable", [True, False])
async def test_sessions_can_be_invalid_at_once(world: Sandbox, *, resumable: bool) -> None:
    async with connected(world) as socket:
        await socket.event("READY")
        with world.faults.invalidate_always(resumable=resumable) as fault:
            async with connected(world) as another:
                assert await another.receive() == {"t": None, "s": None, "op": 9, "d": resumable}
            async with connected(world, identify=False) as another:
                resume = {"token": world.token, "session_id": socket.session_id, "seq": 1}
                await another.send(6, resume)
                assert (await another.receive())["op"] == 9
    assert fault.hits == world.state.gateway.identifies == 2


async def test_a_session_can_end_with_its_beginning(world: Sandbox, guild: GuildAdmin) -> None:
    with world.faults.end_after_ready(code=4009):
        async with connected(world) as socket:
            await socket.event("READY")
            assert await closing(socket) == 4009
            session = socket.session_id
    async with connected(world, identify=False) as another:
        await another.send(6, {"token": world.token, "session_id": session, "seq": 1})
        assert (await another.receive())["d"] is False
    assert guild.name


async def request_members(socket: Socket, guild: GuildAdmin, nonce: str) -> None:
    question = {"guild_id": str(guild.id), "query": "", "limit": 1, "nonce": nonce}
    await socket.send(8, question)


async def test_a_server_in_an_outage_says_nothing(
    world: Sandbox, guild: GuildAdmin, channel: Channel, ann: Person
) -> None:
    other = world.create_guild("Others")
    async with connected(world) as socket:
        await socket.event("READY")
        with world.faults.outage(guild.guild) as outage:
            gone = await socket.event("GUILD_DELETE")
            assert gone == {"id": str(guild.id), "unavailable": True}
            await ann.say(channel, "anybody here?")
            await request_members(socket, guild, "away")
            await request_members(socket, other, "there")
            assert (await socket.event("GUILD_MEMBERS_CHUNK"))["nonce"] == "there"
            assert outage.hits == 1
            async with connected(world) as newcomer:
                ready = await newcomer.event("READY")
                assert {row["id"] for row in ready["guilds"]} == {str(guild.id), str(other.id)}
                assert (await newcomer.event("GUILD_CREATE"))["id"] == str(other.id)
        assert (await socket.event("GUILD_CREATE"))["id"] == str(guild.id)
        await ann.say(channel, "at last")
        assert (await socket.event("MESSAGE_CREATE"))["content"] == "at last"


async def test_discord_may_not_know_of_an_outage_yet(world: Sandbox, guild: GuildAdmin) -> None:
    with world.faults.outage(guild.guild, is_announced=False) as outage:
        async with connected(world) as socket:
            assert (await socket.event("GUILD_CREATE"))["id"] == str(guild.id)
            await request_members(socket, guild, "away")
            await outage.met()
            await socket.send(1, None)
            assert (await socket.receive())["op"] == 11
