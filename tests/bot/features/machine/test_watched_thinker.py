"""Tests for the machine's metrics for a host: waiting times and failures."""

import asyncio

from bot.base.metrics import MACHINE_OLDEST_SECONDS, REGISTRY
from bot.features.machine.opponent.watched_thinker import WatchedThinker
from bot.play.model.engine_thoughts import Thought
from dvonn import GameRecord, Move, Position, Review
from dvonn.puzzles import Puzzle
from tests.bot.connection.test_requests import Seconds
from tests.bot.table import raises
from tests.games import positions_of, random_game

BOARD = positions_of(random_game(1))[9]


class Slow:
    """Answers or fails when the test says so."""

    at_once = 1

    def __init__(self) -> None:
        self.go_on = asyncio.Event()
        self.fails = False

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        await self.go_on.wait()
        if self.fails:
            raise LookupError(level, seed)
        return position.legal_moves()[0]

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        raise NotImplementedError

    async def review(
        self, game: int, record: GameRecord, *, placements: int, closer: bool = False
    ) -> Review:
        await self.go_on.wait()
        raise NotImplementedError(game, record, placements, closer)

    async def puzzles(self, game: int, record: GameRecord) -> tuple[Puzzle, ...]:
        raise NotImplementedError


def number(name: str, kind: str) -> float | None:
    return REGISTRY.get_sample_value(name, {"kind": kind})


async def test_a_player_who_waits_for_a_minute_makes_it_silent() -> None:
    clock, slow = Seconds(), Slow()
    thinker = WatchedThinker(slow, clock)
    answered = number("dvonn_machine_answer_seconds_count", "choose") or 0
    choosing = asyncio.create_task(thinker.choose(BOARD, level=1, seed=0))
    clock.now += 40
    later = asyncio.create_task(thinker.choose(BOARD, level=1, seed=1))
    record = GameRecord(moves=())
    reviewing = asyncio.create_task(thinker.review(1, record, placements=0))
    await asyncio.sleep(0)
    assert (number("dvonn_machine_questions", "choose"), thinker.fault) == (2, None)
    assert number("dvonn_machine_questions", "review") == 1
    clock.now += 61
    assert thinker.fault == "a question has been waiting for 61 s"
    assert MACHINE_OLDEST_SECONDS.collect()
    assert REGISTRY.get_sample_value("dvonn_machine_oldest_seconds") == 61
    slow.go_on.set()
    assert {await choosing, await later} == {BOARD.legal_moves()[0]}
    reviewing.cancel()
    assert thinker.fault is None
    assert number("dvonn_machine_questions", "choose") == 0
    assert number("dvonn_machine_answer_seconds_count", "choose") == answered + 2


async def test_a_machine_that_fails_is_silent_until_it_answers() -> None:
    slow = Slow()
    thinker = WatchedThinker(slow, Seconds())
    slow.go_on.set()
    slow.fails = True
    await raises(LookupError, thinker.choose(BOARD, level=1, seed=0))
    assert thinker.fault == "it failed: LookupError"
    slow.fails = False
    await thinker.choose(BOARD, level=1, seed=0)
    assert thinker.fault is None
