"""Tests for questions about positions: one person's many questions delay only that person."""

import asyncio

from bot.base.ids import UserId
from bot.base.priority_semaphore import PrioritySemaphore
from bot.features.machine.opponent.analyst import Analyst, FairQueue
from bot.play.model.engine_thoughts import Thought
from dvonn import GameRecord, Move, Position, Review
from dvonn.puzzles import Puzzle
from tests.bot.table import raises
from tests.games import positions_of, random_game

ANN, BOB = UserId(1), UserId(2)
BOARDS = positions_of(random_game(1))
_A_FEW = 20
"""Number of event-loop steps, more than one question takes."""


class OneWorker:
    """A worker that thinks about one position at a time, in the order of the requests."""

    at_once = 1

    def __init__(self) -> None:
        self.asked = list[Position]()
        self._places = PrioritySemaphore(1)

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        place = await self._places.acquire()
        try:
            self.asked.append(position)
            for _ in range(_A_FEW):
                await asyncio.sleep(0)
            if len(self.asked) == 1 and position is BOARDS[9]:
                raise LookupError
            return (Thought(moves=position.legal_moves()[:1], white_wins=0.5),)
        finally:
            self._places.release(place)

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        raise NotImplementedError

    async def review(
        self, game: int, record: GameRecord, *, placements: int, closer: bool = False
    ) -> Review:
        raise NotImplementedError

    async def puzzles(self, game: int, record: GameRecord) -> tuple[Puzzle, ...]:
        raise NotImplementedError


async def test_a_persons_many_requests_delay_nobody_else() -> None:
    worker = OneWorker()
    analyst = Analyst(worker)
    many = [asyncio.ensure_future(analyst.analyse(position, user=ANN)) for position in BOARDS[:30]]
    await asyncio.sleep(0)
    found = await analyst.analyse(BOARDS[40], user=BOB)
    assert found[0].moves[0] in BOARDS[40].legal_moves()
    assert worker.asked == [BOARDS[0], BOARDS[40]]
    answers = await asyncio.gather(*many)
    assert [answer[0].moves for answer in answers] == [
        position.legal_moves()[:1] for position in BOARDS[:30]
    ]


async def test_first_questions_have_priority_over_second_ones() -> None:
    worker = OneWorker()
    analyst = Analyst(worker)
    asked = [
        asyncio.ensure_future(analyst.analyse(BOARDS[which], user=UserId(person)))
        for person in range(10, 20)
        for which in (1, 2)
    ]
    while len(worker.asked) < 12:  # noqa: ASYNC110 - all firsts are answered, and a second
        await asyncio.sleep(0)
    await analyst.analyse(BOARDS[40], user=BOB)
    assert worker.asked == [BOARDS[1]] * 10 + [BOARDS[2]] * 2 + [BOARDS[40]]
    await asyncio.gather(*asked)
    assert worker.asked[13:] == [BOARDS[2]] * 8


async def test_a_cancelled_waiter_takes_no_turn() -> None:
    worker = OneWorker()
    analyst = Analyst(worker)
    first, gone, begun, last = (
        asyncio.ensure_future(analyst.analyse(BOARDS[which], user=UserId(which)))
        for which in (1, 2, 3, 4)
    )
    await asyncio.sleep(0)
    gone.cancel()
    await first
    while len(worker.asked) < 2:  # noqa: ASYNC110 - it is soon
        await asyncio.sleep(0)
    begun.cancel()
    await last
    assert worker.asked == [BOARDS[1], BOARDS[3], BOARDS[4]]


async def test_a_waiter_cancelled_at_its_turn_passes_the_slot_on() -> None:
    turns, answered = FairQueue(1), list[UserId]()

    async def ask(user: UserId) -> None:
        async with turns.turn_of(user):
            answered.append(user)
            await asyncio.sleep(0)

    async with turns.turn_of(UserId(1)):
        second, third = (asyncio.ensure_future(ask(UserId(number))) for number in (2, 3))
        await asyncio.sleep(0)
    second.cancel()  # it is next, and doesn't know yet
    await third
    assert answered == [3]
    assert second.cancelled()


async def test_counters_reset_once_nothing_waits() -> None:
    worker = OneWorker()
    analyst = Analyst(worker)
    await analyst.analyse(BOARDS[1], user=ANN)
    other, ann, bob = (
        asyncio.ensure_future(analyst.analyse(BOARDS[2 + which], user=user))
        for which, user in enumerate((UserId(9), ANN, BOB))
    )
    await asyncio.gather(other, ann, bob)
    assert worker.asked == [BOARDS[1], BOARDS[2], BOARDS[3], BOARDS[4]]


async def test_simultaneous_equal_questions_are_answered_once() -> None:
    worker = OneWorker()
    analyst = Analyst(worker)
    many = [analyst.analyse(BOARDS[3], user=ANN) for _ in range(100)]
    other = analyst.analyse(BOARDS[3], user=BOB)
    assert len(set(await asyncio.gather(*many, other))) == 1
    assert worker.asked == [BOARDS[3]] * 2
    await analyst.analyse(BOARDS[3], user=ANN)  # nothing was cached
    assert len(worker.asked) == 3


async def test_failed_questions_are_asked_again() -> None:
    analyst = Analyst(OneWorker())
    first, second = (asyncio.ensure_future(analyst.analyse(BOARDS[9], user=ANN)) for _ in range(2))
    await raises(LookupError, first)
    assert await second
