"""Tests for the gateway probe: the time up to which everything was received, and outages."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from bot.base import metrics
from bot.connection.gateway_probe import Connection as AskedConnection
from bot.connection.gateway_probe import GatewayProbe, ProbeState
from bot.connection.liveness import Liveness
from bot.connection.store import outages
from bot.connection.tasks import InFlightWork
from bot.database.connection import AsyncEngine
from bot.play.store.store import Store
from tests.bot.conftest import Clock

EACH = timedelta(seconds=30)


class Connection:
    """A shard's connection whose answers the test controls."""

    def __init__(self) -> None:
        self.answer = ProbeState.HEARD
        self.doubts = self.renewals = 0

    async def ask(self) -> ProbeState:
        return self.answer

    async def reconnect(self) -> None:
        self.doubts += 1

    async def renew(self) -> None:
        self.renewals += 1


class Shard:
    """The probe of one shard, which runs every half minute."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.clock, self.connection = clock, Connection()
        self.is_complete, self.is_time_sure, self.is_closed = True, True, False
        self.long_outages = 0
        shard = SimpleNamespace(is_closed=lambda: self.is_closed, latency=0.1)
        client: Any = SimpleNamespace(shard_count=1, get_shard=lambda _: shard)
        connection: Any = self.connection
        self.probe = GatewayProbe(
            client,
            0,
            store.listening,
            store.outages,
            InFlightWork(),
            Liveness(lambda: clock().timestamp()),
            connection=connection,
            complete=lambda: self.is_complete,
            now=clock,
            is_time_sure=lambda: self.is_time_sure,
            after_outage=self._note_outage,
        )

    async def _note_outage(self) -> None:
        self.long_outages += 1

    async def listens(self, answer: ProbeState, times: int = 1) -> list[bool]:
        """Probe a number of times. Return the time up to which everything was received."""
        self.connection.answer = answer
        sure = []
        for _ in range(times):
            self.clock.time += EACH
            sure.append(await self.probe.received_until() == self.clock())
        return sure


@pytest.fixture
def shard(store: Store, clock: Clock) -> Shard:
    return Shard(store, clock)


async def lasted(engine: AsyncEngine) -> list[timedelta]:
    """Return the lengths of the recorded outages."""
    async with engine.connect() as connection:
        return [row.ended_at - row.began_at for row in await connection.execute(sa.select(outages))]


@pytest.mark.parametrize("deaf", [ProbeState.SILENCE, ProbeState.AWAY])
async def test_one_silence_is_one_outage_and_clocks_run_after_it(
    engine: AsyncEngine, shard: Shard, deaf: ProbeState
) -> None:
    assert await shard.listens(ProbeState.HEARD, 2) == [True, True]
    assert await shard.listens(deaf, 2) == [False, False]
    assert await shard.listens(ProbeState.HEARD, 4) == [True] * 4
    assert await lasted(engine) == [3 * EACH]
    assert shard.connection.doubts == (2 if deaf is ProbeState.SILENCE else 0)


async def test_while_something_is_still_to_be_played_nothing_is_sure(
    engine: AsyncEngine, shard: Shard
) -> None:
    shard.is_complete = False
    assert await shard.listens(ProbeState.HEARD, 2) == [False, False]
    shard.is_complete = True
    assert await shard.listens(ProbeState.HEARD) == [True]
    assert await lasted(engine) == []


async def test_an_uncertain_time_flags_nobody_and_records_no_outage(
    engine: AsyncEngine, shard: Shard
) -> None:
    shard.is_time_sure = False
    assert await shard.listens(ProbeState.HEARD, 2) == [False, False]
    shard.is_time_sure = True
    assert await shard.listens(ProbeState.HEARD) == [True]
    assert await lasted(engine) == []


async def test_a_doubt_of_the_hour_that_lasts_is_asked_by_another_road(shard: Shard) -> None:
    shard.is_time_sure = False
    await shard.listens(ProbeState.HEARD)
    assert shard.connection.renewals == 0
    await shard.listens(ProbeState.HEARD, 20)
    assert shard.connection.renewals == 1
    await shard.listens(ProbeState.HEARD)
    assert shard.connection.renewals == 2
    shard.is_time_sure = True
    await shard.listens(ProbeState.HEARD)
    shard.is_time_sure = False
    await shard.listens(ProbeState.HEARD)
    assert shard.connection.renewals == 2


async def test_a_shard_that_connects_again_was_deaf(engine: AsyncEngine, shard: Shard) -> None:
    await shard.listens(ProbeState.HEARD)
    shard.is_closed = True
    assert await shard.listens(ProbeState.HEARD) == [False]
    shard.is_closed = False
    assert await shard.listens(ProbeState.HEARD) == [True]
    assert await lasted(engine) == [2 * EACH]


async def test_clocks_did_not_run_between_two_sessions(engine: AsyncEngine, shard: Shard) -> None:
    await shard.probe.begin()
    assert await lasted(engine) == [], "nothing is known of the time before the first one"
    await shard.listens(ProbeState.HEARD)
    shard.clock.advance(minutes=10)
    await shard.probe.begin()
    assert await lasted(engine) == [timedelta(minutes=10)]
    assert shard.long_outages == 1


async def test_an_outage_of_a_minute_is_long(shard: Shard) -> None:
    for seconds in (59, 60):
        await shard.probe.record_outage(shard.clock() - timedelta(seconds=seconds))
    assert shard.long_outages == 1


@pytest.mark.parametrize(("silent", "long"), [(1, 0), (3, 1)])
async def test_boards_are_corrected_after_an_outage(shard: Shard, silent: int, long: int) -> None:
    """It probes every half minute. An outage of less than a minute changes no board."""
    await shard.listens(ProbeState.HEARD)
    await shard.listens(ProbeState.SILENCE, silent - 1)
    shard.clock.time -= EACH / 4
    await shard.listens(ProbeState.SILENCE)
    await shard.listens(ProbeState.HEARD)
    assert shard.long_outages == long


class Server:
    """A server that may fail to answer."""

    def __init__(self, number: int, *, shard: int = 0, there: bool = True) -> None:
        self.id, self.shard_id, self.unavailable = number, shard, not there
        self.answers = True
        self.asked = 0

    async def query_members(self, **_: Any) -> None:
        self.asked += 1
        if not self.answers:
            raise TimeoutError


class Servers:
    """The servers of a bot, and the queries to them."""

    def __init__(self, *servers: Server) -> None:
        self.all, self.first = servers, list[Server]()
        self.waited = 0
        client: Any = SimpleNamespace(
            guilds=list(servers), user=SimpleNamespace(id=1), wait_for=self._wait_for
        )
        limiter: Any = SimpleNamespace(clear_wait=lambda _: None)
        self.connection = AskedConnection(client, 0, limiter)

    async def _wait_for(self, _: str, *, check: Callable[[Server], bool], timeout: float) -> Server:  # noqa: ASYNC109, ARG002 - discord.py's
        self.waited += 1
        found = [item for item in self.first if check(item)]
        if not found:
            raise TimeoutError
        return found[0]

    async def ask(self) -> tuple[ProbeState, list[int]]:
        """Return the result of the probe, and the servers that were queried."""
        before = [item.asked for item in (*self.all, *self.first)]
        state = await self.connection.ask()
        after = zip((*self.all, *self.first), before, strict=True)
        return state, [one.id for one, asked in after if one.asked > asked]


async def test_recently_responsive_servers_are_probed_first() -> None:
    one, two, three, away = Server(1), Server(2), Server(3), Server(4, there=False)
    servers = Servers(one, two, three, away, Server(5, shard=1))
    assert await servers.ask() == (ProbeState.HEARD, [1])
    one.answers = False
    assert await servers.ask() == (ProbeState.HEARD, [1, 2])
    assert await servers.ask() == (ProbeState.HEARD, [2])
    two.answers = False
    assert await servers.ask() == (ProbeState.SILENCE, [1, 2])
    assert await servers.ask() == (ProbeState.HEARD, [3])
    assert not away.asked


async def test_a_shard_without_servers_is_alive_by_its_heartbeats() -> None:
    assert await Servers().ask() == (ProbeState.HEARD, [])
    assert await Servers(Server(1, shard=1)).ask() == (ProbeState.HEARD, [])


async def test_a_new_session_waits_once_for_the_first_server() -> None:
    servers = Servers(Server(1, there=False))
    assert await servers.ask() == (ProbeState.AWAY, [])
    assert await servers.ask() == (ProbeState.AWAY, [])
    assert servers.waited == 1
    servers.first = [Server(7, shard=1), Server(8)]
    servers.connection.is_new()
    assert await servers.ask() == (ProbeState.HEARD, [8])
    assert servers.waited == 2


class Silent:
    """A connection without any answer, and the bot's reaction."""

    def __init__(self) -> None:
        self.is_closed = self.must_wait = False
        self.done = list[str]()
        shard = SimpleNamespace(is_closed=lambda: self.is_closed, reconnect=self._reconnect)
        client: Any = SimpleNamespace(
            shard_count=4,
            get_shard=lambda number: shard if number == 3 else None,
            _get_websocket=lambda **_: SimpleNamespace(close=self._close),
        )
        limiter: Any = SimpleNamespace(must_wait=self._must_wait)
        self.connection = AskedConnection(client, 3, limiter)

    async def _reconnect(self) -> None:
        self.done.append("new session")

    async def _close(self, code: int) -> None:
        self.done.append(f"closed with {code}")

    async def _must_wait(self, *about: object) -> bool:
        assert about == (3, 4, "shard 3")
        return self.must_wait


async def test_a_silent_connection_resumes_and_if_it_stays_silent_begins_a_session() -> None:
    silent = Silent()
    for _ in range(3):
        await silent.connection.reconnect()
    assert silent.done == ["closed with 4000", "new session", "closed with 4000"]
    silent.connection.is_new()
    await silent.connection.reconnect()
    assert silent.done[3:] == ["closed with 4000"], "a new session is resumed first, too"


async def test_a_socket_is_held_until_a_session_may_start() -> None:
    silent = Silent()
    await silent.connection.reconnect()
    silent.must_wait = True
    for _ in range(2):
        await silent.connection.reconnect()
    assert silent.done == ["closed with 4000"]
    silent.must_wait = False
    await silent.connection.reconnect()
    assert silent.done == ["closed with 4000", "new session"]


async def test_connecting_shards_are_not_disturbed() -> None:
    silent = Silent()
    silent.is_closed = True
    await silent.connection.reconnect()
    await silent.connection.renew()
    assert silent.done == []
    silent.is_closed = False
    await silent.connection.renew()
    assert silent.done == ["closed with 4000"]


async def test_how_long_an_answer_took_is_measured() -> None:
    latency = metrics.GATEWAY_LATENCY_SECONDS.labels(0)
    latency.set(-1)
    began = asyncio.get_running_loop().time()
    await Servers(Server(1)).ask()
    took = asyncio.get_running_loop().time() - began
    assert 0 <= latency._value.get() <= took


async def test_an_outage_of_all_servers_is_logged_once() -> None:
    servers = Servers(Server(1, there=False))
    with capture_logs() as logged:
        for _ in range(2):
            await servers.ask()
    assert [line["event"] for line in logged] == ["all guilds of the shard unavailable"]
