"""What is being done at the moment, so that a stop waits for its end; and how tasks are ended."""

import asyncio
from collections.abc import Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import structlog

from bot.operations.metrics import IN_FLIGHT

_log = structlog.get_logger()

_AGAIN_S = 1.0


async def end(tasks: "Iterable[asyncio.Future[Any]]") -> None:
    """Cancel tasks, and wait until they have ended, whatever comes of them.

    They are cancelled again until they have: on Python 3.11 `asyncio.wait_for`, which discord.py
    uses, forgets a cancellation that comes together with what it waits for, and a task that runs
    for ever would go on.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        ended, left = await asyncio.wait(left, timeout=_AGAIN_S)
        await asyncio.gather(*ended, return_exceptions=True)


class Tasks:
    """What runs until it is stopped, one of each name."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def keep_running(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Run something, in place of what runs under that name."""
        self.stop(name)
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._finished)

    def stop(self, name: str) -> None:
        """Let nothing run under a name any more, if anything does."""
        for task in list(self._running):
            if task.get_name() == name:
                task.cancel()

    async def end(self) -> None:
        """Stop everything, and wait for that."""
        await end(self._running)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a task failed", task=task.get_name(), exc_info=error)


class Work:
    """Counts pieces of work that must not be torn apart."""

    def __init__(self) -> None:
        self._count = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @contextmanager
    def piece(self) -> Iterator[None]:
        """One piece, from its beginning to its end."""
        self._count += 1
        IN_FLIGHT.inc()
        self._idle.clear()
        try:
            yield
        finally:
            self._count -= 1
            IN_FLIGHT.dec()
            if self._count == 0:
                self._idle.set()

    def start(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """A task that is a piece of work from now on, not only from its first step."""
        piece = self.piece()
        piece.__enter__()
        task = asyncio.create_task(work)
        task.add_done_callback(lambda _done: piece.__exit__(None, None, None))
        return task

    async def settled(self) -> None:
        """Wait until nothing is being done."""
        while self._count:
            await self._idle.wait()
