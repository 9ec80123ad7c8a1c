"""Tests for the socket throttle: after many sockets in a minute, each new one waits."""

import asyncio
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
import yarl

from bot.connection.socket_throttle import SocketThrottle, close_opened_socket
from sandbox import Sandbox
from sandbox.person import PATIENCE_S


class Opener:
    """Opens sockets, with its own clock."""

    def __init__(self, shards: int) -> None:
        self.steady, self.slept = 100.0, list[float]()
        clock: Any = self
        (self._before,) = (
            SocketThrottle(clock, lambda: shards).watch(aiohttp.TraceConfig()).on_request_start
        )

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.steady += seconds

    async def opens(self, times: int, scheme: str = "wss") -> int:
        """Open a number of sockets, one after the other. Return how many had to wait."""
        self.slept.clear()
        about: Any = SimpleNamespace(url=yarl.URL(f"{scheme}://gateway"))
        session: Any = None
        for _ in range(times):
            await self._before(session, SimpleNamespace(), about)
        return len(self.slept)


@pytest.mark.parametrize(("shards", "at_once"), [(1, 8), (4, 14)])
async def test_a_minute_has_room_for_some_and_two_more_a_shard(shards: int, at_once: int) -> None:
    opener = Opener(shards)
    assert await opener.opens(at_once) == 0
    assert await opener.opens(2) == 2
    assert opener.slept == [5, 5]
    opener.steady = 160.0
    assert await opener.opens(1) == 1, "the first of them is a minute old, and no older"
    opener.steady = 160.1
    assert await opener.opens(1) == 0


async def test_requests_are_not_counted() -> None:
    opener = Opener(1)
    assert await opener.opens(20, "https") == 0
    assert await opener.opens(8, "ws") == 0


async def test_the_socket_that_is_being_opened_can_be_closed() -> None:
    """A shard that may not begin a session yet must not hold one open."""
    clock: Any = SimpleNamespace(steady=0.0)
    close_opened_socket()  # there is none
    trace = SocketThrottle(clock, lambda: 1).watch(aiohttp.TraceConfig())
    async with Sandbox() as world, aiohttp.ClientSession(trace_configs=[trace]) as session:
        socket = await session.ws_connect(world.gateway_url)
        async with session.get(f"{world.api_url}/gateway") as answer:
            assert answer.ok, "another request in the meantime"
        close_opened_socket()
        async with asyncio.timeout(PATIENCE_S):
            kinds = [(await socket.receive()).type for _ in range(2)]
        assert aiohttp.WSMsgType.CLOSED in kinds
