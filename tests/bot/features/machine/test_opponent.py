"""Tests for the engine's worker processes when they are killed."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.base.ids import UserId
from bot.base.priority_semaphore import Priority
from bot.features.machine.opponent import worker as thinking
from bot.features.machine.opponent.analyst import Analyst
from bot.features.machine.opponent.machine import Machine
from dvonn import Color, GameRecord, Move, Phase, Position
from dvonn.machine import STRONGEST
from tests.bot.table import raises
from tests.games import positions_of, random_game

pytestmark = [
    pytest.mark.skipif(
        find_spec("numba") is None, reason="the engine's packages are not installed"
    ),
    pytest.mark.usefixtures("warm_workers"),
]

SEARCHES = 2


def workers() -> set[BaseProcess]:
    return set(multiprocessing.active_children())


def signal_to(process: BaseProcess, number: int) -> None:
    assert process.pid is not None
    os.kill(process.pid, number)


@pytest.fixture
def machine() -> Iterator[Machine]:
    with closing(Machine(SEARCHES)) as machine:
        yield machine


@pytest.fixture(autouse=True)
def _nobody_kept() -> Iterator[None]:
    """Workers are forked from this process, with the strongest player that it has cached."""
    thinking._strongest.cache_clear()
    yield
    thinking._strongest.cache_clear()


@pytest.mark.skipif(sys.platform == "win32", reason="no process stands still there")
async def test_the_death_of_a_worker_renews_the_others_once(machine: Machine) -> None:
    first, searches = await asked_while_stopped(machine)
    assert len(first) == SEARCHES
    with capture_logs() as log:
        first.pop().kill()
        await check_answers(searches)
    assert [row["event"] for row in log] == ["engine process died, restarting"]
    for item in first:
        signal_to(item, signal.SIGCONT)
    while not (found := workers()).isdisjoint(first):  # noqa: ASYNC110 - it ends when it hears of it
        await asyncio.sleep(0.01)
    # A fast worker may have answered alone. Another one starts if questions wait, but no third one.
    found, searches = await asked_while_stopped(machine)
    assert len(found) == SEARCHES
    for item in found:
        signal_to(item, signal.SIGCONT)
    await check_answers(searches)
    assert workers() == found


async def asked_while_stopped(
    machine: Machine,
) -> tuple[set[BaseProcess], list[asyncio.Task[Move]]]:
    """Send the maximum number of requests to stopped workers. Return both."""
    stop(workers())
    searches = [
        asyncio.create_task(machine.choose(Position.initial(), level=1, seed=seed))
        for seed in range(SEARCHES)
    ]
    await asyncio.sleep(0)  # all of them have asked, and wait
    there = workers()
    stop(there)
    return there, searches


def stop(processes: set[BaseProcess]) -> None:
    for process in processes:
        signal_to(process, signal.SIGSTOP)


async def check_answers(searches: list[asyncio.Task[Move]]) -> None:
    legal = Position.initial().legal_moves()
    assert all(move in legal for move in await asyncio.gather(*searches))


def test_evaluations_are_from_whites_side() -> None:
    """The position is near the end of a game, so the search sees the result."""
    for position in positions_of(random_game(5))[-5:-1]:
        is_white = position.turn is Color.WHITE
        thoughts = thinking.analyse(position, 0)
        leads = [thought.margin for thought in thoughts if thought.margin is not None]
        assert leads
        assert leads == sorted(leads, reverse=is_white)
        best = position.play(thoughts[0].moves[0])
        if best.phase is Phase.OVER:
            assert leads[0] == best.score(Color.WHITE) - best.score(Color.BLACK)
        for thought in thoughts:
            assert thought.white_wins is None or 0 <= thought.white_wins <= 1


async def test_a_review_gives_way_to_hints_these_to_moves_and_it_ends_with_its_worker() -> None:
    moves = random_game(2)
    position = positions_of(moves)[55]
    with closing(Machine(1)) as machine:
        reviewing = asyncio.ensure_future(machine.review(1, GameRecord(moves), placements=49))
        for seed in range(3):
            move = await machine.choose(position, level=1, seed=seed)
            assert move in position.legal_moves()
            assert not reviewing.done()  # a review has no worker of its own
        analyst = Analyst(machine)
        hints = [
            asyncio.ensure_future(analyst.analyse(position, user=UserId(number)))
            for number in range(3)
        ]
        await asyncio.sleep(0)  # all of them have asked, and wait
        assert machine.at_once == 2  # a worker is ready, so the review doesn't delay the move
        await machine.choose(position, level=1, seed=3)
        assert sum(hint.done() for hint in hints) <= 1  # the worker that was started
        assert not reviewing.done()
        assert len({hint[0].moves for hint in await asyncio.gather(*hints)}) == 1
        (worker,) = workers()
        worker.kill()
        await raises(BrokenProcessPool, reviewing)
        review = await machine.review(1, GameRecord(moves[:50]), placements=49)
    assert [ply.played for ply in review.plies] == moves[49:50]


async def test_a_closer_look_waits_for_move_searches_and_for_reviews() -> None:
    moves = random_game(2)
    with closing(Machine(1)) as machine:
        closer = asyncio.ensure_future(
            machine.review(1, GameRecord(moves[:50]), placements=49, closer=True)
        )
        await machine.choose(positions_of(moves)[55], level=1, seed=0)
        assert not closer.done()
        review = await machine.review(2, GameRecord(moves[:50]), placements=49)
        assert len(review.plies) == 1
        assert not closer.done()
        found = await closer
    assert [ply.played for ply in found.plies] == moves[49:50]
    assert found.nodes > review.nodes


async def test_a_slow_search_hurries_while_others_wait() -> None:
    position = positions_of(random_game(2))[55]
    with closing(Machine(1)) as machine:
        strong = asyncio.ensure_future(machine.choose(position, level=STRONGEST, seed=0))
        await asyncio.sleep(0)
        assert machine._flags[0] == thinking.CONTINUE
        waiting = [
            asyncio.ensure_future(machine.choose(position, level=level, seed=0))
            for level in (1, STRONGEST, 1)
        ]
        await asyncio.sleep(0)
        assert machine._flags[0] == thinking.HURRY
        await waiting[0]
        assert strong.done()
        assert machine._flags[0] == thinking.HURRY  # another request waits behind it, too
        await asyncio.gather(*waiting)
        await machine.choose(position, level=1, seed=1)
        assert machine._flags[0] == thinking.CONTINUE


def test_a_hurried_search_ends_with_its_result_so_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from dvonn.engine import player  # noqa: PLC0415 - it loads numba

    position, sixty = positions_of(random_game(2))[55], 60.0
    slow = (*player.STRENGTHS[:-1], replace(player.STRENGTHS[-1], seconds=sixty))
    monkeypatch.setattr(player, "STRENGTHS", slow)
    monkeypatch.setattr(thinking, "_flags", [thinking.HURRY])
    began = time.monotonic()
    assert thinking.choose(position, STRONGEST, 1, 0) in position.legal_moves()
    assert thinking._HURRIED_S < time.monotonic() - began < sixty


async def test_the_strongest_thinks_on_its_opponents_time_until_a_move_is_wanted() -> None:
    position = positions_of(random_game(2))[55]
    with closing(Machine(1, ahead_s=1e6)) as machine:
        hurried = asyncio.ensure_future(machine.choose(position, level=STRONGEST, seed=0))
        await asyncio.sleep(0)  # the request was sent
        await machine.choose(position, level=1, seed=0)
        await hurried
        assert machine._ahead is not None
        while Priority.OPTIONAL not in machine._patient:  # noqa: ASYNC110 - it has not begun
            await asyncio.sleep(0.01)
        assert not machine._ahead.done()
        await machine.choose(position, level=1, seed=1)
        await machine._ahead


async def test_no_thinking_ahead_without_time_from_the_host() -> None:
    position = positions_of(random_game(2))[55]
    with closing(Machine(1, ahead_s=0)) as machine:
        hurried = asyncio.ensure_future(machine.choose(position, level=STRONGEST, seed=0))
        await asyncio.sleep(0)
        await machine.choose(position, level=1, seed=0)
        await hurried
        assert machine._ahead is None


def test_thinking_ahead_is_remembered_until_the_end_of_a_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = positions_of(random_game(2))[55]
    monkeypatch.setattr(thinking, "_flags", [thinking.CONTINUE])
    monkeypatch.setattr(thinking, "_run_in_background", lambda *_, **__: None)
    assert thinking.think_ahead(position, 0.2, 0)
    with thinking._player(STRONGEST, 1, 0) as player:
        known = player._searcher.known_move
        expected = known(position)
        assert expected is not None
        assert known(position.play(expected)) is not None
        thinking.review(1, GameRecord(()), 0, False, 0)
        assert thinking._strongest() is not player


def test_a_paused_search_waits_for_the_next_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The code that searches for a move raises the slot's flag."""
    flags, key, steps = [0], ("closer", 1), list[int]()
    monkeypatch.setattr(thinking, "_flags", flags)

    def make(stopped: Callable[[], bool]) -> int:
        for number in range(3):
            assert not stopped()
            steps.append(number)
            flags[0] = 1
            while flags[0]:
                time.sleep(0.001)
        return len(steps)

    for done in (1, 2, 3):
        assert thinking._run_in_background(key, make, 0, pauses=True) is None
        assert len(steps) == done
        assert not thinking._tasks[key].resume.is_set()
        flags[0] = 0
    assert thinking._run_in_background(key, make, 0, pauses=True) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_without_a_right_to_priorities_the_default_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: int) -> None:
        raise PermissionError  # like a service's system call filter

    monkeypatch.setattr(os, "setpriority", refuse)
    task = thinking._Task()
    task.resume.set()
    thinking._run(lambda stopped: not stopped(), task)
    assert task.future.result(timeout=0) is True


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
async def test_a_worker_lets_the_bot_go_first() -> None:
    with closing(Machine(1)) as machine:
        await machine.choose(Position.initial(), level=1, seed=0)
        (worker,) = workers()
        assert worker.pid is not None
        assert os.getpriority(os.PRIO_PROCESS, worker.pid) == 5


KILLED = """
import asyncio, os, signal
from bot.features.machine.opponent.machine import Machine
from dvonn import Position

async def main():
    await Machine(1).choose(Position.initial(), level=1, seed=0)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed so there")
def test_a_killed_bot_leaves_no_worker_and_no_log_entry(tmp_path: Path) -> None:
    """Its standard error closes when the last of its processes ends."""
    script = tmp_path / "script.py"
    script.write_text(KILLED, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(Path.cwd())}
    done = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (-9, "")
