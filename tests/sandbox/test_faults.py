"""Tests for injected faults, with an unmodified discord.py."""

import asyncio
import socket

import aiohttp
import discord
import pytest
from discord import app_commands
from yarl import URL

from sandbox import Channel, GuildAdmin, InteractionFailed, ManualClock, Person, Sandbox
from tests.sandbox.clients import Api, Bot, ClosedError, connected, running

POST = "POST /channels/{channel_id}/messages"
CALLBACK = "POST /interactions/{interaction_id}/{token}/callback"
GET_ME = "GET /users/@me"


class Speaker(Bot):
    """Repeats messages, and counts how it received them."""

    def __init__(self) -> None:
        super().__init__()
        self.identifies = 0
        self.resumes = 0

    async def before_identify_hook(self, shard: int | None, *, initial: bool = False) -> None:
        self.identifies += 1
        await super().before_identify_hook(shard, initial=initial)

    async def on_shard_resumed(self, _: int) -> None:
        self.resumes += 1

    async def on_message(self, message: discord.Message) -> None:
        if message.author != self.user:
            await message.channel.send(f"re: {message.content}")


async def repeated(channel: Channel, person: Person, text: str) -> None:
    """Write a message, and wait until the bot has repeated it."""
    said = await person.say(channel, text)
    await channel.wait_for(lambda message: message.content == f"re: {text}", after=said)


def contents(channel: Channel) -> list[str]:
    return [message.content for message in channel.messages]


async def test_errors_of_the_server_are_tried_again(world: Sandbox, channel: Channel) -> None:
    async with running(world, Bot()) as bot:
        with world.faults.answer(POST, status=502) as fault:
            await bot.get_partial_messageable(channel.id).send("hello")
        assert fault.hits == 1
        world.faults.answer(POST, status=503)
        with pytest.raises(discord.DiscordServerError):
            await bot.get_partial_messageable(channel.id).send("hello again")
        assert contents(channel) == ["hello"]


async def test_a_rate_limit_is_waited_for(world: Sandbox, channel: Channel) -> None:
    async with running(world, Bot()) as bot:
        world.faults.rate_limit(POST, retry_after_s=0.05, times=2)
        await bot.get_partial_messageable(channel.id).send("hello")
    assert contents(channel) == ["hello"]


async def test_a_global_limit_covers_every_route_except_follow_ups(
    world: Sandbox, channel: Channel, clock: ManualClock, api: Api
) -> None:
    path = f"/channels/{channel.id}/messages"
    fault = world.faults.limit_everything(POST, retry_after_s=6.5)
    assert (await api("GET", "/users/@me"))[0] == 200
    status, refusal = await api("POST", path, {"content": "hello"})
    assert (status, refusal["global"], refusal["retry_after"]) == (429, True, 6.5)
    assert fault.is_over
    told = {name: api.headers[name] for name in ("Retry-After", "X-RateLimit-Global", "Via")}
    assert told == {"Retry-After": "7", "X-RateLimit-Global": "true", "Via": "1.1 google"}
    assert api.headers["X-RateLimit-Scope"] == "global"
    clock.advance(6)
    status, refusal = await api("GET", "/users/@me")
    assert (status, refusal["global"], refusal["retry_after"]) == (429, True, 0.5)
    token = f"/webhooks/{world.application.id}/nobody's"
    assert (await api("POST", token, {"content": "hello"}))[0] == 404  # the tester has checked it
    clock.advance(0.5)
    assert (await api("POST", path, {"content": "hello"}))[0] == 200


async def test_without_via_a_rate_limit_is_a_ban(world: Sandbox, channel: Channel) -> None:
    async with running(world, Bot()) as bot:
        fault = world.faults.rate_limit(POST, via=False, times=None)
        with pytest.raises(discord.HTTPException) as refused:
            await bot.get_partial_messageable(channel.id).send("hello")
        assert refused.value.status == 429
        assert fault.hits == 1
        fault.end()
        await bot.get_partial_messageable(channel.id).send("hello")
    assert contents(channel) == ["hello"]


async def test_a_lost_answer_is_a_message_sent(world: Sandbox, channel: Channel) -> None:
    async with running(world, Bot()) as bot:
        world.faults.lose_answer(POST)
        with pytest.raises(aiohttp.ClientConnectionError):
            await bot.http.send_message(
                channel.id, params=discord.http.handle_message_parameters("hello", nonce="1")
            )
        assert contents(channel) == ["hello"]
        await bot.http.send_message(
            channel.id, params=discord.http.handle_message_parameters("hello", nonce="1")
        )
        assert contents(channel) == ["hello"]


async def test_a_lost_request_is_nothing(world: Sandbox, channel: Channel) -> None:
    async with running(world, Bot()) as bot:
        world.faults.lose_request(POST)
        with pytest.raises(aiohttp.ClientConnectionError):
            await bot.get_partial_messageable(channel.id).send("hello")
        assert contents(channel) == []


async def test_a_slow_answer_goes_by_the_sandboxs_clock(
    world: Sandbox, clock: ManualClock, channel: Channel, api: Api
) -> None:
    fault = world.faults.slow(POST, seconds=30)
    sending = asyncio.create_task(api("POST", f"/channels/{channel.id}/messages", {"content": "x"}))
    await channel.wait_for(lambda message: message.content == "x")
    await fault.met()
    clock.advance(29)
    assert (await api("GET", "/users/@me"))[0] == 200
    assert not sending.done()
    clock.advance(1)
    assert (await sending)[0] == 200


async def test_a_held_answer_comes_when_the_fault_ends(
    world: Sandbox, clock: ManualClock, channel: Channel, api: Api
) -> None:
    with world.faults.hold(POST) as fault:
        sending = asyncio.create_task(
            api("POST", f"/channels/{channel.id}/messages", {"content": "x"})
        )
        await channel.wait_for(lambda message: message.content == "x")
        await fault.met()
        clock.advance(3_600)
        assert (await api("GET", "/users/@me"))[0] == 200
        assert not sending.done()
    assert (await sending)[0] == 200


async def test_a_fault_affects_only_its_route(world: Sandbox, channel: Channel, api: Api) -> None:
    other = world.create_guild("Others").create_channel("dvonn")
    fault = world.faults.answer(f"POST /channels/{channel.id}/messages", status=500, times=None)
    for path, expected in ((channel, 500), (other, 200), (channel, 500)):
        status, body = await api("POST", f"/channels/{path.id}/messages", {"content": "x"})
        assert status == expected
        assert expected == 200 or body == {"message": "500: Internal Server Error", "code": 0}
    assert (await api("GET", f"/channels/{channel.id}/messages"))[0] == 200
    assert fault.hits == 2
    assert world.exchanges[-1].status == 200
    for route in ("POST /channels/{id}/letters", "PUT /channels/{id}/messages", "POST /channels"):
        with pytest.raises(ValueError, match="there is no route"):
            world.faults.answer(route, status=500)
    with pytest.raises(TimeoutError, match="it happened 2 times, not 3"):
        await fault.met(3, timeout=0)


async def test_the_oldest_order_comes_first(world: Sandbox, api: Api) -> None:
    world.faults.answer(GET_ME, status=500)
    world.faults.answer(GET_ME, status=404, body={"message": "gone", "code": 5})
    answers = [await api("GET", "/users/@me") for _ in range(3)]
    assert [status for status, _ in answers] == [500, 404, 200]
    assert answers[1][1] == {"message": "gone", "code": 5}


async def test_discord_down_for_a_while(
    world: Sandbox, channel: Channel, ann: Person, api: Api
) -> None:
    async with running(world, Speaker()) as bot:
        assert isinstance(bot, Speaker)
        await repeated(channel, ann, "one")
        lost = bot.wait_for("shard_disconnect")
        async with world.faults.down():
            with pytest.raises(aiohttp.ClientConnectorError):
                await api("GET", "/users/@me")
            await lost
            assert not world.gateway.sessions.connected
        await world.wait_ready()
        await repeated(channel, ann, "two")


@pytest.mark.parametrize("compression", ["", "zlib-stream"])
async def test_a_frame_is_torn_in_the_middle(
    world: Sandbox, channel: Channel, ann: Person, compression: str
) -> None:
    for length in (1, 200, 1900):
        async with connected(world, compression=compression) as socket:
            await socket.event("READY")
            await socket.event("GUILD_CREATE")
            fault = world.faults.tear(after=1)
            await ann.say(channel, "whole")
            await ann.say(channel, "".join(str(n % 7) for n in range(length)))
            assert (await socket.event("MESSAGE_CREATE"))["content"] == "whole"
            with pytest.raises(ClosedError) as closed:
                await socket.receive()
            assert closed.value.code == 1006
            await fault.met()


async def test_a_long_frame_is_torn_in_the_middle(world: Sandbox, guild: GuildAdmin) -> None:
    for number in range(400):
        guild.create_channel(f"channel-{number}")
    world.faults.tear(after=2)  # the greeting and READY
    async with connected(world) as socket:
        await socket.event("READY")
        with pytest.raises(ClosedError) as closed:
            await socket.receive()
        assert closed.value.code == 1006


@pytest.mark.parametrize("how", ["cut", "torn"])
async def test_discord_py_resumes_after_a_cut(
    world: Sandbox, channel: Channel, ann: Person, how: str
) -> None:
    async with running(world, Speaker()) as bot:
        assert isinstance(bot, Speaker)
        await repeated(channel, ann, "one")
        resumed = bot.wait_for("shard_resumed")
        if how == "cut":
            world.faults.cut()
        else:
            world.faults.tear()
        await repeated(channel, ann, "two")
        await resumed
        assert contents(channel).count("re: two") == 1
        assert (bot.identifies, bot.resumes) == (1, 1)


async def test_discord_py_identifies_again_after_a_refused_resume(
    world: Sandbox, channel: Channel, ann: Person
) -> None:
    async with running(world, Speaker()) as bot:
        assert isinstance(bot, Speaker)
        fault = world.faults.refuse_resume()
        await world.disconnect()
        await fault.met()
        await world.wait_ready()
        await repeated(channel, ann, "one")
        assert (bot.identifies, bot.resumes) == (2, 0)


async def test_a_deaf_gateway_drops_its_events_for_good(
    world: Sandbox, channel: Channel, ann: Person
) -> None:
    async with running(world, Speaker()) as bot:
        assert isinstance(bot, Speaker)
        with world.faults.deaf() as fault:
            await ann.say(channel, "one")
            await fault.met()
        await repeated(channel, ann, "two")
        await world.disconnect()
        await repeated(channel, ann, "three")
        assert contents(channel) == ["one", "two", "re: two", "three", "re: three"]
        assert fault.hits == 1


@pytest.mark.parametrize("heartbeats", [True, False])
async def test_a_deaf_gateway_may_still_have_a_heart(world: Sandbox, *, heartbeats: bool) -> None:
    async with connected(world) as socket:
        await socket.event("READY")
        with world.faults.deaf(heartbeats=heartbeats):
            await socket.send(1, None)
            await socket.send(2, {"token": world.token, "intents": 1, "properties": {}})
            if heartbeats:
                assert (await socket.receive())["op"] == 11
            with pytest.raises(ClosedError):  # identifying twice
                await socket.receive()


async def test_tokens_expire_at_once(world: Sandbox, channel: Channel, ann: Person) -> None:
    bot = Bot()
    late: asyncio.Future[discord.Interaction] = asyncio.get_running_loop().create_future()

    @bot.tree.command()
    @app_commands.describe(first="whether to answer")
    async def wait(interaction: discord.Interaction, *, first: bool) -> None:
        """Wait."""
        if first:
            await interaction.response.send_message("soon")
        late.set_result(interaction)

    async with running(world, bot):
        assert (await ann.slash(channel, "wait", first=True)).content == "soon"
        world.faults.expire_tokens()
        with pytest.raises(discord.HTTPException) as refused:
            await (await late).followup.send("too late")
        assert refused.value.code == 50027

        late = asyncio.get_running_loop().create_future()
        using = asyncio.create_task(ann.slash(channel, "wait", first=False))
        interaction = await late
        world.faults.expire_tokens()
        with pytest.raises(InteractionFailed):
            await using
        with pytest.raises(discord.NotFound) as unknown:
            await interaction.response.send_message("too late")
        assert unknown.value.code == 10062


async def test_an_answer_to_an_interaction_can_be_lost(
    world: Sandbox, channel: Channel, ann: Person
) -> None:
    bot = Bot()

    @bot.tree.command()
    async def greet(interaction: discord.Interaction) -> None:
        """Greet."""
        await interaction.response.send_message("hello")

    async with running(world, bot):
        world.faults.lose_answer(CALLBACK)
        assert (await ann.slash(channel, "greet")).content == "hello"
        (error,) = await nonempty(bot.errors)
        assert isinstance(error, app_commands.CommandInvokeError)
        assert isinstance(error.original, aiohttp.ClientConnectionError)
        bot.errors.clear()


async def nonempty(errors: list[BaseException]) -> list[BaseException]:
    while not errors:  # noqa: ASYNC110 - a list tells of no event
        await asyncio.sleep(0)
    return list(errors)


@pytest.mark.parametrize("turns", range(4))
async def test_connections_during_a_stop_are_closed(turns: int) -> None:
    loop = asyncio.get_running_loop()
    async with Sandbox() as world:
        port = URL(world.api_url).port
        assert port is not None
        late = socket.create_connection(("127.0.0.1", port))
        for _ in range(turns):  # iterations of the event loop, which accepts it in one of them
            await asyncio.sleep(0)
        await world.stop_listening()
    late.setblocking(False)
    try:
        assert await loop.sock_recv(late, 1) == b""
    except ConnectionResetError:
        pass
    finally:
        late.close()
