"""The workers that think: real processes, which are killed."""

import asyncio
import multiprocessing
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from multiprocessing.process import BaseProcess

import pytest

from bot.opponent import Machine
from dvonn import Position

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="the engine's packages are not installed"
)

SEARCHES = 4


def workers() -> set[BaseProcess]:
    return set(multiprocessing.active_children())


@pytest.fixture
def machine() -> Iterator[Machine]:
    with closing(Machine(SEARCHES)) as machine:
        yield machine


@pytest.mark.timeout(300)  # the engine may have to be compiled first
async def test_the_death_of_a_worker_renews_the_others_once(machine: Machine) -> None:
    first = workers()
    assert len(first) == SEARCHES
    position = Position.initial()
    async with asyncio.TaskGroup() as group:
        searches = [
            group.create_task(machine.choose(position, level=1, seed=seed))
            for seed in range(SEARCHES)
        ]
        await asyncio.sleep(0)  # all of them have asked, and wait
        first.pop().kill()
    assert all(search.result() in position.legal_moves() for search in searches)
    assert len(workers()) == SEARCHES
    assert workers().isdisjoint(first)
