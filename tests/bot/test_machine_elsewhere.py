"""The machine on another host: questions through the database, leased to whoever answers."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import count as count_from
from random import Random

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from bot.connection.work import end
from bot.features.machine.model import JobKind
from bot.features.machine.opponent.elsewhere import MachineElsewhere, NotAnsweredError
from bot.features.machine.opponent.station import LEASE, Station
from bot.features.machine.store import TRIES, MachineJobTable
from bot.play.model.thoughts import Thought
from bot.play.store.tables import Store
from dvonn import Move, Position, Review, parse_move
from dvonn.puzzles import Puzzle, load
from tests.bot.reviewed import placed
from tests.games import positions_of, random_game

VERSION = "1.2.3"
URGENT = range(1)
HOUR = datetime(2026, 3, 1, 12, tzinfo=UTC)
EARLIER = HOUR - timedelta(seconds=1)
NUMBERS = count_from(1)
REVIEW = Review(plies=(), placement=placed(), accuracy=(91.4, None), engine=VERSION, nodes=100_000)
BOARDS = positions_of(random_game(2))


class Plain:
    """A machine that needs no engine: it answers by what it is asked."""

    at_once = 1

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.given_up = 0

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        self.asked.append((position, level, seed))
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        return position.legal_moves()[seed % len(position.legal_moves())]

    async def judge(self, boards: Iterable[Position], *, level: int, seed: int) -> list[int]:
        return [level * seed - board.plies for board in boards]

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        moves = position.legal_moves()[:2]
        return (Thought(moves=moves, white_wins=0.25), Thought(moves=moves[:1], margin=-3))

    async def review(self, game: int, moves: Sequence[Move], *, placements: int) -> Review:
        self.asked.append((game, tuple(moves), placements))
        return REVIEW

    async def puzzles(self, game: int, moves: Sequence[Move]) -> tuple[Puzzle, ...]:
        if not moves:
            raise ValueError(f"game {game} has no moves")
        return load()[:2]


def asker(store: Store, seed: int = 1, version: str = VERSION) -> MachineElsewhere:
    return MachineElsewhere(store, rng=Random(seed), version=version)


@asynccontextmanager
async def answering(
    store: Store, thinker: Plain, *, version: str = VERSION, searches: int = 1
) -> AsyncIterator[Station]:
    """A worker, while the block runs."""
    station = Station(store, thinker, searches=searches, version=version)
    task = asyncio.create_task(station.run())
    try:
        yield station
    finally:
        await end((task,))


async def count(engine: AsyncEngine, which: str = "TRUE") -> int:
    """How many questions there are."""
    async with engine.connect() as connection:
        found = await connection.execute(text(f"SELECT count(*) FROM machine_jobs WHERE {which}"))  # noqa: S608 - of a test
        return int(found.scalar_one())


async def until(engine: AsyncEngine, which: str, number: int = 1) -> None:
    """Wait until there are so many questions."""
    async with asyncio.timeout(60):
        while await count(engine, which) != number:  # noqa: ASYNC110 - it tells of no event
            await asyncio.sleep(0.01)


async def asked_it(thinker: Plain) -> None:
    """Wait until something was asked."""
    async with asyncio.timeout(60):
        while not thinker.asked:  # noqa: ASYNC110 - a list tells of no event
            await asyncio.sleep(0.01)


async def put_down(store: Store, kind: JobKind, asker: int = 7) -> int:
    """Ask without waiting for an answer."""
    number = next(NUMBERS)
    asked = EARLIER + timedelta(milliseconds=number)
    await store.of(MachineJobTable).ask(
        number,
        kind,
        {},
        asker=asker,
        version=VERSION,
        now=asked,
        until=asked + timedelta(minutes=1),
    )
    return number


async def test_all_that_is_asked_comes_back_as_it_was_said(
    store: Store, engine: AsyncEngine
) -> None:
    there, here, moves = Plain(), Plain(), random_game(2)
    machine, terms = asker(store), {"level": 4, "seed": 11}
    async with answering(store, there, searches=3):
        for position in (BOARDS[0], BOARDS[30], BOARDS[60]):
            (move, thoughts, worths) = await asyncio.gather(
                machine.choose(position, **terms),
                machine.analyse(position),
                machine.judge([position] * 2, level=2, seed=3),
            )
            assert move == await here.choose(position, **terms)
            assert there.asked[-1] == here.asked[-1]
            assert thoughts == await here.analyse(position)
            assert len(worths) == 2
        assert await machine.review(5, moves, placements=49) == REVIEW
        assert there.asked[-1] == (5, tuple(moves), 49)
        assert await machine.puzzles(5, moves) == await here.puzzles(5, moves)
        machine.close()
    assert await count(engine) == 0  # nothing is left of it


async def test_only_a_worker_of_the_same_version_answers(store: Store, engine: AsyncEngine) -> None:
    machine, older, same = asker(store), Plain(), Plain()
    async with answering(store, older, version="1.2.2"):
        asked = asyncio.create_task(machine.choose(BOARDS[0], level=1, seed=0))
        await until(engine, "state = 'waiting'")
        assert await store.of(MachineJobTable).take("1.2.2", URGENT, now=far(), until=far()) is None
        async with answering(store, same):
            await asked
    assert (len(older.asked), len(same.asked)) == (0, 1)


def far() -> datetime:
    """A moment in which every lease from now on would have run out, but not what is wanted."""
    return datetime.now(UTC) + timedelta(seconds=20)


async def test_a_move_goes_before_hints_and_reviews_that_were_asked_for_earlier(
    store: Store,
) -> None:
    jobs, later = store.of(MachineJobTable), HOUR + LEASE
    review = await put_down(store, JobKind.REVIEW)
    hint = await put_down(store, JobKind.ANALYSE)
    first, second = [await put_down(store, JobKind.CHOOSE) for _ in range(2)]
    both = range(2)
    taken = [await jobs.take(VERSION, both, now=HOUR, until=later) for _ in range(5)]
    assert [one and one.id for one in taken] == [first, second, hint, review, None]


async def test_what_a_killed_worker_had_begun_another_one_answers_and_then_nobody(
    store: Store,
) -> None:
    jobs = store.of(MachineJobTable)
    number = await put_down(store, JobKind.CHOOSE)
    for attempt in range(TRIES):
        now = HOUR + attempt * LEASE
        taken = await jobs.take(VERSION, URGENT, now=now, until=now + LEASE)
        assert taken is not None
        early = now + LEASE / 2
        assert await jobs.take(VERSION, URGENT, now=early, until=early) is None
    after = HOUR + TRIES * LEASE
    assert await jobs.take(VERSION, URGENT, now=after, until=after + LEASE) is None
    assert await jobs.answered(7) == {number: None}  # nobody could


async def test_whoever_has_lost_a_question_does_not_answer_it(store: Store) -> None:
    jobs, later = store.of(MachineJobTable), HOUR + LEASE
    number = await put_down(store, JobKind.CHOOSE)
    slow = await jobs.take(VERSION, URGENT, now=HOUR, until=later)
    quick = await jobs.take(VERSION, URGENT, now=later, until=later + LEASE)
    assert slow is not None
    assert quick is not None
    await jobs.finish(slow, "a1")
    assert await jobs.go_on(slow, until=later + LEASE) is None
    assert await jobs.answered(7) == {}
    longer = await jobs.go_on(quick, until=later + 2 * LEASE)
    assert longer is not None
    await jobs.finish(longer, "b1")
    assert await jobs.answered(7) == {number: "b1"}


async def test_what_is_given_back_counts_as_not_begun(store: Store) -> None:
    jobs = store.of(MachineJobTable)
    await put_down(store, JobKind.CHOOSE)
    for _ in range(TRIES + 1):
        taken = await jobs.take(VERSION, URGENT, now=HOUR, until=HOUR + LEASE)
        assert taken is not None
        await jobs.give_back(taken, now=HOUR)


async def test_nobody_answers_a_process_that_is_no_more_and_its_questions_go(
    store: Store, engine: AsyncEngine
) -> None:
    jobs, minutes = store.of(MachineJobTable), timedelta(minutes=2)
    await put_down(store, JobKind.CHOOSE)
    lives = await put_down(store, JobKind.REVIEW, asker=8)
    await jobs.want(8, until=HOUR + 2 * minutes)
    now = HOUR + minutes
    taken = await jobs.take(VERSION, range(2), now=now, until=now + LEASE)
    assert taken is not None
    assert taken.id == lives
    await jobs.forget(before=now)
    assert await count(engine) == 1


async def test_a_search_that_nobody_waits_for_any_more_ends(
    store: Store, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.machine.opponent.station._GO_ON_EVERY_S", 0.01)
    machine, thinker = asker(store), Plain()
    thinker.go_on.clear()
    async with answering(store, thinker):
        asked = asyncio.create_task(machine.choose(BOARDS[0], level=1, seed=0))
        await asked_it(thinker)
        await end((asked,))
        assert await count(engine) == 0
        async with asyncio.timeout(60):
            while not thinker.given_up:  # noqa: ASYNC110 - a number tells of no event
                await asyncio.sleep(0.01)
        thinker.go_on.set()
        await machine.choose(BOARDS[0], level=1, seed=0)  # it works on


async def test_a_question_that_no_worker_can_answer_is_given_up(store: Store) -> None:
    machine = asker(store)
    async with answering(store, Plain()):
        with pytest.raises(NotAnsweredError):
            await machine.puzzles(5, [])
        assert await machine.puzzles(5, [parse_move("a1")]) != ()


async def test_a_worker_that_stops_leaves_what_it_has_begun_to_others(
    store: Store, engine: AsyncEngine
) -> None:
    machine, first, second = asker(store), Plain(), Plain()
    first.go_on.clear()
    async with answering(store, first):
        asked = asyncio.create_task(machine.choose(BOARDS[0], level=1, seed=0))
        await asked_it(first)
    assert await count(engine, "state = 'waiting' AND tries = 0") == 1
    async with answering(store, second):
        await asked
    assert len(second.asked) == 1


async def test_what_was_forgotten_while_this_process_stood_still_is_asked_anew(
    store: Store, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.machine.opponent.elsewhere._SAY_SO_EVERY_S", 0)
    machine, thinker = asker(store), Plain()
    asked = asyncio.create_task(machine.choose(BOARDS[0], level=1, seed=0))
    await until(engine, "state = 'waiting'")
    await store.of(MachineJobTable).forget(before=far() + timedelta(minutes=1))
    async with answering(store, thinker), asyncio.timeout(60):
        await asked
    assert len(thinker.asked) == 1
    assert await count(engine) == 0


async def test_answers_are_looked_for_after_whatever_error(
    store: Store, engine: AsyncEngine
) -> None:
    machine = asker(store)
    asked = asyncio.create_task(machine.choose(BOARDS[0], level=1, seed=0))
    await until(engine, "state = 'waiting'")
    with capture_logs() as logged:
        await rename(engine, "machine_jobs", "no_jobs")
        async with asyncio.timeout(60):
            while not logged:  # noqa: ASYNC110 - a list tells of no event
                await asyncio.sleep(0.01)
        await rename(engine, "no_jobs", "machine_jobs")
    async with answering(store, Plain()), asyncio.timeout(60):
        await asked


async def rename(engine: AsyncEngine, table: str, name: str) -> None:
    """Let a table have another name."""
    async with engine.begin() as connection:
        await connection.execute(text(f"ALTER TABLE {table} RENAME TO {name}"))
