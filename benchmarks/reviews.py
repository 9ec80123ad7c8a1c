"""Time until a finished game is reviewed, and the slowdown of turns during reviews.

    python -m benchmarks.reviews [--games 5] [--turns 500] [--nodes 100000]

- A review of a whole random game is compared with a bare search of its positions, with the same
  number of nodes.
- Games are played to their ends, one after the other. The time is from the last board to its edit
  with the review. The figure is the 95th percentile, which is the worst if there are few games.
- Turns are measured from the typed move to its board, in turn with and without reviews of older
  games running, so that a noisy machine affects both equally. The ratio compares the 99th
  percentiles, which with 500 turns is the sixth worst. If the ratio of the medians is very
  different, there were too few turns.

`ratio` is the ratio of the turns, which should be at most 1.1. `end_to_review_p95_ms` should be at
most 5,000. On a quiet machine the benchmark takes less than two minutes.
"""

import argparse
import asyncio
import math
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from sqlalchemy import ColumnElement, delete, func, select

from benchmarks.bots import Club, club
from benchmarks.result import result_line
from benchmarks.turn import PAUSE_S, begin_game, has_picture
from bot.base.database_address import database_address
from bot.base.ids import NO_GUILD, GameId, UserId
from bot.database.opening import create_engine, migrate
from bot.play.model.preferences import Preferences
from bot.play.store.store import Store
from dvonn import Color, GameRecord, Move
from dvonn.engine import review
from dvonn.engine.searcher import Searcher
from sandbox import Channel, Message
from school.reviews.model import REVIEWED
from school.reviews.schema import IS_WAITING, reviews
from school.reviews.store import ReviewTable
from tests.bot.conftest import Clock
from tests.bot.table import Table
from tests.games import positions_of, random_game

_PATIENCE_S = 300.0
_IN_QUEUE = 8
"""Number of older games that wait for their review while turns are played."""
_IN_ONE_GO = 50
"""Number of turns in a row with reviews, or without."""
_POLL_S = 0.05


def moves(seed: int) -> Iterator[list[tuple[Color, Move]]]:
    """Yield whole games endlessly, as moves with their colors."""
    for number in count(seed):
        line = random_game(number)
        turns = (position.turn for position in positions_of(line))
        yield [(turn, move) for turn, move in zip(turns, line, strict=False) if turn]


class Quiet:
    """Two people who play without reviews of their own games."""

    def __init__(self, bot_club: Club, seed: int) -> None:
        self._club = bot_club
        self._games = moves(seed)
        self._left: list[tuple[Color, Move]] = []
        self._channel: Channel | None = None
        self._board: Message | None = None

    async def turn(self) -> float:
        """Play a turn, and return its time in ms."""
        if not self._left:
            self._left = next(self._games)
            self._channel = self._club.new_channel()
            self._board = await begin_game(self._club, self._channel)
        color, move = self._left.pop(0)
        assert self._channel is not None
        assert self._board is not None
        await asyncio.sleep(PAUSE_S)
        shown_id, since = self._board.attachments[0].id, self._board.id - 1
        person = self._club.white if color is Color.WHITE else self._club.black
        began = time.perf_counter()
        await person.say(self._channel, str(move))
        self._board = await self._channel.wait_for(
            lambda message: has_picture(message, after=shown_id), after=since, timeout=_PATIENCE_S
        )
        return (time.perf_counter() - began) * 1_000


def percentile(figures: Iterable[float], share: float) -> float:
    """Return the figure that the given share of all figures does not exceed."""
    in_order = sorted(figures)
    return in_order[math.ceil(share * len(in_order)) - 1]


def bare(nodes: int) -> tuple[float, float]:
    """Return the processor time of a review, and of the bare search of its positions, in s."""
    moves = random_game(2)
    review(GameRecord(moves), nodes=1)  # compiles
    began = time.process_time()
    review(GameRecord(moves), nodes=nodes)
    reviewed = time.process_time() - began
    searcher, began = Searcher(), time.process_time()
    for position in reversed(positions_of(moves)[49:-1]):
        searcher.search(position, nodes=nodes)
    return reviewed, time.process_time() - began


def _without_reviews(chosen: Preferences) -> Preferences:
    return replace(chosen, switched={REVIEWED.key: False})


class Queue:
    """Older games whose reviews can be queued and canceled repeatedly."""

    def __init__(self, store: Store, games: Sequence[GameId]) -> None:
        self._store = store
        self._games = games
        self._are_of_games = reviews.c.game_id.in_(games)
        self.made = 0
        """The number of reviews."""

    async def fill(self) -> None:
        """Request all reviews, and wait until the first one is in progress."""
        await self.empty()
        for game in self._games:
            await self._store.queries(ReviewTable).ask(game, NO_GUILD, at=datetime.now(UTC))
        has_begun = self._are_of_games & (reviews.c.tries > 0)
        while not await self._count(has_begun):  # noqa: ASYNC110 - in another process
            await asyncio.sleep(_POLL_S)

    async def waiting(self) -> int:
        """Count the games that are not reviewed yet."""
        return await self._count(IS_WAITING)

    async def _count(self, condition: ColumnElement[bool]) -> int:
        async with self._store._database.transaction() as connection:  # noqa: SLF001 - no use case counts them
            count = select(func.count()).select_from(reviews).where(condition)
            return int((await connection.execute(count)).scalar_one())

    async def empty(self) -> None:
        """Cancel all requests, and wait until no review is in progress."""
        async with self._store._database.transaction() as connection:  # noqa: SLF001
            due = reviews.c.due_at <= datetime.now(UTC)
            await connection.execute(delete(reviews).where(IS_WAITING & due))
        while await self.waiting():  # noqa: ASYNC110 - in another process
            await asyncio.sleep(_POLL_S)
        self.made += await self._count(self._are_of_games)
        async with self._store._database.transaction() as connection:  # noqa: SLF001
            await connection.execute(delete(reviews).where(self._are_of_games))


async def older_games(store: Store) -> list[GameId]:
    """Play whole games without a requested review. Return their ids."""
    table, games = Table(store, Clock()), []
    for seed in range(_IN_QUEUE):
        game = (await table.accept(await table.challenge())).game
        await table.play_out(random_game(seed))
        games.append(game.row.id)
    for delivery in await store.deliveries.all_unsent():
        await store.deliveries.drop([delivery], at=datetime.now(UTC))
    return games


async def beside(quiet: Quiet, queue: Queue, turns: int) -> tuple[list[float], list[float]]:
    """Time turns without reviews and beside them, in ms."""
    alone_times: list[float] = []
    busy: list[float] = []
    while len(busy) < turns:
        await queue.empty()
        alone_times += [await quiet.turn() for _ in range(_IN_ONE_GO)]
        await queue.fill()
        for _ in range(_IN_ONE_GO):
            if not await queue.waiting():
                await queue.fill()
            busy.append(await quiet.turn())
    await queue.empty()
    return alone_times, busy


async def to_review(bot_club: Club, seed: int) -> float:
    """Play a game, and return the time from its end until the last board has its review, in ms."""
    channel = bot_club.new_channel()
    board = await begin_game(bot_club, channel)
    moves = random_game(seed)
    for position, move in zip(positions_of(moves), moves, strict=False):
        person = bot_club.white if position.turn is Color.WHITE else bot_club.black
        shown_id, since = board.attachments[0].id, board.id - 1
        await person.say(channel, str(move))

        def is_next(message: Message, shown_id: int = shown_id) -> bool:
            return has_picture(message, after=shown_id)

        board = await channel.wait_for(is_next, after=since, timeout=_PATIENCE_S)
    began = time.perf_counter()
    await channel.wait_for(
        lambda message: (
            message.id == board.id and "Review" in [button.label for button in message.buttons]
        ),
        timeout=_PATIENCE_S,
    )
    return (time.perf_counter() - began) * 1_000


async def measure(games: int, turns: int, nodes: int, folder: Path) -> dict[str, float]:
    """Return the figures of the RESULT line."""
    reviewed_s, bare_s = bare(nodes)
    print(f"a review takes {reviewed_s:.2f} s of processor time, its searches {bare_s:.2f} s")
    url = f"sqlite:///{folder.as_posix()}/dvonn.sqlite3"
    engine = create_engine(database_address(url))
    await migrate(engine)
    store = Store(engine)
    queue = Queue(store, await older_games(store))
    async with club(
        folder, "bot", DATABASE_URL=url, LOG_LEVEL="warning", MACHINE="auto"
    ) as bot_club:
        quiet = Quiet(bot_club, 1)
        for _ in range(_IN_ONE_GO):
            await quiet.turn()  # the first turn includes one-time work
        await to_review(bot_club, 99)
        ends = [await to_review(bot_club, seed) for seed in range(games)]
        print("from a game's end to its review:", *(f"{end:.0f} ms" for end in ends))
        # The players' own games no longer interfere.
        for person in (bot_club.white, bot_club.black):
            await store.players.change(UserId(person.id), _without_reviews)
        alone_times, busy = await beside(quiet, queue, turns)
    await store.close()
    p99_alone, p99_beside = percentile(alone_times, 0.99), percentile(busy, 0.99)
    return {
        "ratio": p99_beside / p99_alone,
        "median_ratio": percentile(busy, 0.5) / percentile(alone_times, 0.5),
        "p99_alone_ms": p99_alone,
        "p99_beside_ms": p99_beside,
        "end_to_review_p95_ms": percentile(ends, 0.95),
        "review_cpu_ms": reviewed_s * 1_000,
        "search_ratio": reviewed_s / bare_s,
        "reviews": 1 + games + queue.made,
    }


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--turns", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dvonn-reviews-") as folder:
        work = measure(options.games, options.turns, options.nodes, Path(folder))
        print(result_line("reviews", asyncio.run(work)))


if __name__ == "__main__":
    main()
