"""Tests for the login: error messages for hosts, and missing intents."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from random import Random

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
from structlog.testing import capture_logs

from bot.base.config import MessageContent
from bot.base.errors import DiscordError
from bot.base.health import ActiveFaults, Fault
from bot.connection.liveness import CONNECTING, Liveness
from bot.connection.session import (
    Application,
    fetch_application_once,
    stay_connected,
    wants_messages,
)
from sandbox import Sandbox
from tests.bot.connection.test_requests import Seconds, give_up

ME = "GET /users/@me"
ON, OFF, AUTO = MessageContent.ON, MessageContent.OFF, MessageContent.AUTO


@pytest.fixture
async def world(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    async with Sandbox(bot_name="Dvonn") as world:
        monkeypatch.setattr(Route, "BASE", world.api_url)
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(world.gateway_url))
        yield world


async def refused(token: str, proxy: str | None = None) -> str:
    with pytest.raises(DiscordError) as caught:
        await fetch_application_once(token, proxy)
    return str(caught.value)


@pytest.mark.parametrize("is_on", [True, False])
async def test_discords_data_about_the_application(world: Sandbox, *, is_on: bool) -> None:
    world.application.message_content = world.application.user_install = is_on
    found = await fetch_application_once(world.token)
    assert (found.name, found.id) == ("Dvonn", world.application.id)
    assert (found.reads_messages, found.allows_user_install) == (is_on, is_on)
    assert f"client_id={found.id}" in found.invite_url
    assert f"client_id={found.id}" in found.own_url


async def test_a_refused_token_is_named_and_not_shown(world: Sandbox) -> None:
    said = await refused("geheim")
    assert said.startswith("Discord rejected DISCORD_TOKEN")
    assert "geheim" not in said


@pytest.mark.parametrize(
    ("status", "headers", "said"),
    [
        (429, {"Retry-After": "30"}, "is limiting requests: 429 .*; try again in 30 seconds$"),
        (429, {}, "is limiting requests: 429 [^;]*$"),
        (502, {}, "cannot be reached at DISCORD_API_URL: 502 [^(]*$"),
        (200, {}, "cannot be reached at DISCORD_API_URL: the server there is not Discord$"),
    ],
)
async def test_the_first_answer_counts_because_someone_waits(
    world: Sandbox, status: int, headers: dict[str, str], said: str
) -> None:
    with world.faults.answer(ME, status=status, body={}, headers=headers, times=None) as fault:
        assert re.search(said, await refused(world.token))
        assert fault.hits == 1


async def test_an_unreachable_server_is_reported_with_advice(
    world: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world.faults.down():
        assert "see whether something answers there" in await refused(world.token)
        through = await refused(world.token, "http://somebody:geheim@127.0.0.1:1")
    assert "through HTTP_PROXY" in through
    assert "see whether that proxy runs" in through
    assert "geheim" not in through


@pytest.mark.parametrize(
    ("setting", "is_granted", "reads"),
    [(AUTO, True, True), (AUTO, False, False), (ON, False, True), (OFF, True, False)],
)
def test_messages_are_read_where_a_host_wants_it_or_the_portal_grants_it(
    setting: MessageContent, *, is_granted: bool, reads: bool
) -> None:
    application = Application(id=1, name="x", reads_messages=is_granted, allows_user_install=False)
    assert wants_messages(setting, application) is reads


async def test_the_bot_runs_without_a_refused_intent(world: Sandbox) -> None:
    world.application.message_content = False
    made, liveness = list[bool](), Liveness(Seconds())
    ready = asyncio.Event()

    class Client(discord.Client):
        async def on_ready(self) -> None:
            ready.set()

    def make(reads: bool) -> Client:
        made.append(reads)
        intents = discord.Intents.none()
        intents.message_content = reads
        return Client(intents=intents)

    degraded = ActiveFaults()
    degraded.begin(Fault.TOKEN_REFUSED, "for a moment")
    staying = asyncio.create_task(
        stay_connected(
            *(world.token, ON, make, Random(1), liveness, degraded), on_attempt=lambda: None
        )
    )
    await ready.wait()
    assert made == [True, False]
    assert degraded.faults == {}
    await give_up(staying)


async def test_a_token_that_was_never_taken_is_not_tried_again(world: Sandbox) -> None:
    tried = list[None]()
    with pytest.raises(DiscordError, match="Discord rejected DISCORD_TOKEN"):
        await stay_connected(
            *("geheim", AUTO, lambda _: discord.Client(intents=discord.Intents.none())),
            *(Random(1), Liveness(Seconds()), ActiveFaults()),
            on_attempt=lambda: tried.append(None),
        )
    assert tried == []


class NoWait(Random):
    """Random numbers that make waits between two connections take no time."""

    def uniform(self, _least: float, _most: float) -> float:
        return 0.0


Step = Callable[[], Awaitable[object]]


class Connections:
    """A bot with scripted connections, one step each."""

    def __init__(self, world: Sandbox, *steps: Step) -> None:
        self._world, self._steps = world, iter(steps)
        self.clock, self.rng = Seconds(), NoWait()
        self.liveness, self.faults = Liveness(self.clock), ActiveFaults()
        self.attempts = 0
        self._ends = asyncio.Event()

    def _make(self, _reads: bool) -> discord.Client:
        step, ends = next(self._steps, None), self._ends

        class Client(discord.Client):
            async def start(self, token: str, *, reconnect: bool = True) -> None:  # noqa: ARG002
                if step is None:
                    ends.set()
                    await asyncio.Event().wait()
                else:
                    await step()

        return Client(intents=discord.Intents.none())

    def _attempt(self) -> None:
        self.attempts += 1

    async def run(self) -> list[float]:
        """Connect until the last step is done. Return the waits in seconds."""
        about = (self._world.token, AUTO, self._make, self.rng, self.liveness, self.faults)
        with capture_logs() as logged:
            staying = asyncio.create_task(stay_connected(*about, on_attempt=self._attempt))
            await self._ends.wait()
            await give_up(staying)
        return [line["retry_s"] for line in logged if line["event"] == "reconnecting"]


async def fail() -> None:
    raise ConnectionError("refused")


async def test_waits_grow_up_to_half_a_minute_and_are_short_after_a_session(
    world: Sandbox,
) -> None:
    async def lose_a_session() -> None:
        bot.liveness.forget(CONNECTING)
        raise ConnectionError("lost")

    bot = Connections(world, *[fail] * 7, lose_a_session, fail)
    assert await bot.run() == [1, 2, 4, 8, 16, 30, 30, 1, 2]


async def test_a_silent_client_is_replaced(world: Sandbox) -> None:
    ended = list[bool]()

    async def fall_silent() -> None:
        bot.liveness.end("requests")
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    bot = Connections(world, fall_silent)
    assert await bot.run() == [1]
    assert ended == [True]
    assert bot.liveness.late == []


class Told(ActiveFaults):
    """Faults, and a record of those that have begun."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = list[Fault]()

    def begin(self, fault: Fault, details: str) -> None:
        super().begin(fault, details)
        self.begun.append(fault)


async def test_a_token_that_is_refused_later_is_a_fault_until_it_is_taken_again(
    world: Sandbox,
) -> None:
    after = list[dict[Fault, str]]()

    async def refuse_the_next() -> None:
        world.faults.answer(ME, status=401)
        raise ConnectionError("lost")

    async def look() -> None:
        after.append(bot.faults.faults)
        raise ConnectionError("lost")

    bot = Connections(world, refuse_the_next, look)
    bot.faults = faults = Told()
    assert await bot.run() == [1, 600, 30]
    assert faults.begun == [Fault.TOKEN_REFUSED]
    assert after == [{}]


async def test_a_bot_that_waits_to_connect_is_not_late(world: Sandbox) -> None:
    """Otherwise a service manager would restart it, and the next process would not wait."""

    async def refuse_the_next() -> None:
        world.faults.answer(ME, status=401)
        raise ConnectionError("lost")

    class Waits(NoWait):
        def uniform(self, least: float, most: float) -> float:
            bot.clock.now += next(waits)
            late.append(bot.liveness.late)
            return super().uniform(least, most)

    bot, waits, late = Connections(world, refuse_the_next), iter([1, 600]), list[list[str]]()
    bot.rng = Waits()
    assert await bot.run() == [1, 600]
    assert late == [[], []]


async def test_a_bot_has_started_even_if_discord_cannot_be_reached(world: Sandbox) -> None:
    bot = Connections(world)
    async with world.faults.down():
        running = asyncio.create_task(bot.run())
        for _ in range(10_000):
            if bot.attempts:
                break
            await asyncio.sleep(0)
        assert bot.attempts
    assert (await running)[0] == 1
