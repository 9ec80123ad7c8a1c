"""Cost of finished games for a start, and of looking through them afterwards for turns.

    python -m benchmarks.start [--games 64000] [--rounds 5]

The bot is started beside the local Discord in turn with an empty database and with one full of
games that have ended, each of a hundred events and boards: `ready` is the time until it has
identified itself and its commands are known, and `start_ratio` that of the two. The first round is
shown and left out.

With the many games it looks through its file for damage once it is ready. Typed moves are played
one after the other as long as that takes, and as many again when it is done: `turn_ratio` and
`p99_ratio` are those of their medians and of their slow ones. `wal_mib` is how large SQLite's log
became meanwhile. Where the machine is busy otherwise the ratios tell little, for the turns beside
the look come first and the others later.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from statistics import median, quantiles

from benchmarks.bots import Club, running_bot
from benchmarks.result import result_line
from benchmarks.turn import Game, begin_game
from bot.base.database_address import database_address
from bot.database.opening import create_engine, migrate
from dvonn import Color
from sandbox import Message, RateLimits, Sandbox
from tests.finished import finished_games

_PAUSE_S = 0.02
"""Longer than the bot is busy after a turn."""
_LEAST = 10
"""The fewest turns from which figures can be made."""
_LOOKED = "the database was looked through"


async def fill(file: Path, count: int) -> str:
    """Make a database with so many games that are over; its address."""
    url = f"sqlite:///{file.as_posix()}"
    engine = create_engine(database_address(url))
    await migrate(engine)
    await finished_games(engine, count)
    await engine.dispose()
    return url


async def start(home: Path, url: str) -> float:
    """Start the bot: how long it takes until it is ready, in s."""
    async with Sandbox(rate_limits=RateLimits.generous(), record=False) as world:
        begun = time.perf_counter()
        async with running_bot(world, home, "bot", DATABASE_URL=url, MACHINE="off"):
            return time.perf_counter() - begun


async def starts(home: Path, urls: dict[str, str], rounds: int) -> dict[str, float]:
    """Measure a start with each database: the figures of the RESULT line."""
    found: dict[str, list[float]] = {name: [] for name in urls}
    for number in range(rounds + 1):
        for name, url in urls.items():
            found[name].append(await start(home, url))
        print(f"start {number}: " + ", ".join(f"{name} {s[-1]:.2f}" for name, s in found.items()))
    empty, full = (median(found[name][1:]) for name in urls)
    return {"ready_empty_s": empty, "ready_s": full, "start_ratio": full / empty}


def mib(file: Path) -> float:
    """Return the size of a file."""
    return file.stat().st_size / 2**20


def is_board_of(ply: int, message: Message) -> bool:
    """Tell if a message is the board after so many moves."""
    return any(file.filename.endswith(f"-{ply}.png") for file in message.attachments)


async def turns(club: Club, seed: int) -> AsyncIterator[float]:
    """Play games for ever, each in a new server: what each turn took, in ms."""
    while True:
        channel = club.new_channel()
        await begin_game(club, channel)
        for ply, (color, move) in enumerate(Game.of(seed).moves, start=1):
            await asyncio.sleep(_PAUSE_S)
            person = club.white if color is Color.WHITE else club.black
            begun = time.perf_counter()
            await person.say(channel, str(move))
            await channel.wait_for(partial(is_board_of, ply))
            yield (time.perf_counter() - begun) * 1000
        seed += 1


async def played(source: AsyncIterator[float], go_on: Callable[[int], bool]) -> list[float]:
    took: list[float] = []
    while go_on(len(took)):
        took.append(await anext(source))
    return took


async def beside_the_look(home: Path, url: str) -> dict[str, float]:
    """Turns while the file is looked through, and as many afterwards."""
    async with Sandbox(rate_limits=RateLimits.generous(), record=False) as world:
        white, black = world.create_person("Ann"), world.create_person("Bob")
        begun = time.perf_counter()
        async with running_bot(world, home, "bot", DATABASE_URL=url, MACHINE="off") as pid:
            log, source = home / "bot.log", turns(Club(world, white, black, pid), 1)
            beside = await played(
                source, lambda done: done < _LEAST or _LOOKED not in log.read_text()
            )
            took = time.perf_counter() - begun
            wal = mib(Path(f"{url.removeprefix('sqlite:///')}-wal"))
            alone = await played(source, lambda done: done < len(beside))
    slow, slow_alone = (quantiles(one, n=100)[-1] for one in (beside, alone))
    print(f"{len(beside)} turns beside the look: {median(beside):.1f} ms, p99 {slow:.1f}")
    print(f"{len(alone)} turns afterwards: {median(alone):.1f} ms, p99 {slow_alone:.1f}")
    return {
        "look_s": took,
        "wal_mib": wal,
        "turn_ratio": median(beside) / median(alone),
        "p99_ratio": slow / slow_alone,
    }


async def measure(folder: Path, games: int, rounds: int) -> dict[str, float]:
    """Return the figures of the RESULT line."""
    urls = {
        name: await fill(folder / f"{name}.sqlite3", count)
        for name, count in (("empty", 0), ("full", games))
    }
    figures = {"games": games, "mib": mib(folder / "full.sqlite3")}
    return (
        figures | await starts(folder, urls, rounds) | await beside_the_look(folder, urls["full"])
    )


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.start")
    parser.add_argument("--games", type=int, default=64_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dvonn-start-") as name:
        figures = asyncio.run(measure(Path(name), options.games, options.rounds))
    print(result_line("start", figures))


if __name__ == "__main__":
    main()
