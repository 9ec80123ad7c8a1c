r"""Everything at once, for hours: memory, files and threads must not grow.

    python -m tests.soak.steady [--minutes 120] [--every 60] [--tables 3] [--seed 1] \
        [--database postgresql://...] [--out FILE]

People play game after game in some servers, on empty and balanced boards. In one more server they
play the machine. Each game is reviewed, and puzzles are made of it. All the time someone looks at
help, boards, puzzles and lists, connections break, and metrics are requested. Every `--every`
seconds, one line reports on the bot and its worker: memory in MiB, open files, threads, and the
number of finished games. The lines are also written to FILE.

At the end the medians of the second and the last quarter are compared, because the first quarter
fills the caches. A fault is 5% more memory and 8 MiB, or a dozen more files or six more threads.
The database's connections, each with its thread and files, come and go with the load. `game_kib` is
the database's growth per finished game, including everything related to it.
"""

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from random import Random
from statistics import median
from urllib.request import urlopen

from sqlalchemy import text

from benchmarks.bots import cpu_s, memory_mib, running_bot
from bot.base.database_address import database_address
from bot.database.connection import AsyncEngine
from bot.database.opening import create_engine
from bot.play.store.store import Store
from sandbox import InteractionFailed, RateLimits, Sandbox
from tests.ports import free_port
from tests.postgresql import without_tables
from tests.soak.tables import Hall

PAUSE_S = 0.5
"""Thinking time of people."""
_BREAK_EVERY_S = 97.0
_LOOK_EVERY_S = 3.0
MORE_MIB, MORE_SHARE = 8.0, 0.05
MORE = {"files": 12.0, "threads": 6.0}
PATIENCE = "Please wait"
LOST: list[str] = []
"""Events that did not happen in time."""
LOOKS = ("help", "board", "puzzle", "games", "show")


@dataclass(frozen=True, slots=True)
class Sample:
    """Measurements at one moment."""

    minute: float
    games: int
    bot_mib: float
    workers_mib: float
    files: int
    threads: int
    cpu_s: float
    database_mib: float


class Faults(list[str]):
    """Values that are not flat."""

    def compare(self, what: str, early: list[float], late: list[float], more: float) -> None:
        """Check if something has grown by more than that."""
        before, after = median(early), median(late)
        sys.stdout.write(f"{what}: {before:.1f}, then {after:.1f}\n")
        if after > before + more:
            self.append(f"{what} has grown from {before:.1f} to {after:.1f}")


def children(pid: int) -> list[int]:
    """Return the child processes of a process."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(item) for item in listed.read_text().split()] if listed.exists() else []


def sample(pid: int, minute: float, games: int, database_mib: float) -> Sample:
    """Measure the bot now."""
    workers = children(pid)
    memory = [found[0] for worker in workers if (found := memory_mib(worker)) is not None]
    own = memory_mib(pid)
    return Sample(
        minute=minute,
        games=games,
        bot_mib=own[0] if own is not None else 0.0,
        workers_mib=sum(memory),
        files=len(list(Path(f"/proc/{pid}/fd").iterdir())),
        threads=len(list(Path(f"/proc/{pid}/task").iterdir())),
        cpu_s=cpu_s(pid),
        database_mib=database_mib,
    )


async def play_on(hall: Hall, start: str, ended: list[int], *, by_machine: bool) -> None:
    """Play one game after the other. Retry what fails."""
    while True:
        try:
            await hall.play(start, by_machine=by_machine)
            ended.append(1)
        except InteractionFailed:  # the connection is broken just now
            await asyncio.sleep(PAUSE_S)
        except TimeoutError as error:
            if PATIENCE not in str(error):  # people who start many games are asked for it
                LOST.append(str(error))
                sys.stdout.write(f"{error}\n")


async def look_on(hall: Hall, rng: Random) -> None:
    """Use various things."""
    while True:
        await asyncio.sleep(_LOOK_EVERY_S)
        with suppress(InteractionFailed, TimeoutError):
            await hall.bob.slash(hall.channel, rng.choice(LOOKS))


async def disturb(world: Sandbox, port: int) -> None:
    """Break connections now and then, and request metrics."""
    while True:
        await asyncio.sleep(_BREAK_EVERY_S)
        await world.disconnect()
        for page in ("metrics", "healthz"):
            with suppress(OSError):
                await asyncio.to_thread(_fetch, f"http://127.0.0.1:{port}/{page}")


def _fetch(page: str) -> None:
    with urlopen(page, timeout=30) as answer:  # noqa: S310 - of this machine
        answer.read()


async def size_mib(engine: AsyncEngine) -> float:
    """Return the size of a database."""
    async with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            size = text("SELECT pg_database_size(current_database())")
        else:
            size = text("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        return int((await connection.execute(size)).scalar_one()) / 2**20


@asynccontextmanager
async def running(tasks: Iterator[asyncio.Task[None]]) -> AsyncIterator[list[asyncio.Task[None]]]:
    """Tasks that run during the block."""
    under_way = list(tasks)
    try:
        yield under_way
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


async def soak(options: argparse.Namespace, folder: Path) -> list[str]:
    """Let it run. Return all faults."""
    url = f"sqlite:///{folder / 'dvonn.sqlite3'}"
    if options.database is not None:
        url = await without_tables(options.database)
    port, ended, samples = free_port(), list[int](), list[Sample]()
    settings = {"DATABASE_URL": url, "METRICS_PORT": str(port), "LOG_LEVEL": "warning"}
    async with (
        Sandbox(rate_limits=RateLimits.generous(), record=False) as world,
        running_bot(world, folder, "bot", **settings) as pid,
    ):
        world.state.gateway.total = 100_000
        engine = create_engine(database_address(url))
        store, rng = Store(engine), Random(options.seed)
        halls = [Hall(world, store, Random(n), PAUSE_S) for n in range(options.tables + 1)]
        empty_mib, began = await size_mib(engine), time.monotonic()
        write(options.out, " ".join(field.name for field in fields(Sample)))

        def work() -> Iterator[asyncio.Task[None]]:
            for number, hall in enumerate(halls):
                by_machine = number == options.tables
                start = "placement" if number % 2 == 0 else "balanced"
                playing = play_on(hall, start, ended, by_machine=by_machine)
                yield asyncio.create_task(playing)
                yield asyncio.create_task(look_on(hall, rng))
            yield asyncio.create_task(disturb(world, port))

        async with running(work()) as tasks:
            while time.monotonic() - began < options.minutes * 60:
                await asyncio.wait(tasks, timeout=options.every)
                for task in tasks:
                    if task.done():
                        task.result()
                minute = (time.monotonic() - began) / 60
                samples.append(sample(pid, minute, len(ended), await size_mib(engine)))
                write(options.out, " ".join(f"{item:.1f}" for item in astuple(samples[-1])))
        grown_kib = (samples[-1].database_mib - empty_mib) * 1024
        await store.close()
    log = (folder / "bot.log").read_text()
    return list(faults(samples, log, grown_kib))


def faults(samples: list[Sample], log: str, grown_kib: float) -> Iterator[str]:
    """Return the faults of a run."""
    quarter = max(1, len(samples) // 4)
    early, late = samples[quarter : 2 * quarter] or samples, samples[-quarter:]
    found = Faults()
    for name in ("bot_mib", "workers_mib", *MORE):
        before, after = ([getattr(item, name) for item in some] for some in (early, late))
        more = MORE.get(name, max(MORE_MIB, MORE_SHARE * median(before)))
        found.compare(name, before, after, more)
    yield from found
    yield from LOST
    games = max(1, samples[-1].games)
    sys.stdout.write(f"{games} games, game_kib={grown_kib / games:.1f}\n")
    told = re.split(r"^(?=\S+Z \[)", log, flags=re.MULTILINE)
    words = [item.rstrip() for item in told if "[error" in item or "Traceback" in item]
    yield from words[:20]


def write(out: Path | None, line: str) -> None:
    """Print a line, and store it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
    if out is not None:
        with out.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


def main() -> int:
    """Run, and print all faults."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--every", type=float, default=60, help="seconds between two lines")
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", help="an empty PostgreSQL; a file of SQLite's if left out")
    parser.add_argument("--out", type=Path)
    with tempfile.TemporaryDirectory() as folder:
        wrong = asyncio.run(soak(parser.parse_args(), Path(folder)))
    sys.stdout.writelines(f"{fault}\n" for fault in wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
