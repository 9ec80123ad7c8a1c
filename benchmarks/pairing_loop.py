"""How long the bot's event loop stands still while a large Swiss is paired and played.

    python -m benchmarks.pairing_loop [--players 64] [--rounds 7] [--idle 5]

A whole tournament runs by its use cases on SQLite, with its announcements, games, results and
standings, and a heartbeat asks every two milliseconds whether the loop still runs. `paired_ms` is
its longest wait while the director looks, of all rounds, `played_ms` while games are opened and
resigned, and `idle_ms` before, while nothing was done: what the machine itself and others on it
cost. `slowest_s` is the longest look. These are times of the clock on the wall: measure on a
machine that has nothing else to do. `paired_worked_ms` and `played_worked_ms` are what the loop's
own thread took of a processor while a heartbeat waited, and `standings_ms` what one table takes,
whatever else the machine does. The exit code is 1 where `paired_ms` is over 50 more than `idle_ms`.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.result import result_line
from bot.config import database_address
from bot.model.ids import MessageId, UserId
from bot.model.tournaments import TournamentState, standings
from bot.store import Store, create_engine, migrate
from tests.bot.conftest import Clock
from tests.bot.directed import MESSAGES, Event
from tests.bot.table import Table

BEAT_S = 0.002
MOST_MS = 50.0


@dataclass
class Waits:
    """How long the loop has kept a heartbeat waiting at most, in milliseconds."""

    worst_ms: float = 0.0
    worked_ms: float = 0.0
    """Of its own work: what its thread has taken of a processor meanwhile."""

    def or_longer(self, other: "Waits") -> "Waits":
        """The longer ones of two."""
        return Waits(max(self.worst_ms, other.worst_ms), max(self.worked_ms, other.worked_ms))


@asynccontextmanager
async def heartbeat() -> AsyncIterator[Waits]:
    """Look every two milliseconds whether the loop still runs."""
    waits = Waits()

    async def beat() -> None:
        while True:
            before, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(BEAT_S)
            late_s = time.perf_counter() - before - BEAT_S
            waits.worst_ms = max(waits.worst_ms, 1000 * late_s)
            waits.worked_ms = max(waits.worked_ms, 1000 * (time.thread_time() - worked))

    beating = asyncio.create_task(beat())
    try:
        yield waits
        await asyncio.sleep(2 * BEAT_S)  # so that it also hears of what came last
    finally:
        beating.cancel()


async def measure(folder: Path, players: int, rounds: int, idle_s: float) -> dict[str, float]:
    """The figures of the RESULT line."""
    engine = create_engine(database_address(f"sqlite:///{folder / 'loop.sqlite3'}"))
    await migrate(engine)
    table = Table(Store(engine), Clock())
    people = [UserId(10_001 + number) for number in range(players)]
    async with heartbeat() as idle:
        await asyncio.sleep(idle_s)
    event = await Event.made(table, people, rounds=rounds)
    await event.begin()
    paired, played = Waits(), Waits()
    standings_ms = slowest_s = 0.0
    while True:
        began = time.perf_counter()
        async with heartbeat() as waits:
            await event.tick()
        slowest_s = max(slowest_s, time.perf_counter() - began)
        paired = paired.or_longer(waits)
        now = await event.now()
        if now.state is TournamentState.DONE:
            break
        async with heartbeat() as waits:
            for row in await event.announce():
                place = row.data["round"], row.data["board"]
                await table.director.opened(event.id, *place, MessageId(MESSAGES + row.id))
            for pairing in await event.running():
                await event.lose(pairing, max(pairing.players))
        played = played.or_longer(waits)
        now = await event.now()
        began = time.thread_time()
        standings(now)
        standings_ms = max(standings_ms, 1000 * (time.thread_time() - began))
        table.clock.advance(seconds=2)
    await engine.dispose()
    return {
        "players": players,
        "rounds": now.round,
        "idle_ms": idle.worst_ms,
        "paired_ms": paired.worst_ms,
        "paired_worked_ms": paired.worked_ms,
        "played_ms": played.worst_ms,
        "played_worked_ms": played.worked_ms,
        "standings_ms": standings_ms,
        "slowest_s": slowest_s,
    }


def main() -> int:
    """Measure, print the RESULT line, and say whether the loop was there all the time."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pairing_loop")
    parser.add_argument("--players", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--idle", type=float, default=5.0, help="seconds of doing nothing before")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dvonn-loop-") as name:
        found = asyncio.run(measure(Path(name), options.players, options.rounds, options.idle))
    print(result_line("pairing_loop", found))
    return int(found["paired_ms"] > MOST_MS + found["idle_ms"])


if __name__ == "__main__":
    raise SystemExit(main())
