"""Tests for requests: they survive cancellation, and their responses are signs of life."""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import aiohttp
import discord
import pytest
from discord.http import Ratelimit, Route
from structlog.contextvars import bound_contextvars, get_contextvars

from bot.connection.discord_clock import DiscordClock, HostClocks
from bot.connection.known_refusals import KnownRefusals
from bot.connection.liveness import CONNECTING, Liveness
from bot.connection.request_demands import IN_TIME, while_claimed
from bot.connection.request_errors import ForbiddenError, TooLateError, error_text
from bot.connection.requests import REQUESTS, Requests, handle_rate_limits, tracing
from bot.connection.session import read_application, use_api
from bot.database.leases import LEASE
from sandbox import Channel, Limit, Person, RateLimits, Sandbox
from tests.bot.conftest import Clock
from tests.bot.connection import received
from tests.sandbox.clients import Bot, running

POST = "POST /channels/{id}/messages"
HISTORY = "GET /channels/{id}/messages"
ME = "GET /users/@me"
MOMENT = timedelta(milliseconds=1)
OFTEN = timedelta(milliseconds=10)
CHANNELS = 1_000
OVER = -1
"""Stands for a limit that has ended."""

WaitForLog = Callable[[str], Awaitable[None]]


class Seconds:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


CLOCKS = HostClocks(
    wall_clock=lambda: datetime.now(UTC), steady=time.monotonic, awake=time.monotonic
)


class Guarded(Bot):
    """A bot whose requests can't be interrupted."""

    def __init__(self, liveness: Liveness) -> None:
        self.requests = Requests(liveness)
        self.trace = self.requests.tracing(tracing(DiscordClock(CLOCKS)))
        super().__init__(http_trace=self.trace)
        self.was_second = 0
        self.requests.route_through(
            self.http, KnownRefusals(self), on_already_acknowledged=self._came_second
        )

    def _came_second(self) -> None:
        self.was_second += 1

    async def close(self) -> None:
        await self.requests.close()
        await super().close()


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def liveness(seconds: Seconds) -> Liveness:
    return Liveness(seconds)


@pytest.fixture
def limits() -> RateLimits:
    return RateLimits.generous().but(webhook=Limit(1, 0.3))


@pytest.fixture
def wait_for_log(caplog: pytest.LogCaptureFixture) -> WaitForLog:
    """Waits until discord.py has logged a text."""
    caplog.set_level("DEBUG", "discord.http")
    caplog.set_level("DEBUG", "discord.webhook.async_")

    async def until(words: str) -> None:
        while words not in caplog.text:  # noqa: ASYNC110 - a log tells of no event
            await asyncio.sleep(0)

    return until


async def give_up(task: "asyncio.Task[Any]") -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def statuses(world: Sandbox, route: str) -> list[int]:
    """Return the responses to the requests of a route."""
    method, path = route.replace("{id}", "{channel_id}").split()
    return [
        exchange.status
        for exchange in world.exchanges
        if (exchange.method, exchange.route) == (method, path)
    ]


async def test_a_message_with_a_file_is_sent_in_one_piece(
    world: Sandbox, channel: Channel, liveness: Liveness
) -> None:
    """It takes one system call, not one for each part and each part's header."""
    pieces = list[bytes]()

    async def note(_session: object, _context: object, sent: Any) -> None:
        pieces.append(sent.chunk)

    bot = Guarded(liveness)
    bot.trace.on_request_chunk_sent.append(note)
    async with running(world, bot):
        where = bot.get_partial_messageable(channel.id)
        file = discord.File(BytesIO(bytes(range(256))), "böard [1].png", description="A board")
        pieces.clear()
        message = await where.send("Your turn", file=file)

    assert len(pieces) == 1
    (picture,) = message.attachments
    assert (message.content, picture.description) == ("Your turn", "A board")
    assert channel.messages[-1].attachments[0].data == bytes(range(256))


async def test_a_request_cancelled_in_a_global_limit_opens_the_gate_for_others(
    world: Sandbox, channel: Channel, liveness: Liveness, wait_for_log: WaitForLog
) -> None:
    noise: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, about: noise.append(about))
    async with running(world, Guarded(liveness)) as bot:
        where = bot.get_partial_messageable(channel.id)
        world.faults.limit_everything(POST, retry_after_s=0.3)
        given_up = asyncio.create_task(where.send("too late"))
        await wait_for_log("Global rate limit has been hit")
        await give_up(given_up)
        waiting = asyncio.create_task(where.send("hello"))
        await channel.wait_for(lambda message: message.content == "hello")
        await waiting
        # A request that nobody waits for any more is not repeated.
        assert [message.content for message in channel.messages] == ["hello"]
        assert statuses(world, POST) == [429, 200]
    gc.collect()
    assert noise == []


async def test_a_cancelled_answer_does_not_delay_the_next(
    world: Sandbox, channel: Channel, ann: Person, liveness: Liveness, wait_for_log: WaitForLog
) -> None:
    bot = Guarded(liveness)

    @bot.tree.command(description="Answers three times.")
    async def thrice(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("one")
        given_up = asyncio.create_task(interaction.followup.send("two"))
        await wait_for_log("has exhausted its rate limit bucket")
        await give_up(given_up)
        await interaction.followup.send("three")

    async with running(world, bot):
        await ann.slash(channel, "thrice")
        await channel.wait_for(lambda message: message.content == "three")


async def test_a_request_sees_its_context(
    world: Sandbox, channel: Channel, liveness: Liveness, clock: Clock
) -> None:
    seen: list[dict[str, Any]] = []

    async def renew() -> bool:
        seen.append(get_contextvars())
        return True

    async with running(world, Guarded(liveness)) as bot:
        where = bot.get_partial_messageable(channel.id)
        with bound_contextvars(game=7), while_claimed(clock(), clock, renew):
            clock.time += LEASE + MOMENT
            await where.send("in time")
            clock.time += IN_TIME
            with pytest.raises(TooLateError):
                await where.send("too late")
    assert seen == [{"game": 7}]
    assert [message.content for message in channel.messages] == ["in time"]


async def test_a_client_that_closes_waits_for_no_limit(
    world: Sandbox, channel: Channel, liveness: Liveness, wait_for_log: WaitForLog
) -> None:
    async with running(world, Guarded(liveness)) as bot:
        where = bot.get_partial_messageable(channel.id)
        world.faults.limit_everything(POST, retry_after_s=10_000)
        waiting = asyncio.create_task(where.send("hello"))
        await wait_for_log("Global rate limit has been hit")
    await asyncio.wait((waiting,))
    assert waiting.cancelled()
    with pytest.raises(TooLateError):
        await where.send("hello again")


async def test_no_further_requests_are_made_with_a_rejected_token(
    world: Sandbox, channel: Channel, liveness: Liveness
) -> None:
    """Discord bans the address of a client that continues."""
    async with running(world, Guarded(liveness)) as bot:
        where = bot.get_partial_messageable(channel.id)
        slow = world.faults.slow(POST, seconds=10_000)
        waiting = asyncio.create_task(where.send("hello"))
        await slow.met()
        with world.faults.answer(ME, status=401), pytest.raises(discord.HTTPException):
            await bot.http.request(Route("GET", "/users/@me"))
        await asyncio.wait((waiting,))
        assert waiting.cancelled()
        with pytest.raises(TooLateError):
            await where.send("hello again")
        assert liveness.late == [REQUESTS]


async def wait_for_requests(world: Sandbox, times: int) -> None:
    """Wait until the bot has requested its own user a number of times, counted from now."""
    before = len(statuses(world, ME))
    while len(statuses(world, ME)) < before + times:  # noqa: ASYNC110 - it tells of no event
        await asyncio.sleep(0.005)


@pytest.mark.parametrize(("status", "is_sign"), [(200, True), (404, True), (403, False)])
async def test_every_response_is_a_sign_of_life_unless_it_denies_access(
    world: Sandbox, liveness: Liveness, seconds: Seconds, *, status: int, is_sign: bool
) -> None:
    async with running(world, Guarded(liveness)) as bot:
        assert liveness.expected == []
        fault = world.faults.answer(ME, status=status, body={"id": "1"}, times=None)
        asking = asyncio.create_task(bot.requests.keep_asking(bot.http, OFTEN))
        await fault.met(1)
        assert liveness.expected == [REQUESTS]
        seconds.now = 100
        await fault.met(fault.hits + 2)  # now the first of them has been answered
        seconds.now = 219
        assert liveness.late == ([] if is_sign else [REQUESTS])
        await give_up(asking)
        seconds.now = 400
        assert liveness.late == [REQUESTS]


async def test_an_answer_to_any_request_counts(
    world: Sandbox, channel: Channel, liveness: Liveness, seconds: Seconds
) -> None:
    async with running(world, Guarded(liveness)) as bot:
        asking = asyncio.create_task(bot.requests.keep_asking(bot.http))  # in half a minute
        await asyncio.sleep(0)
        seconds.now = 100
        await bot.get_partial_messageable(channel.id).send("hello")
        seconds.now = 219
        assert liveness.late == []
        await give_up(asking)


async def test_a_client_that_only_answers_interactions_is_mute(
    world: Sandbox, channel: Channel, ann: Person, liveness: Liveness, seconds: Seconds
) -> None:
    """Neither Discord's global limits nor discord.py's gate affect those responses."""
    bot = Guarded(liveness)

    @bot.tree.command(description="Answers.")
    async def speak(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("here")

    async with running(world, bot):
        slow = world.faults.slow(ME, seconds=10_000, times=None)
        asking = asyncio.create_task(bot.requests.keep_asking(bot.http, OFTEN))
        await slow.met()
        seconds.now = 100
        await ann.slash(channel, "speak")
        seconds.now = 121
        assert liveness.late == [REQUESTS]
        await give_up(asking)


async def test_a_postponed_process_is_not_late(
    world: Sandbox, liveness: Liveness, seconds: Seconds, wait_for_log: WaitForLog
) -> None:
    async with running(world, Guarded(liveness)) as bot:
        world.faults.limit_everything(ME, retry_after_s=300)
        asking = asyncio.create_task(bot.requests.keep_asking(bot.http, OFTEN))
        await wait_for_log("Global rate limit has been hit")
        seconds.now = 419
        assert liveness.late == []
        seconds.now = 421
        assert liveness.late == [REQUESTS]
        await give_up(asking)


async def test_a_postponed_start_is_not_late(
    world: Sandbox, liveness: Liveness, seconds: Seconds, wait_for_log: WaitForLog
) -> None:
    liveness.note_reconnect(next_within=timedelta(minutes=2))
    world.faults.limit_everything(ME, retry_after_s=300)
    base = discord.http.Route.BASE
    use_api(world.api_url)
    try:
        reading = asyncio.create_task(
            read_application(world.token, handle_rate_limits(liveness, aiohttp.TraceConfig()))
        )
        await wait_for_log("Global rate limit has been hit")
        seconds.now = 419
        assert liveness.late == []
        seconds.now = 421
        assert liveness.late == [CONNECTING]
        await give_up(reading)
    finally:
        use_api(base)


async def test_a_limit_of_more_than_a_minute_raises_instead_of_waiting(
    world: Sandbox, channel: Channel, liveness: Liveness
) -> None:
    world.faults.rate_limit(POST, retry_after_s=3_600)
    async with running(world, Guarded(liveness)) as bot:
        place = bot.get_partial_messageable(channel.id)
        with pytest.raises(discord.HTTPException, match="429"):
            await place.send("c3")
        await place.send("d4")
    assert [message.content for message in channel.messages] == ["d4"]


@pytest.mark.parametrize(
    ("said", "late_after_s"),
    [("1000000", 3_720), ("inf", 3_720), ("nan", 120), ("soon", 120), ("-5", 120)],
)
async def test_odd_rate_limits_are_not_believed(
    world: Sandbox, liveness: Liveness, seconds: Seconds, said: str, late_after_s: float
) -> None:
    headers = {"Retry-After": said, "X-RateLimit-Global": "true"}
    world.faults.answer(ME, status=429, headers=headers)
    liveness.note_reconnect(next_within=timedelta(minutes=2))
    trace, token = (
        handle_rate_limits(liveness, aiohttp.TraceConfig()),
        {"Authorization": f"Bot {world.token}"},
    )
    async with (
        aiohttp.ClientSession(trace_configs=[trace], headers=token) as client,
        client.get(f"{world.api_url}/users/@me") as answer,
    ):
        assert answer.status == 429
    seconds.now = late_after_s - 1
    assert liveness.late == []
    seconds.now = late_after_s + 1
    assert liveness.late == [CONNECTING]


async def test_expired_limits_are_searched_for_in_bulk(
    liveness: Liveness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new channel must not cause a scan of all channels."""
    looked_at: list[Ratelimit] = []

    def is_inactive(limit: Ratelimit) -> bool:
        looked_at.append(limit)
        return limit.limit == OVER

    monkeypatch.setattr(Ratelimit, "is_inactive", is_inactive)
    async with Guarded(liveness) as bot:
        for number in range(CHANNELS):
            bot.http.get_ratelimit(f"{number}")
        assert len(looked_at) < 2 * CHANNELS
        for limit in bot.http._buckets.values():
            limit.limit = OVER
        for number in range(CHANNELS):
            bot.http.get_ratelimit(f"new {number}")
        assert len(bot.http._buckets) <= 2 * CHANNELS
        assert "0" not in bot.http._buckets


class Pressed(Guarded):
    """Responds to a button press when the test says so."""

    def __init__(self, liveness: Liveness) -> None:
        super().__init__(liveness)
        self.pressed: asyncio.Queue[discord.Interaction[Any]] = asyncio.Queue()
        self.go_on = asyncio.Event()
        self.answered = asyncio.Event()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        await self.pressed.put(interaction)
        await self.go_on.wait()
        with suppress(discord.HTTPException):
            await interaction.response.send_message("hello")
        self.answered.set()


@pytest.mark.parametrize("was_tried_before", [False, True])
async def test_an_answer_is_late_only_if_no_earlier_attempt_was_accepted(
    world: Sandbox, channel: Channel, ann: Person, liveness: Liveness, *, was_tried_before: bool
) -> None:
    """Discord may respond with 500 although it accepted the answer.

    The answer is then sent again.
    """
    async with running(world, Pressed(liveness)) as bot:
        view = discord.ui.View()
        view.add_item(discord.ui.Button(label="Press", custom_id="press"))
        await bot.get_partial_messageable(channel.id).send("here", view=view)
        pressing = asyncio.create_task(ann.click(channel.messages[-1], "Press"))
        interaction = await bot.pressed.get()
        route = "POST /interactions/{id}/{token}/callback"
        times = 1 if was_tried_before else 0
        with world.faults.answer(route, status=500, times=times) as fault:
            if was_tried_before:
                bot.go_on.set()
                await fault.met()
            address = f"{world.api_url}/interactions/{interaction.id}/{interaction.token}/callback"
            first = {"type": 4, "data": {"content": "first"}}
            async with (
                aiohttp.ClientSession() as session,
                session.post(address, json=first) as answer,
            ):
                assert answer.ok
            bot.go_on.set()
            await bot.answered.wait()
        await pressing
        assert bot.was_second == int(not was_tried_before)


def test_predictable_refusals_are_reported_without_a_request() -> None:
    said = error_text(ForbiddenError("lacks send_messages"))
    assert said == "403 Forbidden: lacks send_messages (code 50013)"


TO_SAY = discord.Permissions(view_channel=True, send_messages=True)


def known_refusals(granted: discord.Permissions, seconds: Seconds) -> KnownRefusals:
    """Return the known refusals of a bot with these permissions in its server."""
    at = received.client(granted.value)
    received.join(at)
    return KnownRefusals(at, now=seconds)


SAYING = Route("POST", "/channels/{channel_id}/messages", channel_id=received.HALL)


def test_nothing_is_asked_for_that_the_permissions_forbid(seconds: Seconds) -> None:
    known_refusals(TO_SAY, seconds).check(SAYING, with_files=False)
    with pytest.raises(ForbiddenError, match="lacks attach_files"):
        known_refusals(TO_SAY, seconds).check(SAYING, with_files=True)
    with pytest.raises(ForbiddenError, match="lacks view_channel, send_messages"):
        known_refusals(discord.Permissions.none(), seconds).check(SAYING, with_files=False)


def test_unexpected_refusals_are_retried_after_an_hour(seconds: Seconds) -> None:
    refusals = known_refusals(TO_SAY, seconds)
    refusals.note(SAYING, ForbiddenError("another rule"))
    seconds.now = 3_599
    with pytest.raises(ForbiddenError, match="no permission has changed since"):
        refusals.check(SAYING, with_files=False)
    seconds.now = 3_600
    refusals.check(SAYING, with_files=False)
