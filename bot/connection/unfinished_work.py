"""Counts the work in flight, so that a stop waits for its end.

It also ends tasks, and logs and counts the handling of each request.
"""

import asyncio
import time
from collections.abc import Coroutine, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

import structlog

from bot.base.metrics import IN_FLIGHT, TURN_SECONDS, TURNS

_log = structlog.get_logger()

_AGAIN_S = 1.0
_T = TypeVar("_T")


@contextmanager
def bound(variable: ContextVar[_T], value: _T) -> Iterator[None]:
    """Set a context variable while the block runs."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


async def end(tasks: "Iterable[asyncio.Future[Any]]") -> None:
    """Cancel tasks, and wait until they have ended, with any result.

    The cancellation is repeated. On Python 3.11 `asyncio.wait_for`, which discord.py uses, loses
    one that comes together with its result, and an endless task would continue.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        ended, left = await asyncio.wait(left, timeout=_AGAIN_S)
        await asyncio.gather(*ended, return_exceptions=True)


class Tasks:
    """Tasks that run until they are stopped, one for each name."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def keep_running(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Run a task, in place of the running one of that name."""
        self.stop(name)
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._finished)

    def stop(self, name: str) -> None:
        """Cancel the task of a name, if there is one."""
        for task in list(self._running):
            if task.get_name() == name:
                task.cancel()

    async def end(self) -> None:
        """Cancel all tasks, and wait for their end."""
        await end(self._running)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("background task failed", task=task.get_name(), exc_info=error)


class InFlightWork:
    """Counts pieces of work that must not be interrupted."""

    def __init__(self) -> None:
        self._started: set[asyncio.Task[object]] = set()  # the loop holds only weak references
        self._count = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @contextmanager
    def track(self) -> Iterator[None]:
        """Count a piece of work from its beginning to its end."""
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
        """Run a coroutine in the background as a piece of work, counted from this call on.

        Nobody waits for its result, so its exception is logged.
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


class Trigger(StrEnum):
    """The kinds of input by which a request arrives."""

    TYPED = "typed"
    CAUGHT_UP = "caught up"
    """Typed while the bot was away."""
    COMMAND = "command"
    BUTTON = "button"
    """A button, or a choice in a list."""
    FORM = "form"


@dataclass(frozen=True, slots=True)
class _Handling:
    trigger: Trigger
    began: float


_visit: ContextVar[_Handling | None] = ContextVar("visit", default=None)


@contextmanager
def handling_trigger(door: Trigger, **ids: int | None) -> Iterator[None]:
    """Handle a request in this block. Its log lines hold the kind of input and Discord's ids."""
    known = {name: number for name, number in ids.items() if number is not None}
    logged = structlog.contextvars.bound_contextvars(door=door.value, **known)
    with bound(_visit, _Handling(door, time.monotonic())), logged:
        yield


def played(game: int, revision: int, *, shown: bool) -> None:
    """Count a change that the current request made. `shown` is True if its board was sent."""
    current = _visit.get()
    if current is None:
        return
    seconds = time.monotonic() - current.began
    TURNS.labels(current.trigger).inc()
    if shown:
        TURN_SECONDS.labels(current.trigger).observe(seconds)
    _log.info("move played", game=game, revision=revision, sent=shown, ms=round(seconds * 1_000))
