"""Worker processes that compute moves.

They are warmed up at startup, and replaced if one dies.

Only the workers load the engine and numba.
"""

import asyncio
import multiprocessing
import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from typing import Any, Final, TypeVar

import structlog

from bot.base.logs import child_log_setup
from bot.base.metrics import MACHINE_SEARCH_SECONDS
from bot.base.priority_semaphore import Priority, PrioritySemaphore, QueueFullError
from bot.features.machine.opponent import worker
from bot.play.model.engine_thoughts import Thought
from dvonn import GameRecord, Move, Phase, Position, Review
from dvonn.machine import STRONGEST
from dvonn_lessons.puzzles import Puzzle

_log = structlog.get_logger()

_Answer = TypeVar("_Answer")

_IGNORED_WARNING: Final = "ignore:resource_tracker:UserWarning"


def machine_is_installed() -> bool:
    """Return True if the engine's packages are installed, without loading them."""
    return find_spec("numba") is not None


class Machine:
    """Finds moves, and reviews games while no move is requested.

    Moves come before questions about positions. Other than that, requests are answered in order. A
    game never has two requests at once, so games share the workers fairly. Reviews have no worker
    of their own, because a worker takes a lot of memory. A review runs in the same process as
    searches for moves, in a thread with the lowest priority (`worker.review`).

    Args:
        searches: Number of moves searched at the same time, each in its own process.
        ahead_s: Seconds that the strongest level thinks during its opponent's turn.
        interpreted: True to run the engine without numba, which limits the levels.
    """

    def __init__(self, searches: int, ahead_s: float = 0, *, interpreted: bool = False) -> None:
        self._begin = worker.begin_interpreted if interpreted else worker.begin
        self._searches = searches
        self._ahead_s = ahead_s
        # Otherwise Python would log a warning about semaphores if the bot is killed.
        warnings = os.environ.get("PYTHONWARNINGS", "").split(",")
        os.environ["PYTHONWARNINGS"] = ",".join(
            dict.fromkeys((*filter(None, warnings), _IGNORED_WARNING))
        )
        self._context = multiprocessing.get_context("spawn")
        # One flag per running search. Raising it tells the worker to stop.
        self._flags: Any = self._context.Array("b", searches, lock=False)
        self._slots = PrioritySemaphore(searches, optional=1)
        # Slots used for work that must not delay moves, by its priority.
        self._patient: dict[Priority, int] = {}
        self._patient_locks = {
            priority: asyncio.Lock() for priority in (Priority.PATIENT, Priority.OPTIONAL)
        }
        # Slots of searches that take longer unless other requests wait.
        self._long_searches: set[int] = set()
        self._ahead: asyncio.Task[None] | None = None
        self._pool = self._make_pool()

    @property
    def at_once(self) -> int:
        """One more than the number of searches, so that the next request is always ready."""
        return self._searches + 1

    @property
    def is_warm(self) -> bool:
        """True if a worker has loaded all the code that it needs."""
        return any(
            future.done() and not future.cancelled() and future.exception() is None
            for future in self._warming
        )

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        """Return the machine's move.

        Canceling the call ends the search.

        While there are no other requests, the strongest level continues to search the game of its
        last move, during its opponent's turn.

        Raises:
            BrokenProcessPool: if the workers keep dying.
        """
        find = partial(worker.choose, position, level, seed)
        if level != STRONGEST:
            return await self._ask(find)
        if self._ahead is not None:
            self._ahead.cancel()
        move = await self._ask(find, may_take_longer=True)
        after = position.play(move)
        if after.phase is Phase.MOVEMENT and self._ahead_s:
            self._ahead = asyncio.create_task(self._think_ahead(after))
        return move

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        """Return the best continuations of an unfinished position, best first.

        Raises:
            BrokenProcessPool: if the workers keep dying.
        """
        return await self._ask(partial(worker.analyse, position), Priority.SOON)

    async def review(
        self, game: int, record: GameRecord, *, placements: int, closer: bool = False
    ) -> Review:
        """Return the review of a whole game.

        One normal review and one closer review can run at the same time. A closer review pauses
        during searches for moves, and normal reviews start before it. The first `placements` plies
        are the players' own placements.

        Canceling the call only stops the wait. The worker continues until it gets another request.

        Raises:
            BrokenProcessPool: if the worker dies during it.
        """
        find = partial(worker.review, game, record, placements, closer)
        return await self._ask_in_background(
            find, Priority.OPTIONAL if closer else Priority.PATIENT
        )

    async def puzzles(self, game: int, record: GameRecord) -> tuple[Puzzle, ...]:
        """Return at most two puzzles from an ended game.

        Canceling works as in `review`.

        Raises:
            BrokenProcessPool: if the worker dies during it.
        """
        find = partial(worker.puzzles, game, record)
        return await self._ask_in_background(find, Priority.PATIENT)

    @property
    def is_busy(self) -> bool:
        """True if all workers are searching."""
        return self._slots.locked

    def retire(self) -> None:
        """End the workers, which must be idle. Other machines continue."""
        self._pool.shutdown(wait=False)

    def close(self) -> None:
        """End this process's workers, even busy ones."""
        if self._ahead is not None:
            self._ahead.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)
        # A worker that is still loading or compiling would delay the bot's exit by 30 seconds.
        for worker_process in multiprocessing.active_children():
            worker_process.terminate()

    async def _think_ahead(self, position: Position) -> None:
        with suppress(BrokenProcessPool, QueueFullError):
            find = partial(worker.think_ahead, position, self._ahead_s)
            await self._ask_in_background(find, Priority.OPTIONAL)

    async def _ask_in_background(
        self, find: Callable[[int], _Answer | None], priority: Priority
    ) -> _Answer:
        """Request work that yields to moves, until it is done.

        Only one of a kind runs at a time.
        """
        async with self._patient_locks[priority]:
            return await self._ask_until_done(find, priority)

    async def _ask_until_done(
        self, find: Callable[[int], _Answer | None], priority: Priority
    ) -> _Answer:
        pool: ProcessPoolExecutor | None = None
        while True:
            if priority is Priority.PATIENT:
                self._preempt(Priority.OPTIONAL)
            slot = await self._slots.acquire(priority)
            # A more urgent waiter may have arrived while the slot was handed over.
            if self._slots.has_waiters_before(priority):
                self._slots.release(slot)
                continue
            if pool not in (None, self._pool):
                self._slots.release(slot)
                raise BrokenProcessPool("the worker died during a search for a move")
            self._flags[slot] = worker.CONTINUE
            pool, self._patient[priority] = self._pool, slot
            try:
                result = await self._search(find, slot)
            except BrokenProcessPool:
                self._renew(pool)
                raise
            finally:
                del self._patient[priority]
                self._slots.release(slot)
            if result is not None:
                return result

    async def _ask(
        self,
        find: Callable[[int], _Answer],
        priority: Priority = Priority.NOW,
        *,
        may_take_longer: bool = False,
    ) -> _Answer:
        if self._slots.locked and self._patient:
            self._preempt(max(self._patient))
        elif self._slots.locked:
            for long_search in self._long_searches:
                self._flags[long_search] = worker.HURRY
        slot = await self._slots.acquire(priority)
        self._flags[slot] = worker.CONTINUE
        try:
            if may_take_longer:
                self._long_searches.add(slot)
                if self._slots.has_waiters_before(Priority.PATIENT):
                    self._flags[slot] = worker.HURRY
            pool = self._pool
            try:
                return await self._search(find, slot)
            except BrokenProcessPool:
                self._renew(pool)
                return await self._search(find, slot)
        finally:
            self._long_searches.discard(slot)
            self._slots.release(slot)

    def _preempt(self, priority: Priority) -> None:
        if priority in self._patient:
            self._flags[self._patient[priority]] = worker.STOP

    async def _search(self, find: Callable[[int], _Answer], slot: int) -> _Answer:
        searching = asyncio.get_running_loop().run_in_executor(self._pool, find, slot)
        began = time.monotonic()
        try:
            result = await asyncio.shield(searching)
        except asyncio.CancelledError:
            self._flags[slot] = worker.STOP
            with suppress(Exception):
                await searching
            raise
        kind = getattr(find, "func", find).__name__
        MACHINE_SEARCH_SECONDS.labels(kind).observe(time.monotonic() - began)
        return result

    def _make_pool(self) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(
            self._searches,
            self._context,
            initializer=self._begin,
            initargs=(self._flags, child_log_setup()),
        )
        # Submitted before any caller waits for the pool.
        self._warming = [pool.submit(worker.warm_up) for _ in range(self._searches)]
        return pool

    def _renew(self, broken: ProcessPoolExecutor) -> None:
        """Create new workers.

        Every search that lost its worker calls this, but only the first call acts.
        """
        if self._pool is broken:
            _log.warning("engine process died, restarting")
            self._pool = self._make_pool()
            broken.shutdown(wait=False, cancel_futures=True)
