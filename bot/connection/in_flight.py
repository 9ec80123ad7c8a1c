"""Counts work in flight, so that a shutdown waits for it."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import structlog

from bot.base.metrics import IN_FLIGHT

_log = structlog.get_logger()


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
