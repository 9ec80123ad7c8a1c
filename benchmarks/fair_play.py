"""Cost of seeing that a question helps in no running game, beside 10,000 of them.

    python -m benchmarks.fair_play [--few 100] [--many 10000] [--questions 60] [--moved 300]
        [--database postgresql://...]

Two databases are filled with games that go on, on boards of random games. In each it is asked about
boards of other games, of which hardly one is refused: `first_ms` is the first question, which reads
all boards, `question_ms` one about a pasted board, `moved_ms` one after so many games have moved
on, `line_ms` one at the end of a whole game, of which each board is compared, and `machine_ms` what
a move of the machine waits for, where the person plays five other games in a server of fifty.
`loop_ms` is how long the event loop's own thread has worked for one question at most, but for the
first, whatever else the machine does. All are medians of the processor time of the process, without
the database's own. The ratios are to the same with few games, and to `floor_ms`, a lone SELECT of
one row beside many.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median

from sqlalchemy import bindparam, insert, update
from sqlalchemy.ext.asyncio import AsyncEngine

from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.base.ids import GameId, UserId
from bot.database.opening import create_engine, migrate
from bot.play.model.game import before_start
from bot.play.model.refusals import NoEngineHelp
from bot.play.model.similar_boards import cells
from bot.play.store.schema import games
from bot.play.store.store import Store
from bot.play.use_cases.fair_play import FairPlay
from bot.play.use_cases.game_cache import GameCache
from dvonn import Color, Position
from tests.games import positions_of, random_game
from tests.postgresql import drop_tables

COURSES = 200
"""The number of random games from which the boards are."""
SERVER = 50
"""Games of a server."""
EACH = 5
"""Games of one person."""
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

    async def move_on(self, count: int) -> None:
        """Let some games go on by a ply."""
        numbers = self._rng.sample(range(1, len(self._at) + 1), min(count, len(self._at)))
        for number in numbers:
            self._at[number - 1] += 1
        change = update(games).where(games.c.id == bindparam("number"))
        moved = change.values(revision=bindparam("to"), board=bindparam("line"))
        async with self._engine.begin() as connection:
            await connection.execute(
                moved,
                [
                    {"number": number, "to": stands["revision"], "line": stands["board"]}
                    for number, stands in ((number, self._stand(number)) for number in numbers)
                ],
            )

    async def ask(self) -> None:
        """Ask about a board."""
        await self._check([self._a_board()])

    async def ask_about_line(self) -> None:
        """Ask at the end of a whole game."""
        await self._check(self._rng.choice(self._asked)[:-1])

    async def _check(self, positions: list[Position]) -> None:
        try:
            await self.fair_play.check(positions, user=_ANN)
        except NoEngineHelp:
            self.refused += 1

    async def play(self) -> None:
        """See whether the machine has to wait, where somebody plays other games as well."""
        row = await self._store.games.get(GameId(self._rng.randrange(1, len(self._at) + 1)))
        assert row is not None
        row = replace(row, id=GameId(len(self._at) + 1), machine=row.black, level=5)
        boards = iter(self._a_board, None)
        black_to_move = next(one for one in boards if one.turn is Color.BLACK)
        assert not await self.fair_play.holds(replace(before_start(row), position=black_to_move))

    async def floor(self) -> None:
        await self._store.games.get(GameId(1))

    def _a_board(self) -> Position:
        course = self._rng.choice(self._asked)
        return course[self._rng.randrange(9, len(course) - 1)]

    def _stand(self, number: int) -> dict[str, object]:
        course, ply = self._courses[number % COURSES], self._at[number - 1]
        position = course[min(ply, len(course) - 2)]
        return {"revision": ply, "board": f"{ply} {cells(position.stacks)}"}


async def measured(
    engine: AsyncEngine, count: int, questions: int, moved: int
) -> tuple[dict[str, Spent], int]:
    """Return the cost of everything among so many games, and the number of refused questions."""
    house = House(engine, count)
    await house.fill()
    spent: dict[str, Spent] = {}
    await spent.setdefault("first", Spent()).measure(house.ask)
    for _ in range(questions):
        await spent.setdefault("question", Spent()).measure(house.ask)
        await spent.setdefault("line", Spent()).measure(house.ask_about_line)
        await spent.setdefault("machine", Spent()).measure(house.play)
        await spent.setdefault("floor", Spent()).measure(house.floor)
        await house.move_on(moved)
        await spent.setdefault("moved", Spent()).measure(house.ask)
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
                found.append(await measured(engine, count, options.questions, options.moved))
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
    lasting = [spent for name, spent in many.items() if name != "first"]
    figures["loop_ms"] = max(max(spent.loop_ms) for spent in lasting)
    figures["refused"] = refused
    print(result_line("fair_play", figures))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--few", type=int, default=100)
    parser.add_argument("--many", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--moved", type=int, default=300)
    parser.add_argument("--database", default="")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
