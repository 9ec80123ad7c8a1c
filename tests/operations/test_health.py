"""Tests for /healthz: bad without a session."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sandbox.orders import Fault
from tests.e2e.conftest import Club
from tests.games import random_game
from tests.operations.launch import VARIABLE
from tests.operations.watched import Watched, until

LONG_S = "121"
"""Longer than the bot may be without a session."""


class Silence:
    """A file with the number of seconds to add to the bot's running time."""

    def __init__(self, file: Path) -> None:
        self.file = file
        file.write_text("0")

    def lasts(self) -> None:
        self.file.write_text(LONG_S)


@pytest.fixture
async def silence(quiet_club: Club, watched: Watched, tmp_path: Path) -> AsyncIterator[Silence]:
    one = Silence(tmp_path / "silence")
    bot = quiet_club.bot
    bot.module = "tests.operations.launch"
    bot.settings |= {VARIABLE: str(one.file), "METRICS_PORT": str(watched.port)}
    yield one
    assert await bot.stop() == 0


async def is_well(watched: Watched) -> bool:
    return (await watched.health())[0] == 200


@pytest.mark.parametrize("how", ["refused", "ended"])
async def test_failed_attempts_do_not_count_as_a_session(
    quiet_club: Club, watched: Watched, silence: Silence, how: str
) -> None:
    club, faults = quiet_club, quiet_club.world.faults
    await club.bot.start()
    table = await club.start_game()
    await until(lambda: is_well(watched))
    fault: Fault = (
        faults.refuse_sockets(times=None) if how == "refused" else faults.end_after_ready()
    )
    club.world.invalidate_sessions()
    await club.world.disconnect()
    await fault.met()
    silence.lasts()
    if how == "refused":
        await club.bot.wrote("reconnecting")
    await fault.met(fault.hits + 2)  # the bot keeps trying
    status, told = await watched.health()
    assert status == 503
    assert "shard 0" in told["silent"]
    fault.end()
    await table.play(random_game(1)[:1])
    await until(lambda: is_well(watched))


async def test_a_bot_that_never_had_a_session_is_not_well(
    quiet_club: Club, watched: Watched, silence: Silence
) -> None:
    club = quiet_club
    with club.world.faults.answer("GET /gateway/bot", status=403, times=None) as fault:
        await club.bot.launch()
        await fault.met()
        silence.lasts()
        await fault.met(fault.hits + 1)
        status, told = await watched.health()
        assert (status, told["silent"]) == (503, ["connecting"])
    await until(lambda: is_well(watched))


async def test_a_bot_is_ready_only_after_its_shard_received_events(
    quiet_club: Club, watched: Watched
) -> None:
    club = quiet_club
    club.bot.settings["METRICS_PORT"] = str(watched.port)
    with club.world.faults.answer("GET /gateway/bot", status=500, times=None) as fault:
        await club.bot.launch()
        await fault.met()
        status, told = await watched.health()
        assert (status, told["status"], told["healthy"]) == (503, "starting", False)
        assert (told["heard"], told["unheard"]) == ([], ["connecting"])
        assert (await watched.numbers())["dvonn_ready"] == 0
    await until(lambda: is_well(watched))
    status, told = await watched.health()
    assert (told["status"], told["unheard"]) == ("ready", [])
    assert (await watched.numbers())["dvonn_ready"] == 1
    assert (await watched.numbers())['dvonn_gateway_latency_seconds{shard="0"}'] > 0
    assert await club.bot.stop() == 0


async def test_commands_that_discord_refuses_degrade_it(quiet_club: Club, watched: Watched) -> None:
    club = quiet_club
    club.bot.settings["METRICS_PORT"] = str(watched.port)
    clock = club.bot.take_clock()
    fault = club.world.faults.answer("PUT /applications/{id}/commands", status=400)
    await club.bot.launch()
    await fault.met()
    await club.bot.wrote("command registration failed")
    await until(lambda: is_well(watched))
    _, told = await watched.health()
    assert (told["status"], list(told["degraded"])) == ("degraded", ["commands refused"])
    assert (await watched.numbers())['dvonn_degraded{fault="commands refused"}'] == 1
    clock.advance(seconds=5)
    await club.world.wait_ready()

    async def is_ready() -> bool:
        return bool((await watched.health())[1]["status"] == "ready")

    await until(is_ready)


async def test_messages_that_discord_refuses_degrade_it(quiet_club: Club, watched: Watched) -> None:
    club = quiet_club
    club.bot.settings["METRICS_PORT"] = str(watched.port)
    clock = club.bot.take_clock()
    await club.bot.start()
    table = await club.start_game()
    (move,) = random_game(2)[:1]
    fault = club.world.faults.answer("POST /channels/{id}/messages", status=500, times=None)

    async def faults() -> dict[str, str]:
        clock.advance(seconds=1)
        return dict((await watched.health())[1]["degraded"])

    async def is_failing() -> bool:
        return "deliveries failing" in await faults()

    with fault:
        await table.white.slash(club.channel, "move", move=str(move))
        await until(is_failing)
        assert (await watched.health())[0] == 200  # the bot keeps playing in other servers
    await table.board(1)

    async def is_over() -> bool:
        return await faults() == {}

    await until(is_over)


async def test_a_token_that_is_refused_in_mid_session_ends_all_requests(
    quiet_club: Club, watched: Watched, silence: Silence
) -> None:
    club, world = quiet_club, quiet_club.world
    await club.bot.start()
    table = await club.start_game()
    begun = len(world.exchanges)
    world.state.gateway.token_reset = True  # its connection stays, as Discord's does for a while
    for move in random_game(1)[:5]:
        await table.type(move)
    await club.bot.wrote("Discord rejected DISCORD_TOKEN")
    assert "token rejected, requests stopped" in club.bot.log
    refused = [exchange for exchange in world.exchanges[begun:] if exchange.status == 401]
    assert len(refused) <= 3  # the checks in progress, and another one
    status, told = await watched.health()  # at once
    assert (status, told["status"]) == (503, "starting")
    assert list(told["degraded"]) == ["token refused"]
    silence.lasts()
    assert (await watched.health())[0] == 503
    numbers = await watched.numbers()
    assert numbers['dvonn_discord_invalid_requests_total{status="401"}'] == len(refused)
    assert numbers['dvonn_discord_invalid_requests_total{status="403"}'] == 0
    assert "retry_s=600" in club.bot.log
