"""Cost of clocks: waking up, and starting, with 10,000 running games beside 100.

    python -m benchmarks.clocks [--few 100] [--many 10000] [--rounds 9] [--wakes 40] [--starts 3]

Each game is over days, with a dozen moves, a deadline, and a channel of its own. `idle` is a
wake-up as there is one each second, when nothing is due; in `look` one game is due: it is replayed
from its events, its deadline worked out, and its timer put off. The databases take turns, wake-up
by wake-up; a round's figure is the median of its wake-ups, and a result the median of the rounds,
of which the first is shown and left out. Of few games more are at hand and need not be replayed.

Then the bot is started beside the local Discord: `ready` is the time until it has identified itself
and its commands are known, and `played` until it has answered a move that is typed at once in the
channel that was played in last. Nothing was written in the others meanwhile, as Discord tells, so
that the move need not wait until all of them are read.
"""

import argparse
import asyncio
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median

from sqlalchemy import insert, update
from sqlalchemy.ext.asyncio import AsyncEngine

from benchmarks.bots import running_bot
from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.base.ids import GameId, Shards
from bot.composition import use_cases
from bot.connection.store import listening
from bot.database.delivery_rows import BOARD, Way, deliveries
from bot.database.opening import create_engine, migrate
from bot.play.model.clock import TimeControl
from bot.play.model.events import Moved, Started
from bot.play.store.changes import encode
from bot.play.store.schema import events, games, timers
from bot.play.store.store import Store
from dvonn import Color
from sandbox import Channel, Person, RateLimits, Sandbox
from tests.games import positions_of, random_game

CONTROL = TimeControl(bank=timedelta(days=3), increment=timedelta(days=1), cap=timedelta(days=3))
PLIES = 12
SHARDS = Shards((0,), 1)
_CHANNELS = 50
"""Channels of a server."""
_BEFORE = timedelta(hours=1)
_LATER = timedelta(minutes=10)
"""A time after which everything said before is surely heard."""


@dataclass(frozen=True, slots=True)
class Hall:
    """Servers with a channel for each game, and the two who play all of them."""

    world: Sandbox
    white: Person
    black: Person
    channels: list[Channel]

    @classmethod
    def of(cls, world: Sandbox, count: int, *, shards: int = 1) -> "Hall":
        """Make as many channels as there are games, spread evenly over the shards."""
        white, black = world.create_person("Ann"), world.create_person("Bob")
        channels: list[Channel] = []
        left = [len(range(shard, count, shards)) for shard in range(shards)]
        while any(left):
            guild = world.create_guild("Friends")
            shard = (guild.id >> 22) % shards
            guild.join(white)
            guild.join(black)
            numbers = range(min(_CHANNELS, left[shard]))
            left[shard] -= len(numbers)
            channels += [guild.create_channel(f"dvonn-{number}") for number in numbers]
        return cls(world, white, black, channels)


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a game: the numbers of its server and channel, and of its player."""

    guild: int
    channel: int
    white: int
    black: int


async def fill(engine: AsyncEngine, places: list[Place], now: datetime) -> None:
    """A running game with a clock in each place, from 1 on, none due within the next hours."""
    moves = random_game(1)[:PLIES]
    turns = [position.turn for position in positions_of(moves)]
    began = now - _BEFORE
    numbered = list(enumerate(places, start=1))
    async with engine.begin() as connection:
        await connection.execute(
            insert(games),
            [
                {
                    "id": number,
                    "guild_id": place.guild,
                    "channel_id": place.channel,
                    "white_id": place.white,
                    "black_id": place.black,
                    "coordinates": "standard",
                    "start": "placement",
                    "seed": 0,
                    "clock": CONTROL.to_text(),
                    "revision": PLIES,
                    "own_thread": False,
                    "created_at": began,
                }
                for number, place in numbered
            ],
        )
        for number, place in numbered:
            common = {"game_id": number, "at": began}
            source = number * (PLIES + 1)
            start = {
                "revision": 0,
                "kind": Started.name,
                "data": {},
                "actor_id": place.black,
                "source_id": source,
                "used_ms": None,
            }
            played = [
                {
                    "revision": ply,
                    "kind": Moved.name,
                    "data": encode(Moved(move)),
                    "actor_id": place.white if turn is Color.WHITE else place.black,
                    "source_id": source + ply,
                    "used_ms": 0,
                }
                for ply, (move, turn) in enumerate(zip(moves, turns, strict=False), start=1)
            ]
            await connection.execute(insert(events), [common | one for one in (start, *played)])
        await connection.execute(
            insert(timers),
            [
                {
                    "game_id": number,
                    "guild_id": place.guild,
                    "due_at": now + timedelta(hours=10, seconds=number),
                }
                for number, place in numbered
            ],
        )
        await connection.execute(
            insert(deliveries),
            [
                {
                    "kind": BOARD,
                    "key": f"{number}-{PLIES}",
                    "guild_id": place.guild,
                    "channel_id": place.channel,
                    "game_id": number,
                    "revision": PLIES,
                    "way": Way.CHANNEL,
                    "message_id": number,
                    "data": {},
                    "created_at": began,
                    "due_at": began,
                    "tries": 1,
                    "tried_at": began,
                    "sent_at": began,
                    "silent": False,
                }
                for number, place in numbered
            ],
        )
        await connection.execute(insert(listening).values(shard_id=0, shard_count=1, heard_at=now))


class House:
    """A database full of running games, and what looks at their clocks."""

    def __init__(self, engine: AsyncEngine, count: int, now: datetime) -> None:
        self._engine = engine
        self._games = count
        self._now = now
        self._keeper = use_cases(Store(engine), now=lambda: now, rng=Random(0)).timekeeper
        self._next = count // 2

    async def idle(self) -> None:
        """Wake up when nothing is due."""
        assert await self._keeper.due(SHARDS) == {}

    async def look(self) -> None:
        """Wake up when one game is due, and look at it."""
        (found,) = (await self._keeper.due(SHARDS)).items()
        game, seen = found
        assert await self._keeper.look(game, seen, heard=self._heard) is None

    async def make_due(self) -> None:
        """Let one game be due that has not been looked at lately."""
        self._next = self._next % self._games + 1
        change = update(timers).where(timers.c.game_id == GameId(self._next))
        async with self._engine.begin() as connection:
            await connection.execute(change.values(due_at=self._now - timedelta(seconds=1)))

    async def _heard(self) -> datetime:
        return self._now


async def measured_ms(act: Callable[[], Awaitable[None]]) -> float:
    """Return the time of some work, in ms."""
    start = time.perf_counter()
    await act()
    return (time.perf_counter() - start) * 1000


async def wakes(houses: dict[str, House], count: int) -> dict[str, tuple[float, float]]:
    """Return the medians of idle wake-ups and of those with one game due, in ms, of each house."""
    idle: dict[str, list[float]] = {name: [] for name in houses}
    look: dict[str, list[float]] = {name: [] for name in houses}
    for _ in range(count):
        for name, house in houses.items():
            idle[name].append(await measured_ms(house.idle))
        for name, house in houses.items():
            await house.make_due()
            look[name].append(await measured_ms(house.look))
    return {name: (median(idle[name]), median(look[name])) for name in houses}


async def wake_ups(
    folder: Path, counts: dict[str, int], rounds: int, each: int
) -> dict[str, float]:
    """Measure wake-ups with few games and with many: the figures of the RESULT line."""
    now = datetime.now(UTC)
    engines = {name: await database(folder / f"{name}.sqlite3") for name in counts}
    houses = {}
    for name, count in counts.items():
        places = [Place(1 << 22, 1_000 + number, 1, 2) for number in range(count)]
        await fill(engines[name], places, now)
        houses[name] = House(engines[name], count, now)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in counts}
    for number in range(rounds + 1):
        for name, pair in (await wakes(houses, each)).items():
            found[name].append(pair)
        shown = ", ".join(f"{name} idle {a:.2f} look {b:.2f}" for name, (a, b) in _last(found))
        print(f"round {number}: {shown}")
    for engine in engines.values():
        await engine.dispose()
    middle = {
        name: [median(column) for column in zip(*pairs[1:], strict=True)]
        for name, pairs in found.items()
    }
    figures: dict[str, float] = {}
    for index, what in enumerate(("idle", "look")):
        few, many = middle["few"][index], middle["many"][index]
        figures |= {f"{what}_ms": many, f"{what}_few_ms": few, f"{what}_ratio": many / few}
    return figures


def _last(
    found: dict[str, list[tuple[float, float]]],
) -> Iterator[tuple[str, tuple[float, float]]]:
    return ((name, pairs[-1]) for name, pairs in found.items())


async def database(file: Path) -> AsyncEngine:
    """Return a database with our tables and nothing in them."""
    engine = create_engine(database_address(f"sqlite:///{file.as_posix()}"))
    await migrate(engine)
    return engine


async def start(folder: Path, count: int) -> tuple[float, float]:
    """Start the bot with so many games: until it is ready, and until a move is played, in s."""
    home = folder / "home"
    home.mkdir()
    async with Sandbox(rate_limits=RateLimits.generous(), record=False) as world:
        hall = Hall.of(world, count)
        engine = await database(home / "dvonn.sqlite3")
        places = [
            Place(channel.guild.id, channel.id, hall.white.id, hall.black.id)
            for channel in hall.channels
            if channel.guild is not None
        ]
        for channel in hall.channels:
            await hall.white.say(channel, "Here we play.")
        await fill(engine, places, datetime.now(UTC) + _LATER)
        await engine.dispose()
        begun = time.perf_counter()
        url = f"sqlite:///{(home / 'dvonn.sqlite3').as_posix()}"
        async with running_bot(world, home, "bot", DATABASE_URL=url):
            ready = time.perf_counter() - begun
            moves = random_game(1)
            channel = hall.channels[-1]
            mover = hall.white if positions_of(moves)[PLIES].turn is Color.WHITE else hall.black
            await mover.say(channel, str(moves[PLIES]))
            await channel.wait_for(lambda message: message.attachments, timeout=600)
            played = time.perf_counter() - begun
    shutil.rmtree(home)
    return ready, played


async def starts(folder: Path, counts: dict[str, int], rounds: int) -> dict[str, float]:
    """Measure starts with few games and with many: the figures of the RESULT line."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in counts}
    for number in range(rounds + 1):
        for name, count in counts.items():
            found[name].append(await start(folder, count))
        shown = ", ".join(f"{name} ready {a:.2f} played {b:.2f}" for name, (a, b) in _last(found))
        print(f"start {number}: {shown}")
    figures: dict[str, float] = {}
    for index, what in enumerate(("ready", "played")):
        few, many = (median(pair[index] for pair in found[name][1:]) for name in ("few", "many"))
        figures |= {f"{what}_s": many, f"{what}_few_s": few, f"{what}_ratio": many / few}
    return figures


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clocks")
    parser.add_argument("--few", type=int, default=100)
    parser.add_argument("--many", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--wakes", type=int, default=40)
    parser.add_argument("--starts", type=int, default=3)
    options = parser.parse_args()
    counts = {"few": options.few, "many": options.many}
    with tempfile.TemporaryDirectory(prefix="dvonn-clocks-") as name:
        folder = Path(name)
        figures = asyncio.run(wake_ups(folder, counts, options.rounds, options.wakes))
        figures |= asyncio.run(starts(folder, counts, options.starts))
    print(result_line("clocks", {"few_games": options.few, "games": options.many, **figures}))


if __name__ == "__main__":
    main()
