"""Tests for rate limits: headers, 429s, and a client that obeys them."""

import discord
import pytest

from sandbox import Channel, Limit, ManualClock, RateLimits, Sandbox
from sandbox.ratelimits import RateLimiter
from tests.sandbox.clients import Api, Bot, running


@pytest.fixture
def limits() -> RateLimits:
    return RateLimits()


@pytest.fixture
def channel(world: Sandbox) -> Channel:
    return world.create_guild("Friends").create_channel("dvonn")


async def test_every_response_names_its_bucket(channel: Channel, api: Api) -> None:
    path = f"/channels/{channel.id}/messages"
    assert (await api("POST", path, {"content": "x"}))[0] == 200
    first = api.headers
    assert (first["X-RateLimit-Limit"], first["X-RateLimit-Remaining"]) == ("5", "4")
    assert float(first["X-RateLimit-Reset-After"]) == 5
    assert (await api("POST", path, {"content": ""}))[0] == 400
    assert api.headers["X-RateLimit-Remaining"] == "3"
    assert api.headers["X-RateLimit-Bucket"] == first["X-RateLimit-Bucket"]
    await api("GET", path)
    assert api.headers["X-RateLimit-Bucket"] != first["X-RateLimit-Bucket"]


async def test_a_bucket_is_a_channels_own_and_fills_up_again(
    world: Sandbox, clock: ManualClock, channel: Channel, api: Api
) -> None:
    other = world.create_guild("Others").create_channel("dvonn")
    path = f"/channels/{channel.id}/messages"
    for _ in range(5):
        assert (await api("POST", path, {"content": "x"}))[0] == 200
    clock.advance(2)
    status, body = await api("POST", path, {"content": "x"})
    assert (status, body["global"], body["retry_after"]) == (429, False, 3.0)
    assert body["message"] == "You are being rate limited."
    assert api.headers["X-RateLimit-Scope"] == "user"
    assert (api.headers["Retry-After"], api.headers["X-RateLimit-Remaining"]) == ("3", "0")
    assert api.headers["Via"]  # without it, discord.py treats the response as a ban
    assert (await api("POST", f"/channels/{other.id}/messages", {"content": "x"}))[0] == 200
    clock.advance(3)
    assert (await api("POST", path, {"content": "x"}))[0] == 200
    assert len(channel.messages) == 6


async def test_at_most_fifty_requests_a_second(
    world: Sandbox, clock: ManualClock, channel: Channel, api: Api
) -> None:
    for n in range(25):
        await api("GET", f"/users/{n + 1}")
        await api("GET", "/applications/@me")
    status, body = await api("GET", "/users/@me")
    assert (status, body["global"]) == (429, True)
    assert api.headers["X-RateLimit-Scope"] == "global"
    assert api.headers["X-RateLimit-Global"] == "true"
    # Responses to interactions are exempt.
    status, _ = await api("POST", "/interactions/1/made-up/callback", {"type": 5})
    assert status == 404
    assert "X-RateLimit-Bucket" not in api.headers
    webhook = f"/webhooks/{world.application.id}/made-up"
    assert (await api("POST", webhook, {"content": "x"}))[0] == 404
    clock.advance(1)
    assert (await api("GET", "/users/@me"))[0] == 200


async def test_old_messages_are_edited_seldom(
    world: Sandbox, clock: ManualClock, channel: Channel, api: Api
) -> None:
    most = RateLimits().old_edits.requests
    path = f"/channels/{channel.id}/messages"
    _, sent = await api("POST", path, {"content": "x"})

    async def edit() -> tuple[int, int]:
        clock.advance(1.0)  # below the ordinary limit on edits
        status, body = await api("PATCH", f"{path}/{sent['id']}", {"content": "y"})
        return status, body.get("code", 0)

    for _ in range(most + 1):
        assert await edit() == (200, 0)
    clock.advance(3600)
    for _ in range(most):
        assert await edit() == (200, 0)
    assert await edit() == (429, 30046)
    assert api.headers["Via"]


async def test_discord_py_waits_and_comes_again() -> None:
    limits = RateLimits.generous().but(create_message=Limit(2, 0.05))
    async with Sandbox(rate_limits=limits) as world:
        guild = world.create_guild("Friends")
        channel = guild.create_channel("dvonn")
        ann = guild.add_person("Ann")
        bot = Bot()

        @bot.event
        async def on_message(message: discord.Message) -> None:
            if message.content == "go":
                for n in range(7):
                    await message.channel.send(str(n))

        async with running(world, bot):
            typed = await ann.say(channel, "go")
            await channel.wait_for(lambda message: message.content == "6", after=typed)
        assert [m.content for m in channel.messages[1:]] == [str(n) for n in range(7)]


async def test_interactions_follow_ups_have_a_bucket_a_token(
    world: Sandbox, clock: ManualClock
) -> None:
    limiter = RateLimiter(RateLimits(), clock)
    for _ in range(5):
        assert limiter.check("webhook", "one token").refusal is None
    assert limiter.check("webhook", "one token").refusal is not None
    assert limiter.check("webhook", "another").refusal is None


async def test_routes_without_a_limit_of_their_own_do_not_share_one(api: Api) -> None:
    await api("GET", "/users/@me")
    first = api.headers
    await api("GET", "/gateway/bot")
    assert api.headers["X-RateLimit-Bucket"] != first["X-RateLimit-Bucket"]
    assert api.headers["X-RateLimit-Remaining"] == first["X-RateLimit-Remaining"]
