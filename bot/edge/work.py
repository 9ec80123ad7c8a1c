"""What is being done at the moment, so that a stop waits for its end."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from bot.operations.metrics import IN_FLIGHT


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
