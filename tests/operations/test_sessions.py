"""Tests that every fault causes few sessions, because too many a day would cost the token."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from bot.base.database_address import database_address
from bot.connection.session_budget import SessionStart
from bot.connection.store import IdentifyTable
from bot.database.database import Database
from bot.database.opening import create_engine
from sandbox import Limit, RateLimits, Sandbox
from tests.e2e.bot_process import BotClock, WorldClock
from tests.e2e.conftest import Club, Table
from tests.e2e.database import begun
from tests.e2e.processes import Processes, guild_of_shard
from tests.games import random_game
from tests.operations.watched import Watched, until
from tests.postgresql import without_rows

WAITS = "session start delayed"
CLOCK = "1 day"


@pytest.fixture
async def clock(quiet_club: Club, watched: Watched) -> AsyncIterator[BotClock]:
    """The clock of a bot that has not been started."""
    quiet_club.bot.settings["METRICS_PORT"] = str(watched.port)
    yield quiet_club.bot.take_clock()
    await quiet_club.bot.end()
    assert not quiet_club.world.state.gateway.token_reset


@asynccontextmanager
async def hurrying(clock: BotClock) -> AsyncIterator[None]:
    """Let the bot's time pass a hundred times as fast during the block."""

    async def hurry() -> None:
        while True:
            clock.advance(seconds=5)
            await asyncio.sleep(0.05)

    task = asyncio.create_task(hurry())
    try:
        yield
    finally:
        task.cancel()


async def begun_in(url: str) -> list[SessionStart]:
    """Return the sessions that all processes of a database have recorded."""
    database = Database(create_engine(database_address(url)))
    try:
        return await IdentifyTable(database).history(datetime.now(UTC))
    finally:
        await database.close()


def identifies(club: Club) -> int:
    return club.world.state.gateway.identifies


async def test_a_server_in_an_outage_costs_no_session(clock: BotClock, quiet_club: Club) -> None:
    club = quiet_club
    other = club.world.create_guild("Others")
    for item in (club.ann, club.bob):
        other.join(item)
    await club.bot.start()
    for told in (True, False):
        table = await club.start_game(other.create_channel("dvonn"), clock=CLOCK)
        with club.world.faults.outage(club.guild.guild, is_announced=told):  # the very first server
            clock.advance(days=2)
            # a deadline passes only once all events are known to be received
            over = await table.board(1)
        assert "ran out of time" in over.content
    assert identifies(club) == 1


async def test_during_an_outage_of_all_servers_no_deadline_passes(
    clock: BotClock, quiet_club: Club, watched: Watched
) -> None:
    club = quiet_club
    await club.bot.start()
    table = await club.start_game(clock=CLOCK)
    with club.world.faults.outage(club.guild.guild) as outage:
        clock.advance(days=2)
        await club.bot.wrote("all guilds of the shard unavailable")
        asked = outage.hits  # a request may have been in progress when the outage began
        for _ in range(5):
            clock.advance(minutes=1)  # wakes all periodic checks
            await watched.health()
    assert outage.hits == asked
    board = await table.play(random_game(1)[:2])
    assert "ran out of time" not in board.content
    assert identifies(club) == 1


async def test_a_bot_in_no_server_keeps_its_session(
    clock: BotClock, quiet_club: Club, watched: Watched
) -> None:
    club = quiet_club
    club.guild.remove_bot()
    await club.bot.start()
    clock.advance(minutes=10)

    async def is_healthy() -> bool:
        return bool((await watched.health())[1]["heard"] == ["requests", "shard 0"])

    await until(is_healthy)
    assert identifies(club) == 1


async def test_a_silent_connection_resumes_its_session_and_catches_up(
    clock: BotClock, quiet_club: Club
) -> None:
    club = quiet_club
    await club.bot.start()
    table = await club.start_game(clock=CLOCK)
    moves = random_game(1)
    with club.world.faults.deaf() as deaf:
        await table.type(moves[0])
        await deaf.met()
        clock.advance(days=2)  # a game is due, so the bot checks if it received everything
        await table.board(1)
    assert identifies(club) == 1
    await table.play(moves[1:2])


ANOTHER_WAY = pytest.mark.thorough("another way for a session to end, counted alike")


@pytest.mark.parametrize(
    "how",
    [
        "op 9",
        pytest.param("closed after READY", marks=ANOTHER_WAY),
        pytest.param("cut, and RESUME refused", marks=ANOTHER_WAY),
    ],
)
async def test_after_a_hundred_sessions_of_a_day_those_that_do_not_last_wait(
    clock: BotClock, quiet_club: Club, watched: Watched, how: str
) -> None:
    club, faults = quiet_club, quiet_club.world.faults
    await club.bot.start()
    begun(club.bot, clock.now, times=95)
    table = await club.start_game()
    cutting: asyncio.Task[None] | None = None
    match how:
        case "op 9":
            fault = faults.invalidate_always()
        case "closed after READY":
            fault = faults.end_after_ready()
        case _:
            fault = faults.refuse_resume(times=None)
            cutting = asyncio.create_task(cut_again_and_again(club.world))
    club.world.invalidate_sessions()
    async with hurrying(clock):
        await club.bot.wrote(WAITS)
    if cutting is not None:
        cutting.cancel()

    async def waits() -> bool:
        status, told = await watched.health()
        return status == 503 and list(told["waiting"]) == ["shard 0"] and told["silent"] == []

    await until(waits)
    spent = identifies(club)
    assert spent == 5
    numbers = await watched.numbers()
    assert numbers['dvonn_gateway_identifies_total{shard="0"}'] == spent
    assert numbers['dvonn_gateway_waits_until_timestamp_seconds{shard="0"}'] > 0

    async def are_left() -> bool:
        clock.advance(seconds=10)  # perhaps Discord was asked before it had counted the last one
        return (await watched.numbers())["dvonn_gateway_identifies_left"] == 1_000 - spent

    await until(are_left)
    fault.end()
    await goes_on(club, table, clock)
    assert identifies(club) == spent + 1
    numbers = await watched.numbers()
    assert numbers['dvonn_gateway_waits_until_timestamp_seconds{shard="0"}'] == 0
    await until_well(watched)


async def cut_again_and_again(world: Sandbox) -> None:
    while True:
        await world.wait_session()
        await world.disconnect()


async def goes_on(club: Club, table: Table, clock: BotClock) -> None:
    """The bot's wait ends, and it keeps playing."""
    await table.type(random_game(1)[0])
    clock.advance(minutes=15)
    await club.world.wait_session()
    await table.board(1)


async def until_well(watched: Watched) -> None:
    async def well() -> bool:
        return (await watched.health())[0] == 200

    await until(well)


async def test_an_endlessly_resumable_session_is_not_retried_too_often(
    clock: BotClock, quiet_club: Club
) -> None:
    club = quiet_club
    await club.bot.start()
    fault = club.world.faults.invalidate_always(resumable=True)
    await club.world.disconnect()
    await fault.met(7)
    with pytest.raises(TimeoutError):
        await fault.met(60, timeout=4)
    assert identifies(club) == 1
    fault.end()
    clock.advance(minutes=1)
    await club.world.wait_session()
    await (await club.start_game()).play(random_game(1)[:1])


async def test_a_process_that_is_killed_again_and_again_comes_back_at_once(
    clock: BotClock, quiet_club: Club, watched: Watched
) -> None:
    club = quiet_club
    for _ in range(2):
        await club.bot.start()
        await club.bot.kill()
        clock.advance(seconds=6)
    begun(club.bot, clock.now, times=96)
    clock.advance(seconds=6)
    await club.bot.start()
    assert WAITS not in club.bot.log
    await club.bot.kill()
    begun(club.bot, clock.now, times=1)
    starting = asyncio.create_task(club.bot.start())
    await club.bot.wrote(WAITS)
    status, told = await watched.health()
    assert (status, list(told["waiting"])) == (503, ["connecting"])
    clock.advance(minutes=15)
    await starting
    assert identifies(club) == 4
    assert await club.bot.stop() == 0


async def test_the_last_sessions_of_a_day_are_not_used_up(
    clock: BotClock, quiet_club: Club
) -> None:
    club = quiet_club
    club.world.state.gateway.total = 8
    club.world.faults.invalidate_always()
    starting = asyncio.create_task(club.bot.start())
    async with hurrying(clock):
        await club.bot.wrote(WAITS)
    clock.advance(days=1)
    while identifies(club) < 5:
        clock.advance(hours=1)
        await asyncio.sleep(0.1)
    starting.cancel()


async def test_processes_that_start_at_once_let_each_other_in(
    tmp_path: Path, postgres_url: str
) -> None:
    url, clock = await without_rows(postgres_url), WorldClock()
    limits = RateLimits.generous().but(identify=Limit(1, 5))
    async with Sandbox(rate_limits=limits, clock=clock) as world:
        processes = Processes(world, clock, tmp_path, url)
        for shard in range(2):
            await guild_of_shard(world, f"Friends {shard}", shard, 2)
        bots = [processes.add(f"{shard}/2") for shard in range(2)]
        try:
            await asyncio.gather(*(bot.start() for bot in bots))
        finally:
            await processes.end()
            sys.stderr.write(processes.log)
    # On a busy machine one may reach Discord late, and the next too soon. Then it starts once more.
    begun_at = [item.at for item in await begun_in(url)]
    assert len(begun_at) >= 2
    assert all(later - at >= timedelta(seconds=5) for at, later in pairwise(begun_at))
