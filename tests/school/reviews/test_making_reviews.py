"""Tests for the reviewer, with a machine that answers when the test says so."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from structlog.testing import capture_logs

from bot.connection.tasks import end
from bot.play.model.engine_thoughts import Thought
from dvonn import GameRecord, Move, Position, Review
from dvonn.puzzles import Puzzle
from school.reviews import reviewer as module
from school.reviews.model import ReviewState
from school.reviews.use_cases import CLAIMED_FOR, Reviews
from tests.bot.conftest import Clock
from tests.bot.reviewed import placed
from tests.bot.table import ALL, Table
from tests.school.reviews.reviewing import reviewer_of, row_of
from tests.school.reviews.test_reviews import ended

MADE = Review(plies=(), placement=placed(), accuracy=(91.4, None), engine="1", nodes=100_000)


class Slow:
    """A machine that thinks until the test lets it finish."""

    at_once = 1

    def __init__(self) -> None:
        self.asked: list[tuple[int, bool]] = []
        """The games that it was asked to review, with True for a closer look."""
        self.given_up: list[tuple[int, bool]] = []
        self.fails: set[int] = set()
        self.stays: set[tuple[int, bool]] = set()
        """The requests that it never finishes."""

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        raise NotImplementedError

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        raise NotImplementedError

    async def puzzles(self, game: int, record: GameRecord) -> tuple[Puzzle, ...]:
        raise NotImplementedError

    async def review(
        self, game: int, record: GameRecord, *, placements: int, closer: bool = False
    ) -> Review:
        assert 0 <= placements <= len(record.moves)
        question = game, closer
        self.asked.append(question)
        if game in self.fails:
            raise ArithmeticError(game)
        if question in self.stays:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.given_up.append(question)
                raise
        return MADE


@pytest.fixture
def table(table: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Table:
    """Return a table whose reviewer checks often."""
    monkeypatch.setattr(module, "_CHECK_INTERVAL_S", 0.01)
    monkeypatch.setattr(module, "_RENEWAL_INTERVAL_S", 0.01)
    return Table(table.store, clock, reviews=True)


@asynccontextmanager
async def at_work(table: Table, machine: Slow) -> AsyncIterator[None]:
    """Run the reviewer during the block."""
    running = asyncio.ensure_future(reviewer_of(table, machine).run(ALL))
    try:
        yield
    finally:
        await end((running,))


async def until(seen: Callable[[], Awaitable[bool]]) -> None:
    """Wait until a condition is true."""
    while not await seen():  # noqa: ASYNC110 - neither tells of an event
        await asyncio.sleep(0.01)


async def test_a_review_that_fails_twice_is_abandoned(table: Table) -> None:
    bad, good = (await ended(table)).row.id, (await ended(table)).row.id
    machine = Slow()
    machine.fails = {bad}

    async def both_are_done() -> bool:
        return ReviewState.WAITING not in {
            (await row_of(table, item)).state for item in (bad, good)
        }

    with capture_logs() as logged:
        async with at_work(table, machine):
            await until(both_are_done)
    assert (await row_of(table, bad)).state is ReviewState.REFUSED
    made = (await row_of(table, good)).review
    assert made is not None
    assert made.replace(changed=None) == MADE  # a closer look may have followed
    assert machine.asked[:3] == [(bad, False), (bad, False), (good, False)]
    assert [line["game"] for line in logged if line["event"] == "review failed"] == [bad, bad]


async def test_interrupted_work_is_released_at_once_without_a_failure(table: Table) -> None:
    game, machine = (await ended(table)).row.id, Slow()
    machine.stays = {(game, False)}

    async def is_asked() -> bool:
        return bool(machine.asked)

    async with at_work(table, machine):
        await until(is_asked)
        assert await table.of(Reviews).take(ALL) is None
    row = await row_of(table, game)
    assert (row.state, row.tries, row.due_at) == (ReviewState.WAITING, 0, table.clock())
    assert machine.given_up == [(game, False)]
    assert await table.of(Reviews).take(ALL) is not None


async def test_a_review_that_takes_long_stays_with_its_process(table: Table, other: Table) -> None:
    game, machine = (await ended(table)).row.id, Slow()
    machine.stays = {(game, False)}

    async def is_kept() -> bool:
        return (await row_of(table, game)).due_at == table.clock() + CLAIMED_FOR

    async with at_work(table, machine):
        for _ in range(3):
            await until(is_kept)
            assert await other.of(Reviews).take(ALL) is None
            table.clock.advance(seconds=29)
        await until(is_kept)
    assert machine.asked == [(game, False)]


async def test_a_process_that_has_lost_a_review_stops_working_on_it(
    table: Table, other: Table
) -> None:
    game, machine = (await ended(table)).row.id, Slow()
    machine.stays = {(game, False)}

    async def is_asked() -> bool:
        return bool(machine.asked)

    async def is_given_up() -> bool:
        return bool(machine.given_up)

    async with at_work(table, machine):
        await until(is_asked)
        job = await table.of(Reviews).take(ALL)
        while job is None:  # this process keeps extending its claim until it is too late
            table.clock.time += CLAIMED_FOR
            job = await other.of(Reviews).take(ALL)
        await until(is_given_up)
        assert await other.of(Reviews).finish(job, MADE)
    assert machine.given_up == [(game, False)]
    assert (await row_of(table, game)).review == MADE


async def test_a_closer_look_gives_way_to_any_game_that_waits(table: Table, other: Table) -> None:
    """This includes a game that ended in another process, which this process is not told about."""
    first, machine = (await ended(table)).row.id, Slow()
    machine.stays = {(first, True)}

    async def is_looked_at_closer() -> bool:
        return (first, True) in machine.asked

    async with at_work(table, machine):
        await until(is_looked_at_closer)
        second = (await ended(other)).row.id

        async def is_reviewed() -> bool:
            return (await row_of(table, second)).state is ReviewState.DONE

        await until(is_reviewed)
    assert machine.given_up[0] == (first, True)
    assert machine.asked[:3] == [(first, False), (first, True), (second, False)]
    assert (await row_of(table, first)).is_closer_review_pending, "it is looked at another time"
