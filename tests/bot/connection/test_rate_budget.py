"""Tests for the rate budget: no more requests per second than allowed, urgent ones first."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any

import aiohttp
import discord
import pytest
from discord.http import Route

from bot.base.ids import SourceId
from bot.base.priority_semaphore import Priority
from bot.client.missed_messages import read_history
from bot.connection import rate_budget as pace
from bot.connection.discord_clock import DiscordClock
from bot.connection.rate_budget import RateBudget
from bot.connection.request_demands import best_effort, low_priority, priority_of, while_claimed
from bot.connection.request_errors import TooLateError
from bot.connection.requests import tracing
from sandbox import Limit, Person, RateLimits, Sandbox
from tests.bot.conftest import Clock
from tests.bot.connection.test_requests import CLOCKS
from tests.sandbox.clients import Bot, running

AN_HOUR_S = 3_600.0
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Paced(Bot):
    """A bot with a share of the budget."""

    def __init__(self, a_second: int) -> None:
        self.pace = RateBudget(a_second)
        trace = tracing(DiscordClock(CLOCKS))
        super().__init__(http_trace=self.pace.add_to_trace(trace, priority_of))


def delivering() -> AbstractContextManager[None]:
    """Send a message that must arrive."""
    return while_claimed(NOON, lambda: NOON)


@contextmanager
def tidying_for_a_delivery() -> Iterator[None]:
    """Clean up after a sent message, in the task that sends it."""
    with delivering(), best_effort():
        yield


@asynccontextmanager
async def at_once() -> AsyncIterator[None]:
    """Send a request that nobody waits for."""
    yield


async def me(bot: Bot) -> None:
    await bot.http.request(Route("GET", "/users/@me"))


async def answers(a_second: int) -> list[int]:
    """Return the responses to twelve simultaneous requests of a bot with such a share of six a
    second."""
    async with Sandbox(rate_limits=RateLimits.generous().but(everything=Limit(6, 1))) as world:
        async with running(world, Paced(a_second)) as bot:
            before = len(world.exchanges)
            await asyncio.gather(*(me(bot) for _ in range(12)))
        return [exchange.status for exchange in world.exchanges[before:]]


async def test_simultaneous_requests_are_spread_below_the_limit() -> None:
    assert await answers(6) == [200] * 12


async def test_without_a_share_it_would_be_limited() -> None:
    assert 429 in await answers(1_000)


async def test_cleanup_lets_other_requests_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "_SECOND_S", 0)
    share, gone = RateBudget(1), list[str]()

    async def go(name: str, haste: Priority) -> None:
        share.release_later(await share.acquire(haste))
        gone.append(name)

    await asyncio.gather(
        go("first", Priority.NOW),
        go("tidies", Priority.OPTIONAL),
        go("closes", Priority.PATIENT),
        go("board", Priority.NOW),
    )
    assert gone == ["first", "board", "closes", "tidies"]


async def test_a_board_finds_room_beside_all_that_is_tidied_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pace, "_SECOND_S", AN_HOUR_S)
    share = RateBudget(12)
    tidying = [asyncio.create_task(share.acquire(Priority.OPTIONAL)) for _ in range(100)]
    await asyncio.wait(tidying[:9])
    for _ in range(3):
        await share.acquire(Priority.NOW)
    await asyncio.wait(tidying[9:52])
    crowded_out = [task for task in tidying if task.done() and task.exception() is not None]
    assert crowded_out == tidying[9:52], "nine have gone out, and 48 wait, the newest"
    assert {type(task.exception()) for task in crowded_out} == {TooLateError}
    for task in tidying:
        task.cancel()


@pytest.mark.parametrize(
    ("method", "within", "haste"),
    [
        ("POST", nullcontext, Priority.NOW),
        ("GET", nullcontext, Priority.NOW),
        ("PATCH", nullcontext, Priority.PATIENT),
        ("DELETE", nullcontext, Priority.PATIENT),
        ("DELETE", best_effort, Priority.OPTIONAL),
        ("GET", best_effort, Priority.OPTIONAL),
        ("GET", low_priority, Priority.PATIENT),
        ("PATCH", low_priority, Priority.PATIENT),
        ("PATCH", delivering, Priority.NOW),
        ("PATCH", tidying_for_a_delivery, Priority.OPTIONAL),
    ],
)
async def test_required_deliveries_never_count_as_cleanup(
    method: str,
    within: Callable[[], AbstractContextManager[None]],
    haste: Priority,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Priority] = []

    async def turn(_: RateBudget, haste: Priority) -> int:
        asked.append(haste)
        return 0

    async with Sandbox() as world, running(world, Paced(50)) as bot:
        monkeypatch.setattr(RateBudget, "acquire", turn)
        route = Route(method, "/channels/{channel_id}/messages/1", channel_id=1)
        with within(), pytest.raises(discord.HTTPException):
            await bot.http.request(route)
    assert asked == [haste]


async def test_reading_missed_messages_lets_others_go_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Priority] = []
    turn = RateBudget.acquire

    async def noted(share: RateBudget, haste: Priority) -> int:
        asked.append(haste)
        return await turn(share, haste)

    async with Sandbox() as world:
        guild = world.create_guild("Friends")
        channel, ann = guild.create_channel("dvonn"), guild.add_person("Ann")
        async with running(world, Paced(50)) as bot:
            for number in range(101):
                await ann.say(channel, f"{number}")
            where = bot.get_partial_messageable(channel.id)
            monkeypatch.setattr(RateBudget, "acquire", noted)
            found = await read_history(where, SourceId(0), now=datetime.now(UTC), turn=at_once)
            await where.send("Hello.")
    assert len(found.messages) == 101
    assert asked == [Priority.PATIENT, Priority.PATIENT, Priority.NOW]


async def test_responses_to_interactions_wait_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "_SECOND_S", AN_HOUR_S)
    async with Sandbox() as world:
        guild = world.create_guild("Friends")
        channel, ann = guild.create_channel("dvonn"), guild.add_person("Ann")
        bot = Paced(20)

        @bot.tree.command(description="Answers twice.")
        async def twice(interaction: discord.Interaction[Any]) -> None:
            await interaction.response.send_message("one")
            await interaction.followup.send("two")

        async with running(world, bot):
            while not bot.pace._slots.locked:  # the share of a whole minute is used up
                await me(bot)
            waits = asyncio.create_task(me(bot))
            await say_twice(ann, channel)
            assert not waits.done()
            waits.cancel()


async def test_a_request_that_is_not_made_after_all_leaves_its_place(clock: Clock) -> None:
    async with Sandbox() as world, running(world, Paced(1)) as bot:
        long_ago = clock() - timedelta(hours=1)
        with while_claimed(long_ago, clock), pytest.raises(TooLateError):
            await me(bot)
        await me(bot)


async def test_a_request_whose_answer_is_lost_leaves_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pace, "_SECOND_S", 0)
    async with Sandbox() as world, running(world, Paced(1)) as bot:
        lost = world.faults.lose_answer("GET /users/@me", times=None)
        with lost, pytest.raises(aiohttp.ClientError):
            await me(bot)
        await me(bot)


async def test_cleanup_follows_a_sent_message_however_late(clock: Clock) -> None:
    """By now it is irrelevant that it was leased long ago, or to another process."""
    async with Sandbox() as world, running(world, Paced(50)) as bot:
        long_ago = clock() - timedelta(hours=1)
        with while_claimed(long_ago, clock):
            with best_effort():
                await me(bot)
            with pytest.raises(TooLateError):
                await me(bot)


async def say_twice(ann: Person, channel: Any) -> None:
    await ann.slash(channel, "twice")
    await channel.wait_for(lambda message: message.content == "two")
