"""Cost of seeing that a question helps in no running game, beside 10,000 of them.

    python -m benchmarks.fair_play [--few 100] [--many 10000] [--questions 60]
        [--database postgresql://...]

Two databases are filled with games that go on, on boards of random games. In each it is asked about
boards of other games, of which hardly one is refused: `question_ms` is one about a board,
`review_ms` one about 30 boards of a game, as its review asks. `loop_ms` is how long the event
loop's own thread has worked for one question at most. All are medians of the processor time of the
process, without the database's own. The ratios are to the same with few games, and to `floor_ms`, a
lone SELECT of one row beside many.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.base.ids import GameId, UserId
from bot.database.opening import create_engine, migrate
from bot.play.model.played_boards import cells
from bot.play.store.schema import games
from bot.play.store.store import Store
from bot.play.use_cases.fair_play import FairPlay
from bot.play.use_cases.game_cache import GameCache
from dvonn import Position
from tests.games import positions_of, random_game
from tests.postgresql import drop_tables

COURSES = 200
"""The number of random games from which the boards are."""
SERVER = 50
"""Games of a server."""
EACH = 5
"""Games of one person."""
ADVISED = 30
"""Boards of a game of which its review tells a better move."""
_ANN = UserId(1)


@dataclass
class Spent:
    """Processor time, in milliseconds: of all threads, and of the event loop's own."""

    all_ms: list[float] = field(default_factory=list)
    loop_ms: list[float] = field(default_factory=list)

    async def measure(self, do: Callable[[], Awaitable[object]]) -> None:
        """Do something, and note what it has taken."""
        began, loop_began = time.process_time(), time.thread_time()
        await do()
        self.loop_ms.append(1000 * (time.thread_time() - loop_began))
        self.all_ms.append(1000 * (time.process_time() - began))


class House:
    """A database full of running games, and questions about other boards."""

    def __init__(self, engine: AsyncEngine, count: int) -> None:
        self._engine = engine
        self._store = Store(engine)
        self.fair_play = FairPlay(self._store, GameCache(self._store))
        self.refused = 0
        self._rng = Random(count)
        self._courses = [positions_of(random_game(seed)) for seed in range(COURSES)]
        self._asked = [positions_of(random_game(COURSES + seed)) for seed in range(COURSES)]
        self._at = [self._rng.randrange(9, 75) for _ in range(count)]

    async def fill(self) -> None:
        """Let the games begin, and stand somewhere."""
        await migrate(self._engine)
        rows = [
            {
                "id": number,
                "guild_id": 1_000 + number // SERVER,
                "channel_id": number,
                "white_id": number // EACH,
                "black_id": 10_000 + number,
                "coordinates": "standard",
                "start": "placement",
                "seed": 0,
                "clock": "none",
                "own_thread": False,
                "created_at": datetime(2026, 1, 1, tzinfo=UTC),
                **self._stand(number),
            }
            for number in range(1, len(self._at) + 1)
        ]
        async with self._engine.begin() as connection:
            await connection.execute(insert(games), rows)

    async def ask(self) -> None:
        """Ask about a board."""
        await self._ask([self._a_board()])

    async def ask_about_game(self) -> None:
        """Ask about many boards of a game."""
        await self._ask(self._rng.sample(self._rng.choice(self._asked), ADVISED))

    async def _ask(self, positions: list[Position]) -> None:
        self.refused += sum(await self.fair_play.played(positions, user=_ANN))

    async def floor(self) -> None:
        await self._store.games.get(GameId(1))

    def _a_board(self) -> Position:
        course = self._rng.choice(self._asked)
        return course[self._rng.randrange(9, len(course) - 1)]

    def _stand(self, number: int) -> dict[str, object]:
        course, ply = self._courses[number % COURSES], self._at[number - 1]
        position = course[min(ply, len(course) - 2)]
        return {"revision": ply, "board": f"{ply}-{cells(position)}"}


async def measured(engine: AsyncEngine, count: int, questions: int) -> tuple[dict[str, Spent], int]:
    """Return the cost of everything among so many games, and the number of refused boards."""
    house = House(engine, count)
    await house.fill()
    spent: dict[str, Spent] = {}
    for _ in range(questions):
        await spent.setdefault("question", Spent()).measure(house.ask)
        await spent.setdefault("review", Spent()).measure(house.ask_about_game)
        await spent.setdefault("floor", Spent()).measure(house.floor)
    return spent, house.refused


async def run(options: argparse.Namespace) -> None:
    """Fill the databases, ask, and tell."""
    found = []
    for count in (options.few, options.many):
        with tempfile.TemporaryDirectory() as folder:
            url = options.database or f"sqlite:///{Path(folder) / 'dvonn.sqlite3'}"
            engine = create_engine(database_address(url))
            try:
                if options.database:
                    await drop_tables(engine)
                found.append(await measured(engine, count, options.questions))
            finally:
                await engine.dispose()
    (few, _), (many, refused) = found
    for name, spent in many.items():
        all_ms, loop_ms = median(spent.all_ms), median(spent.loop_ms)
        print(f"{name:<9} {all_ms:8.2f} ms, of which the loop's own thread {loop_ms:7.2f}", end="")
        print(f"; with {options.few} games {median(few[name].all_ms):7.2f}")
    figures = {f"{name}_ms": median(spent.all_ms) for name, spent in many.items()}
    figures["question_ratio"] = figures["question_ms"] / median(few["question"].all_ms)
    figures["floor_ratio"] = figures["question_ms"] / figures["floor_ms"]
    figures["loop_ms"] = max(max(spent.loop_ms) for spent in many.values())
    figures["refused"] = refused
    print(result_line("fair_play", figures))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--few", type=int, default=100)
    parser.add_argument("--many", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--database", default="")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
