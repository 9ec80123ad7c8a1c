"""Tests that the interpreted engine answers at once, until the compiled one is ready."""

import asyncio
import multiprocessing
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from importlib.util import find_spec

import pytest

from bot.features.machine.opponent.machine import Machine
from bot.features.machine.opponent.staged_machine import StagedMachine
from dvonn import GameRecord, Move, Position
from dvonn.machine import INTERPRETED, LEVELS, STRONGEST
from tests.games import positions_of, random_game

POSITION = positions_of(random_game(3))[60]
needs_numba = pytest.mark.skipif(
    find_spec("numba") is None, reason="the engine's packages are not installed"
)


@asynccontextmanager
async def staged(compiled: Machine | None = None) -> AsyncIterator[StagedMachine]:
    machine = StagedMachine(compiled)
    try:
        yield machine
    finally:
        machine.close()
        for worker in multiprocessing.active_children():
            worker.join()


async def test_without_packages_it_plays_the_lower_levels_and_gives_hints() -> None:
    async with staged() as machine:
        assert machine.levels == INTERPRETED
        move = await machine.choose(POSITION, level=INTERPRETED[-1], seed=1)
        assert move in POSITION.legal_moves()
        assert move == await machine.choose(POSITION, level=INTERPRETED[-1], seed=1)
        best, *_ = await machine.analyse(POSITION)
        assert best.moves[0] in POSITION.legal_moves()
        assert len(await machine.analyse(Position.initial())) == 49
        assert len(multiprocessing.active_children()) == 1


async def test_options_that_need_missing_packages_are_refused() -> None:
    before = multiprocessing.active_children()  # left by other tests
    async with staged() as machine:
        with pytest.raises(ValueError, match="level 12"):
            await machine.choose(POSITION, level=12, seed=1)
        with pytest.raises(ValueError, match="not installed"):
            await machine.review(1, GameRecord((), {}), placements=0)
        with pytest.raises(ValueError, match="not installed"):
            await machine.puzzles(1, GameRecord((), {}))
        started = set(multiprocessing.active_children()) - set(before)
        assert not started


@needs_numba
async def test_the_compiled_engine_takes_over_once_it_is_ready() -> None:
    async with staged(Machine(1)) as machine:
        assert machine.levels == LEVELS
        first = await machine.choose(POSITION, level=5, seed=1)
        assert len(multiprocessing.active_children()) == 2  # answered by the second worker
        # Only the compiled engine plays this level. Once it has answered, its worker is warm.
        await machine.choose(POSITION, level=STRONGEST - 2, seed=1)
        assert await machine.choose(POSITION, level=5, seed=1) == first
        while len(multiprocessing.active_children()) > 1:  # noqa: ASYNC110 - it ends by itself
            await asyncio.sleep(0.01)


class OutOfMemory(Machine):
    """A machine whose workers die whenever they think."""

    is_warm = True

    async def choose(self, *_: object, **__: object) -> Move:
        raise BrokenProcessPool("killed")


@needs_numba
async def test_a_host_without_memory_for_the_compiled_engine_still_has_an_opponent() -> None:
    async with staged(OutOfMemory(1)) as machine:
        move = await machine.choose(POSITION, level=5, seed=1)
        assert move in POSITION.legal_moves()
        with pytest.raises(BrokenProcessPool):
            await machine.choose(POSITION, level=STRONGEST, seed=1)
