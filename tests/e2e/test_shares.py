"""Tests for several processes with one token, which stay below Discord's limit."""

import asyncio
from pathlib import Path

import pytest

from demo.commands import use
from sandbox import Limit, RateLimits, Sandbox
from tests.e2e.bot_process import WorldClock
from tests.e2e.conftest import PATIENCE, Table, is_board, message_of
from tests.e2e.launch import MANY_LIVES
from tests.e2e.processes import Processes, guild_of_shard
from tests.games import random_game
from tests.postgresql import without_tables

PROCESSES = 3
GAMES_EACH = 5
GRANTED = 12
"""Requests per second, for all processes together."""


async def limits_met(folder: Path, database: str, share: int) -> int:
    """Play fifteen games at once in three processes. Return the number of global rate limits."""
    url, clock = await without_tables(database), WorldClock()
    limits = RateLimits.generous().but(everything=Limit(GRANTED, 1))
    async with Sandbox(rate_limits=limits, clock=clock, patience=PATIENCE) as world:
        settings = {MANY_LIVES: "1", "REQUESTS_PER_SECOND": str(share)}
        processes = Processes(world, clock, folder, url, **settings)
        tables = []
        for shard in range(PROCESSES):
            await processes.add(f"{shard}/{PROCESSES}").start()
            guild = await guild_of_shard(world, f"Friends {shard}", shard, PROCESSES)
            for game in range(GAMES_EACH):
                channel = guild.create_channel(f"dvonn-{game}")
                ann, bob = guild.add_person(f"Ann {game}"), guild.add_person(f"Bob {game}")
                terms = {"colour": "white", "start": "placement"}
                answer = message_of(await use(ann, channel, "challenge", opponent=bob, **terms))
                await bob.click(answer, "Accept")
                await channel.wait_for(is_board(0))
                tables.append(Table(channel, ann, bob))
        before = len(world.exchanges)
        for move in random_game(2)[:3]:
            for table in tables:
                await table.type(move)
            ply = tables[0].position.plies
            boards = (table.channel.wait_for(is_board(ply)) for table in tables)
            await asyncio.gather(*boards)
        await processes.end()
        return sum(
            exchange.status == 429 and bool((exchange.response or {}).get("global"))
            for exchange in world.exchanges[before:]
        )


@pytest.mark.thorough("three processes, which wait for Discord's limits")
async def test_three_processes_together_meet_no_global_limit(
    tmp_path: Path, postgres_url: str
) -> None:
    assert await limits_met(tmp_path, postgres_url, GRANTED // PROCESSES) == 0


@pytest.mark.thorough("three processes, which wait for Discord's limits")
async def test_without_shares_they_would_meet_it(tmp_path: Path, postgres_url: str) -> None:
    assert await limits_met(tmp_path, postgres_url, 1_000) > 0
