"""Tests for the person driver: waiting, reading, and the world around it."""

import asyncio
import re
import sys
from pathlib import Path

import aiohttp
import discord
import pytest

from sandbox import Channel, GuildAdmin, InvocationRefused, ManualClock, Person, RateLimits, Sandbox
from sandbox.snowflakes import Snowflakes, seconds
from tests.sandbox.clients import Api, Bot, connected, running

ROOT = Path(__file__).resolve().parents[2]


async def test_waiting_finds_existing_and_future_messages(channel: Channel, ann: Person) -> None:
    old = await ann.say(channel, "old")
    first = await ann.say(channel, "first")
    second = await ann.say(channel, "second")
    assert await channel.wait_for() is second
    assert await channel.wait_for(after=old) is second
    assert await channel.wait_for(lambda message: "first" in message.content, after=old) is first
    waiting = asyncio.create_task(channel.wait_for(after=second))
    edited = asyncio.create_task(channel.wait_for(lambda message: message.content == "changed"))
    await asyncio.sleep(0)  # let both start waiting
    third = await ann.say(channel, "third")
    assert await waiting is third
    await ann.edit(first, "changed")
    assert await edited is first


async def test_a_timeout_lists_the_existing_messages(channel: Channel, ann: Person) -> None:
    typed = await ann.say(channel, "old")
    with pytest.raises(TimeoutError, match=r"#dvonn; seen:\n  nothing"):
        await channel.wait_for(after=typed, timeout=0)
    await ann.say(channel, "new", files=[("a.txt", b"a")])
    with pytest.raises(TimeoutError, match=r"seen:\n  Ann: 'new' \[a.txt\]$"):
        await channel.wait_for(lambda message: message.buttons, after=typed, timeout=0)
    with pytest.raises(TimeoutError, match="shown to Ann; seen:\n  nothing"):
        await ann.ephemeral(timeout=0)


async def test_a_check_that_fails_fails_where_it_is_waited_for(
    channel: Channel, ann: Person
) -> None:
    waiting = asyncio.create_task(channel.wait_for(lambda message: message.attachments[0]))
    await asyncio.sleep(0)
    await ann.say(channel, "no picture")
    with pytest.raises(IndexError):
        await waiting


async def test_waiting_for_a_bot_that_does_not_come(world: Sandbox, api: Api) -> None:
    with pytest.raises(TimeoutError, match="identified: False; commands registered: False"):
        await world.wait_ready(timeout=0)
    async with connected(world) as socket:
        await socket.event("READY")
        with pytest.raises(TimeoutError, match="identified: True; commands registered: False"):
            await world.wait_ready(timeout=0)
        await api("PUT", f"/applications/{world.application.id}/commands", [])
        await world.wait_ready(timeout=0)


async def test_people_in_several_guilds(world: Sandbox, guild: GuildAdmin, ann: Person) -> None:
    other = world.create_guild("Others")
    place = other.create_channel("there")
    with pytest.raises(InvocationRefused, match="50001"):
        await ann.say(place, "hello")
    other.join(ann)
    assert (await ann.say(place, "hello")).author is ann.user
    assert (guild.guild.members.keys() & other.guild.members.keys()) >= {ann.id}


async def test_direct_messages(world: Sandbox, ann: Person, bob: Person, api: Api) -> None:
    bot = Bot()

    @bot.event
    async def on_message(message: discord.Message) -> None:
        if message.author.id == ann.id:
            assert isinstance(message.channel, discord.DMChannel)
            await message.reply(f"re: {message.content}")

    async with running(world, bot):
        typed = await ann.say(ann.dm, "hello")
        answer = await ann.dm.wait_for(after=typed)
        assert (answer.content, set(answer.pinged)) == ("re: hello", {ann.id})
        user = await bot.fetch_user(bob.id)
        sent = await user.send("and you?")
        assert bob.dm.messages[0].id == sent.id
        bob.user.accepts_dms = False
        with pytest.raises(discord.Forbidden) as refusal:
            await user.send("hello?")
        assert refusal.value.code == 50007
    with pytest.raises(InvocationRefused, match="50001"):
        await bob.say(ann.dm, "may I?")
    assert (await api("POST", "/users/@me/channels", {"recipient_id": "1"}))[1]["code"] == 10013
    assert (await api("GET", f"/channels/{ann.dm.id}"))[1]["recipients"][0]["id"] == str(ann.id)


async def test_members_are_looked_up(
    guild: GuildAdmin, channel: Channel, ann: Person, api: Api
) -> None:
    status, member = await api("GET", f"/guilds/{guild.id}/members/{ann.id}")
    assert (status, member["user"]["global_name"]) == (200, "Ann")
    guild.kick(ann)
    assert (await api("GET", f"/guilds/{guild.id}/members/{ann.id}"))[1]["code"] == 10007
    assert (await api("GET", f"/guilds/{guild.id}/members/1"))[1]["code"] == 10013
    assert (await api("GET", f"/users/{ann.id}"))[1]["username"] == "ann"
    assert (await api("GET", "/users/1"))[1]["code"] == 10013
    assert (await api("GET", f"/guilds/{guild.id}"))[1]["name"] == "Friends"


async def test_bots_and_webhooks_can_post(
    world: Sandbox, guild: GuildAdmin, channel: Channel
) -> None:
    robot = guild.add_person("Robot", bot=True)
    async with running(world, Bot()) as bot:
        seen = bot.wait_for("message")
        await robot.say(channel, "beep")
        assert (await seen).author.bot
        seen = bot.wait_for("message")
        guild.webhook_says(channel, "News", "extra")
        message = await seen
        assert (message.author.name, message.webhook_id is not None) == ("News", True)


async def test_the_token_opens_the_door(world: Sandbox, api: Api) -> None:
    status, answer = await api("GET", "/users/@me", token="wrong")
    assert (status, answer["message"]) == (401, "401: Unauthorized")
    _, me = await api("GET", "/users/@me")
    assert (me["id"], me["bot"]) == (str(world.bot_user.id), True)
    _, application = await api("GET", "/applications/@me")
    assert application["flags"] == 1 << 19
    _, gateway = await api("GET", "/gateway/bot")
    assert gateway["url"] == world.gateway_url
    assert gateway["session_start_limit"]["remaining"] == 1000
    world.token = "wrong"
    with pytest.raises(discord.LoginFailure):
        await running(world, Bot()).__aenter__()


async def test_unknown_routes_are_listed() -> None:
    async with Sandbox() as world, aiohttp.ClientSession() as session:
        headers = {"Authorization": f"Bot {world.token}"}
        for method, path in (
            ("GET", "/api/v10/voice/regions"),
            ("DELETE", "/api/v10/users/@me"),
            ("GET", "/api/v9/users/@me"),
            ("GET", "/favicon.ico"),
        ):
            url = world.state.base_url + path
            async with session.request(method, url, headers=headers) as response:
                assert response.status == 404
                assert response.headers["Content-Type"] == "application/json"
        assert world.unknown_routes == [
            "GET /api/v10/voice/regions",
            "DELETE /api/v10/users/@me",
            "GET /api/v9/users/@me",
            "GET /favicon.ico",
        ]


async def test_the_cdn_serves_sent_files(channel: Channel, ann: Person) -> None:
    typed = await ann.say(channel, files=[("my move.txt", b"d2-d4")])
    (file,) = typed.attachments
    assert file.filename == "my_move.txt"
    assert await ann.fetch(file) == b"d2-d4"
    file.url = file.url.replace("my_move", "your_move")
    with pytest.raises(aiohttp.ClientResponseError, match="404"):
        await ann.fetch(file)


async def test_recording_can_be_switched_off() -> None:
    async with Sandbox(record=False, rate_limits=RateLimits.generous()) as world:
        async with running(world, Bot()):
            pass
        assert world.exchanges == []


def test_ids_follow_the_clock_and_never_repeat() -> None:
    clock = ManualClock(1_750_000_000.5)
    snowflakes = Snowflakes(clock)
    ids = [snowflakes.next() for _ in range(3)]
    assert [seconds(number) for number in ids] == [1_750_000_000.5] * 3
    clock.advance(0.001)
    ids.append(snowflakes.next())
    assert seconds(ids[-1]) == 1_750_000_000.501
    clock.advance(-10)
    ids.append(snowflakes.next())
    assert sorted(set(ids)) == ids


def test_a_clock_moved_by_hand_calls_each_at_its_moment() -> None:
    clock = ManualClock(100.0)
    called: list[tuple[str, float]] = []
    clock.call_at(103, lambda: called.append(("late", clock.time())))
    clock.call_at(101, lambda: called.append(("early", clock.time())))
    clock.call_at(102, lambda: called.append(("never", clock.time()))).cancel()
    clock.call_at(105, lambda: called.append(("too late", clock.time())))
    clock.advance(4)
    assert called == [("early", 101), ("late", 103)]
    assert clock.time() == 104


async def test_python_m_sandbox_prints_how_to_connect_a_bot() -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sandbox", "--port", "0"), stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    text = ""
    while "DISCORD_TOKEN" not in text:
        text += (await process.stdout.readline()).decode()
    url = re.search(r"DISCORD_API_URL=(\S+)", text)
    token = re.search(r"DISCORD_TOKEN=(\S+)", text)
    assert url is not None
    assert token is not None
    headers = {"Authorization": f"Bot {token[1]}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"{url[1]}/users/@me") as response,
    ):
        assert (await response.json())["bot"] is True
    process.terminate()
    assert await process.wait() == 0
