"""Turns at Discord's limit: 25 answers a second, in few games and in many.

    python -m benchmarks.load [--rate 25] [--games 50 500 5000] [--seconds 40] [--processes 1]
        [--settles 20] [--database postgresql://...] [--seed 1] [--free]

A turn takes two requests: one for the new board and one for the previous one. Discord answers 50
requests a second for a token. So moves are typed at random times, with `--rate` as the average
number per second, whether or not the bot has answered (an open loop). The games take turns. The
sandbox enforces Discord's limits; `--free` lifts them for the bot and the sandbox.

`p50_ms` and `p99_ms` are the bot's own times, from reading the event from the gateway to sending
the request with the board. `room_p99_ms` is the part of that time in which boards wait for
Discord's limits. `seen_p50_ms` and `seen_p99_ms` are the times from the typed move to the board in
the channel, including the sandbox's own work. `limits` counts the requests that were refused by the
global limit, and `late` the boards that had not arrived by the end. `tidied` is the number of
requests per turn that edited or deleted an older board. `cpu_ms` is the processor time of the bot's
processes per turn, including all work that a turn causes. So a core can handle 1000 / `cpu_ms`
turns a second, however busy the machine is.

The process that plays Discord also types the moves. Its existing objects are excluded from garbage
collection first. Otherwise it would pause now and then, and then type all the delayed moves at
once. `pushed_p99_ms` is the 99th percentile of how much later than planned moves were typed.

After its start, the bot reads what was written in the channels while it was off, with one request
for each channel. With 5,000 games this takes minutes, and continues while moves are typed, as after
a restart at a busy time. `pasts` counts these requests. With `--settles 300` the first move is
typed when all of them are done.

`bare_p50_ms` and `bare_p99_ms` are the floor of `seen_p50_ms` and `seen_p99_ms`: a bare discord.py
bot answers the same moves, typed at the same times, with a ready-made picture (`benchmarks.turn`).

With several processes, each runs an equal share of the shards and of the games.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections import defaultdict
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import quantiles

from benchmarks.bots import cpu_s, memory_mib, running_bot
from benchmarks.result import result_line
from bot.base.config import TOKEN_REQUESTS_PER_SECOND
from bot.base.database_address import database_address
from bot.base.garbage_collection import freeze_objects
from bot.database.opening import create_engine, migrate
from dvonn import Color
from renderer import render
from sandbox import Channel, Message, RateLimits, Sandbox
from tests.games import positions_of, random_game
from tests.halls import PLIES, Hall, Place, fill
from tests.postgresql import new_database, stop_server, without_tables

_LATER = timedelta(minutes=10)
"""Delay after which all earlier messages have been handled."""
_REFUSED = 429
_MESSAGES = "/channels/{channel_id}/messages"
_QUIET_S = 2.0
_LATEST_S = 60.0
"""Seconds to wait for a board after the last move."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of the benchmark."""

    rate: float
    seconds: float
    processes: int
    seed: int
    free: bool
    settles: float
    """Maximum number of seconds to wait until the bot has finished its startup work."""


@dataclass
class Games:
    """Games with the same moves in the channels of one hall, and the moves that await boards."""

    hall: Hall
    ply: dict[int, int] = field(default_factory=lambda: defaultdict(lambda: PLIES))
    typed: dict[tuple[int, int], float] = field(default_factory=dict)
    took: list[float] = field(default_factory=list)

    def listen(self) -> None:
        """Record the arrival of each board."""
        for channel in self.hall.channels:
            channel.directory.messages_changed.listen(self._note)

    def _note(self, message: Message) -> None:
        for file in message.attachments:
            ply = int(file.filename.removesuffix(".png").rpartition("-")[2])
            began = self.typed.pop((message.channel.id, ply), None)
            if began is not None:
                self.took.append(time.perf_counter() - began)

    async def type(self, channel: Channel) -> None:
        """Type the next move of a channel's game."""
        moves, ply = random_game(1), self.ply[channel.id]
        is_white = positions_of(moves)[ply].turn is Color.WHITE
        self.ply[channel.id] = ply + 1
        self.typed[channel.id, ply + 1] = time.perf_counter()
        await (self.hall.white if is_white else self.hall.black).say(channel, str(moves[ply]))


@dataclass
class BareGames(Games):
    """The same games, answered by a bare bot whose pictures do not show the ply."""

    answers: set[int] = field(default_factory=set)

    def _note(self, message: Message) -> None:
        if message.attachments and message.id not in self.answers:
            self.answers.add(message.id)
            oldest = next(key for key in self.typed if key[0] == message.channel.id)
            self.took.append(time.perf_counter() - self.typed.pop(oldest))


async def drive(games: Games, plan: Plan) -> list[float]:
    """Type moves at random moments. Return how late each one was, in seconds."""
    rng, loop = Random(plan.seed), asyncio.get_running_loop()
    channels = list(games.hall.channels)
    rng.shuffle(channels)
    longest = len(random_game(1)) - PLIES
    if plan.rate * plan.seconds > len(channels) * longest:
        raise SystemExit("the games end too early: use fewer --seconds or more --games")
    at, pushed = loop.time(), list[float]()
    end = at + plan.seconds
    while (at := at + rng.expovariate(plan.rate)) < end:
        await asyncio.sleep(max(0.0, at - loop.time()))
        pushed.append(loop.time() - at)
        await games.type(channels[len(pushed) % len(channels)])
    return pushed


async def wait_for_boards(games: Games) -> None:
    """Wait until all boards have arrived, or for a limited time."""
    until = time.monotonic() + _LATEST_S
    while games.typed and time.monotonic() < until:  # noqa: ASYNC110 - waits for many boards
        await asyncio.sleep(0.05)


async def settled(world: Sandbox, at_most_s: float) -> None:
    """Wait until the bot makes no more requests, or for a limited time."""
    until, count = time.monotonic() + at_most_s, -1
    while len(world.exchanges) > count and time.monotonic() < until:
        count = len(world.exchanges)
        await asyncio.sleep(_QUIET_S)


async def measure_floor(plan: Plan, count: int, folder: Path) -> dict[str, float]:
    """Measure the delays of a bare bot's pictures for the same moves."""
    picture = folder / "board.png"
    picture.write_bytes(render(positions_of(random_game(1))[PLIES + 10]))
    limits = RateLimits.generous() if plan.free else RateLimits()
    async with Sandbox(rate_limits=limits, record=False) as world:
        games = BareGames(Hall.of(world, count, shards=1))
        async with running_bot(world, folder, "benchmarks.bare_bot", str(picture)):
            freeze_objects()
            games.listen()
            await drive(games, plan)
            await wait_for_boards(games)
    took = quantiles(games.took, n=100)
    figures = {"bare_p50_ms": took[49] * 1_000, "bare_p99_ms": took[98] * 1_000}
    print("bare bot: " + ", ".join(f"{name} {value:.1f}" for name, value in figures.items()))
    return figures


async def measure(plan: Plan, count: int, database: str | None, folder: Path) -> dict[str, float]:
    """Return the figures for `count` games."""
    limits = RateLimits.generous() if plan.free else RateLimits()
    url = f"sqlite:///{folder / 'dvonn.sqlite3'}"
    if database is not None:
        url = await without_tables(database)
    async with Sandbox(rate_limits=limits, record=not plan.free) as world:
        world.state.gateway.total = 100_000
        games = Games(Hall.of(world, count, shards=plan.processes))
        engine = create_engine(database_address(url))
        await migrate(engine)
        places = [
            Place(channel.guild.id, channel.id, games.hall.white.id, games.hall.black.id)
            for channel in games.hall.channels
            if channel.guild is not None
        ]
        await fill(engine, places, datetime.now(UTC) + _LATER)
        await engine.dispose()
        for channel in games.hall.channels:
            await games.hall.white.say(channel, "Here we play.")
        async with AsyncExitStack() as stack:
            pids = []
            for number in range(plan.processes):
                home = folder / f"process-{number}"
                home.mkdir()
                settings = {
                    "DATABASE_URL": url,
                    "MACHINE": "off",
                    "LOG_LEVEL": "warning",
                    "TIMES": str(home / "times"),
                    "REQUESTS_PER_SECOND": "10000" if plan.free else "0",
                }
                if plan.processes > 1:
                    settings["SHARDS"] = f"{number}/{plan.processes}"
                bot = running_bot(world, home, "benchmarks.timed_bot", **settings)
                pids.append(await stack.enter_async_context(bot))
                await world.wait_session(number, timeout=_LATEST_S)
            await settled(world, plan.settles)
            spent, before = [cpu_s(pid) for pid in pids], len(world.exchanges)
            freeze_objects()
            started_at = time.process_time()
            games.listen()
            pushed = await drive(games, plan)
            typed = len(pushed)
            sandbox_ms = (time.process_time() - started_at) / typed * 1_000
            await wait_for_boards(games)
            used = sum(cpu_s(pid) for pid in pids) - sum(spent)
            memory = [usage[0] for pid in pids if (usage := memory_mib(pid)) is not None]
            exchanges = world.exchanges[before:]
        lines = [
            [float(word) * 1_000 for word in line.split()]
            for number in range(plan.processes)
            for line in (folder / f"process-{number}" / "times").read_text().splitlines()
        ]
        inside, waited = zip(*lines, strict=True)
        figures = {
            "turns": typed,
            "late": len(games.typed),
            "p50_ms": quantiles(inside, n=100)[49],
            "p99_ms": quantiles(inside, n=100)[98],
            "room_p99_ms": quantiles(waited, n=100)[98],
            "seen_p50_ms": quantiles(games.took, n=100)[49] * 1_000,
            "seen_p99_ms": quantiles(games.took, n=100)[98] * 1_000,
            "pushed_p99_ms": quantiles(pushed, n=100)[98] * 1_000,
            "cpu_ms": used / typed * 1_000,
            "sandbox_cpu_ms": sandbox_ms,
            "rss_mib": max(memory, default=0.0),
        }
        if exchanges:
            figures["requests_a_s"] = len(exchanges) / (exchanges[-1].at - exchanges[0].at)
            refused = [exchange for exchange in exchanges if exchange.status == _REFUSED]
            figures["pasts"] = sum(
                exchange.method == "GET" and exchange.route == _MESSAGES for exchange in exchanges
            )
            figures["tidied"] = (
                sum(exchange.method in ("DELETE", "PATCH") for exchange in exchanges) / typed
            )
            figures["limits"] = sum(
                bool((exchange.response or {}).get("global")) for exchange in refused
            )
            figures["refused"] = len(refused)
        print(
            f"{count} games: " + ", ".join(f"{name} {value:.1f}" for name, value in figures.items())
        )
        return figures


async def measure_all(
    plan: Plan, counts: list[int], database: str | None, folder: Path
) -> dict[str, float]:
    """Return the figures of the RESULT line."""
    if plan.processes > 1 and database is None:
        (folder / "server").mkdir()
        database = new_database(folder / "server", "load")
    figures: dict[str, float] = {"rate": plan.rate, "processes": plan.processes}
    try:
        for count in counts:
            (folder / str(count)).mkdir()
            measured = await measure(plan, count, database, folder / str(count))
            figures |= {f"{name}_{count}": value for name, value in measured.items()}
    finally:
        stop_server(folder / "server")
    (folder / "bare").mkdir()
    return figures | await measure_floor(plan, min(counts), folder / "bare")


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load")
    parser.add_argument("--rate", type=float, default=TOKEN_REQUESTS_PER_SECOND / 2)
    parser.add_argument("--games", type=int, nargs="+", default=[50, 500, 5_000])
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--database", help="a PostgreSQL, which is emptied")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--settles", type=float, default=20)
    parser.add_argument("--free", action="store_true", help="without Discord's limits")
    options = vars(parser.parse_args())
    counts, database = options.pop("games"), options.pop("database")
    with tempfile.TemporaryDirectory(prefix="dvonn-load-", dir=os.environ.get("TMPDIR")) as name:
        figures = asyncio.run(measure_all(Plan(**options), counts, database, Path(name)))
    print(result_line("load", figures))


if __name__ == "__main__":
    main()
