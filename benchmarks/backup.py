"""Cost of a backup, and the time that a player's move waits for it.

    python -m benchmarks.backup [--games 500] [--plies 100]

A database of ended games is filled; then `dvonn-bot backup`, a process of its own, makes a backup
while a writer here commits one small transaction after the other. `ratio` is the longest of a
thousand such commits, on average, beside that of as many without a backup. The backup is restored
into an empty database at last.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.database.backups import restore
from bot.database.delivery_rows import BOARD, Way, deliveries
from bot.database.opening import create_engine, migrate
from bot.play.model.events import Moved, Started
from bot.play.model.terms import How
from bot.play.store.privacy import kept_deletions
from bot.play.store.schema import events, games
from bot.play.store.store import Store
from dvonn import Coordinates

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
_AT_ONCE = 200
"""Games that are filled in with one statement."""


async def fill(engine: AsyncEngine, count: int, plies: int) -> None:
    """Write games that have ended, each of whose boards was sent."""
    await migrate(engine)
    for first in range(1, count + 1, _AT_ONCE):
        numbers = range(first, min(first + _AT_ONCE, count + 1))
        turns = [(number, revision) for number in numbers for revision in range(plies)]
        async with engine.begin() as connection:
            await connection.execute(insert(games), [_game(number, plies) for number in numbers])
            await connection.execute(insert(events), [_event(*turn) for turn in turns])
            await connection.execute(insert(deliveries), [_sent(*turn) for turn in turns])


def _game(number: int, plies: int) -> dict[str, object]:
    return {
        "id": number,
        "guild_id": 1 << 22,
        "channel_id": number,
        "white_id": 1,
        "black_id": 2,
        "coordinates": Coordinates.STANDARD.value,
        "start": "placement",
        "seed": 0,
        "clock": "none",
        "revision": plies - 1,
        "outcome": How.COUNT,
        "margin": 0,
        "own_thread": False,
        "created_at": NOON,
        "ended_at": NOON,
    }


def _event(number: int, revision: int) -> dict[str, object]:
    return {
        "game_id": number,
        "revision": revision,
        "kind": Moved.name if revision else Started.name,
        "data": {"move": "a1-b2"} if revision else {},
        "actor_id": 1,
        "source_id": number << 20 | revision,
        "at": NOON,
    }


def _sent(number: int, revision: int) -> dict[str, object]:
    return {
        "kind": BOARD,
        "key": f"{number}-{revision}",
        "guild_id": 1 << 22,
        "channel_id": number,
        "game_id": number,
        "revision": revision,
        "way": Way.CHANNEL,
        "message_id": number << 20 | revision,
        "data": {},
        "created_at": NOON,
        "due_at": NOON,
        "tries": 1,
        "tried_at": NOON,
        "sent_at": NOON,
        "silent": False,
    }


async def commits(store: Store, go_on: Callable[[int], bool]) -> list[float]:
    """Commit again and again; how long each took, in seconds."""
    took: list[float] = []
    while go_on(len(took)):
        began = time.perf_counter()
        await store.listening.set_heard_until(0, 1, NOON)
        took.append(time.perf_counter() - began)
    return took


async def run(count: int, plies: int, folder: Path) -> dict[str, float]:
    """Fill, back up beside a writer, restore."""
    engine = create_engine(database_address(f"sqlite:///{folder / 'dvonn.sqlite3'}"))
    other = create_engine(database_address(f"sqlite:///{folder / 'other.sqlite3'}"))
    await fill(engine, count, plies)
    store = Store(engine)
    backup = asyncio.create_task(_back_up(folder))
    began = time.perf_counter()
    beside = await commits(store, lambda _: not backup.done())
    await backup
    backup_s = time.perf_counter() - began
    alone = await commits(store, lambda done: done < len(beside))
    began = time.perf_counter()
    contents = await restore(
        other, folder / "backup", replace=False, now=NOON, keeping=kept_deletions
    )
    restore_s = time.perf_counter() - began
    await engine.dispose()
    await other.dispose()
    rows = sum(contents.rows.values())
    return {
        "rows": rows,
        "rows_per_s": rows / backup_s,
        "backup_s": backup_s,
        "restore_s": restore_s,
        "mib": (folder / "backup").stat().st_size / 2**20,
        "commits": len(beside),
        "longest_ms": max(beside) * 1_000,
        "slow_ms": _slow(beside) * 1_000,
        "slow_alone_ms": _slow(alone) * 1_000,
        "ratio": _slow(beside) / _slow(alone),
    }


async def _back_up(folder: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "backup", str(folder / "backup")),
        env={**os.environ, "DATABASE_URL": f"sqlite:///{folder / 'dvonn.sqlite3'}"},
        stdout=asyncio.subprocess.DEVNULL,
    )
    assert await process.wait() == 0


def _slow(seconds: list[float]) -> float:
    """Return the longest of each thousand, on average."""
    return mean(max(part) for part in _thousands(seconds))


def _thousands(seconds: list[float]) -> list[list[float]]:
    """Thousands, without what is left over behind the first."""
    size = 1_000
    whole = [seconds[at : at + size] for at in range(0, len(seconds) - size + 1, size)]
    return whole or [seconds]


def main() -> None:
    """Run, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--plies", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(run(options.games, options.plies, Path(folder)))
    print(result_line("backup", figures))


if __name__ == "__main__":
    main()
