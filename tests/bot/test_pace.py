"""A process makes no more requests in a second than it may, and those that matter go first."""

import asyncio
from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import discord
import pytest
from discord.http import Route

from bot.edge import pace
from bot.edge.hour import Time
from bot.edge.pace import RequestPace
from bot.edge.requests import TooLateError, in_time, tracing
from sandbox import Limit, Person, RateLimits, Sandbox
from tests.bot.conftest import Clock
from tests.bot.test_requests import CLOCKS
from tests.sandbox.clients import Bot, running

A_MINUTE_S = 60.0


class Paced(Bot):
    """A bot that keeps to a share."""

    def __init__(self, a_second: int) -> None:
        self.pace = RequestPace(a_second)
        super().__init__(http_trace=self.pace.heeded_by(tracing(Time(CLOCKS))))


async def me(bot: Bot) -> None:
    await bot.http.request(Route("GET", "/users/@me"))


async def answers(a_second: int) -> list[int]:
    """How a bot with such a share is answered that wants twelve things at once, of six a second."""
    async with Sandbox(rate_limits=RateLimits.generous().but(everything=Limit(6, 1))) as world:
        async with running(world, Paced(a_second)) as bot:
            before = len(world.exchanges)
            await asyncio.gather(*(me(bot) for _ in range(12)))
        return [one.status for one in world.exchanges[before:]]


async def test_what_comes_at_once_is_spread_and_meets_no_limit() -> None:
    assert await answers(6) == [200] * 12


async def test_without_a_share_it_would_be_limited() -> None:
    assert 429 in await answers(1_000)


async def test_what_only_tidies_up_lets_others_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "_SECOND_S", 0)
    share, gone = RequestPace(1), list[str]()

    async def go(name: str, *, patient: bool) -> None:
        share.over(await share.turn(patient=patient))
        gone.append(name)

    await asyncio.gather(
        go("first", patient=False),
        go("tidies", patient=True),
        go("board", patient=False),
    )
    assert gone == ["first", "board", "tidies"]


@pytest.mark.parametrize(
    ("method", "delivers", "patient"),
    [
        ("POST", False, False),
        ("GET", False, False),
        ("PATCH", False, True),
        ("DELETE", False, True),
        ("PATCH", True, False),
    ],
)
async def test_what_must_arrive_never_counts_as_tidying(
    method: str, delivers: bool, patient: bool, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    async def turn(_: RequestPace, *, patient: bool) -> int:
        asked.append(patient)
        return 0

    async with Sandbox() as world, running(world, Paced(50)) as bot:
        monkeypatch.setattr(RequestPace, "turn", turn)
        route = Route(method, "/channels/{channel_id}/messages/1", channel_id=1)
        within = in_time(clock(), clock) if delivers else nullcontext()
        with within, pytest.raises(discord.HTTPException):
            await bot.http.request(route)
    assert asked == [patient]


async def test_answers_to_interactions_wait_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "_SECOND_S", A_MINUTE_S)
    async with Sandbox() as world:
        guild = world.create_guild("Friends")
        channel, ann = guild.create_channel("dvonn"), guild.add_person("Ann")
        bot = Paced(20)

        @bot.tree.command(description="Answers twice.")
        async def twice(interaction: discord.Interaction[Any]) -> None:
            await interaction.response.send_message("one")
            await interaction.followup.send("two")

        async with running(world, bot):
            while not bot.pace._places.are_taken:  # the share of a whole minute is used up
                await me(bot)
            waits = asyncio.create_task(me(bot))
            await say_twice(ann, channel)
            assert not waits.done()
            waits.cancel()


async def test_a_request_that_is_not_made_after_all_leaves_its_place(clock: Clock) -> None:
    async with Sandbox() as world, running(world, Paced(1)) as bot:
        long_ago = clock() - timedelta(hours=1)
        with in_time(long_ago, clock), pytest.raises(TooLateError):
            await me(bot)
        async with asyncio.timeout(A_MINUTE_S):
            await me(bot)


async def say_twice(ann: Person, channel: Any) -> None:
    await ann.slash(channel, "twice")
    await channel.wait_for(lambda message: message.content == "two")
