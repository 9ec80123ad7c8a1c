"""Tests that a client without answers is replaced."""

import asyncio
from random import Random
from typing import Any

import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.base.config import MessageContent
from bot.base.health import ActiveFaults
from bot.connection.liveness import CONNECTING, Liveness
from bot.connection.requests import REQUESTS
from bot.connection.session import stay_connected
from sandbox import RateLimits, Sandbox
from tests.bot.connection.test_requests import (
    ME,
    OFTEN,
    Guarded,
    Seconds,
    give_up,
    wait_for_requests,
)


class Asking(Guarded):
    """A bot that checks often whether it gets answers, and records when that check started."""

    def __init__(self, liveness: Liveness, ready: "asyncio.Queue[Asking]") -> None:
        super().__init__(liveness)
        self.asking: asyncio.Task[None] | None = None
        self._ready_ones = ready

    async def setup_hook(self) -> None:
        await super().setup_hook()
        self.asking = asyncio.create_task(self.requests.keep_asking(self.http, OFTEN))

    async def on_ready(self) -> None:
        self._ready_ones.put_nowait(self)

    async def close(self) -> None:
        assert self.asking is not None
        await give_up(self.asking)
        await super().close()


async def test_a_mute_client_is_noticed_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = Seconds()
    liveness = Liveness(seconds)
    ready: asyncio.Queue[Asking] = asyncio.Queue()

    def make(_reads: bool) -> Any:
        return Asking(liveness, ready)

    async with Sandbox(rate_limits=RateLimits.generous()) as world:
        monkeypatch.setattr(Route, "BASE", world.api_url)
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(world.gateway_url))
        channel = world.create_guild("Friends").create_channel("dvonn")
        staying = asyncio.create_task(
            stay_connected(
                *(world.token, MessageContent.AUTO, make, Random(1), liveness, ActiveFaults()),
                on_attempt=lambda: None,
            )
        )
        first = await ready.get()
        liveness.forget(CONNECTING)  # as Discord does
        for seconds.now in (100, 200):
            await wait_for_requests(world, 2)
        assert liveness.late == []

        with world.faults.slow(ME, seconds=10_000, times=None) as unanswered:
            await unanswered.met()
            # discord.py's state after a request was canceled during a global limit.
            first.http._global_over.clear()
            seconds.now += 121
            assert liveness.late == [REQUESTS]
        second = await ready.get()
        assert second is not first
        await second.get_partial_messageable(channel.id).send("here again")
        assert [message.content for message in channel.messages] == ["here again"]
        await give_up(staying)
