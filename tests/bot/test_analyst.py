"""What people ask about positions: whoever asks for much waits for themselves only."""

import asyncio
from collections.abc import Iterable, Sequence

import pytest

from bot.model.ids import UserId
from bot.model.thoughts import Thought
from bot.opponent import Analyst
from bot.places import Places
from dvonn import Move, Position, Review
from dvonn.puzzles import Puzzle
from tests.games import positions_of, random_game

ANN, BOB = UserId(1), UserId(2)
BOARDS = positions_of(random_game(1))
_A_FEW = 20
"""So many steps of the loop are more than one question takes."""


class OneWorker:
    """Thinks about one position at a time, in the order in which it is asked."""

    def __init__(self) -> None:
        self.asked = list[Position]()
        self._places = Places(1)

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        place = await self._places.take()
        try:
            self.asked.append(position)
            for _ in range(_A_FEW):
                await asyncio.sleep(0)
            if len(self.asked) == 1 and position is BOARDS[9]:
                raise LookupError
            return (Thought(moves=position.legal_moves()[:1], white_wins=0.5),)
        finally:
            self._places.give_back(place)

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        raise NotImplementedError

    async def judge(self, boards: Iterable[Position], *, level: int, seed: int) -> list[int]:
        raise NotImplementedError

    async def review(self, game: int, moves: Sequence[Move], *, placements: int) -> Review:
        raise NotImplementedError

    async def puzzles(self, game: int, moves: Sequence[Move]) -> tuple[Puzzle, ...]:
        raise NotImplementedError


async def test_who_asks_for_much_keeps_nobody_else_waiting() -> None:
    worker = OneWorker()
    analyst = Analyst(worker)
    many = [asyncio.ensure_future(analyst.analyse(one, user=ANN)) for one in BOARDS[:30]]
    await asyncio.sleep(0)
    found = await analyst.analyse(BOARDS[40], user=BOB)
    assert found[0].moves[0] in BOARDS[40].legal_moves()
    assert worker.asked == [BOARDS[0], BOARDS[40]]
    answers = await asyncio.gather(*many)
    assert [one[0].moves for one in answers] == [one.legal_moves()[:1] for one in BOARDS[:30]]


async def test_what_is_asked_many_times_at_once_is_thought_about_once() -> None:
    worker = OneWorker()
    analyst = Analyst(worker)
    many = [analyst.analyse(BOARDS[3], user=ANN) for _ in range(100)]
    other = analyst.analyse(BOARDS[3], user=BOB)
    assert len(set(await asyncio.gather(*many, other))) == 1
    assert worker.asked == [BOARDS[3]] * 2
    await analyst.analyse(BOARDS[3], user=ANN)  # nothing was kept
    assert len(worker.asked) == 3


async def test_what_failed_is_asked_anew() -> None:
    analyst = Analyst(OneWorker())
    first, second = (asyncio.ensure_future(analyst.analyse(BOARDS[9], user=ANN)) for _ in range(2))
    with pytest.raises(LookupError):
        await first
    assert await second
