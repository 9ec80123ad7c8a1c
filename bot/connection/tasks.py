"""Runs tasks, tracks work that a shutdown waits for, and sets context variables in a block."""

import asyncio
from collections.abc import Coroutine, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import structlog

from bot.base.metrics import IN_FLIGHT

_log = structlog.get_logger()

_REPEAT_S = 1.0
_T = TypeVar("_T")


@contextmanager
def bound(variable: ContextVar[_T], value: _T) -> Iterator[None]:
    """Set a context variable during the block."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


async def end(tasks: "Iterable[asyncio.Future[Any]]") -> None:
    """Cancel tasks and wait until they have ended, whatever their results.

    The cancellation is repeated. On Python 3.11, `asyncio.wait_for`, which discord.py uses, loses a
    cancellation that coincides with its result. A task with an endless loop would then continue.
    """
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        ended, pending = await asyncio.wait(pending, timeout=_REPEAT_S)
        await asyncio.gather(*ended, return_exceptions=True)


class Tasks:
    """Tasks that run until they end or are stopped."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def keep_running(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Run a task, and cancel a running one with the same name."""
        self.stop(name)
        self.start(name, work)

    def start(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a task, and keep running ones with the same name."""
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._on_done)
        return task

    def stop(self, name: str) -> None:
        """Cancel the task with a name, if there is one."""
        for task in list(self._running):
            if task.get_name() == name:
                task.cancel()

    async def end(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        await end(self._running)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("background task failed", task=task.get_name(), exc_info=error)


class InFlightWork:
    """Counts tasks that must not be interrupted."""

    def __init__(self) -> None:
        # the event loop holds only weak references
        self._started: set[asyncio.Task[object]] = set()
        self._count = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @contextmanager
    def track(self) -> Iterator[None]:
        """Count the block as work in flight."""
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

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine in the background and count it as work in flight, starting now.

        Nobody awaits its result, so an exception is logged.
        """
        piece = self.track()
        piece.__enter__()

        def on_done(task: asyncio.Task[object]) -> None:
            self._started.discard(task)
            piece.__exit__(None, None, None)
            if not task.cancelled() and (error := task.exception()) is not None:
                _log.error("background task failed", task=task.get_name(), exc_info=error)

        task = asyncio.create_task(work, name=getattr(work, "__qualname__", None))
        self._started.add(task)
        task.add_done_callback(on_done)

    async def settled(self) -> None:
        """Wait until no work is in flight."""
        while self._count:
            await self._idle.wait()
