"""Counts the work that is being done, and for whom: so that a stop waits for its end.

Also how tasks are ended, and what is logged and counted of a wish.
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
    """Let a context variable have a value while the block runs."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


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
    """Tasks that run until they are stopped, one of each name."""

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
        self._started: set[asyncio.Task[object]] = set()  # the loop alone would forget them
        self._count = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @contextmanager
    def piece(self) -> Iterator[None]:
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
        """Do something beside the rest: a piece of work from now on, not only from its first step.

        Nobody waits for it alone, so whatever it raises is logged.
        """
        piece = self.piece()
        piece.__enter__()

        def over(task: asyncio.Task[object]) -> None:
            self._started.discard(task)
            piece.__exit__(None, None, None)
            if not task.cancelled() and (error := task.exception()) is not None:
                _log.error("a task failed", task=task.get_name(), exc_info=error)

        task = asyncio.create_task(work, name=getattr(work, "__qualname__", None))
        self._started.add(task)
        task.add_done_callback(over)

    async def settled(self) -> None:
        """Wait until nothing is being done."""
        while self._count:
            await self._idle.wait()


class Door(StrEnum):
    """The ways in which a wish comes in."""

    TYPED = "typed"
    CAUGHT_UP = "caught up"
    """Typed while the bot was away."""
    COMMAND = "command"
    BUTTON = "button"
    """A button, or a choice in a list."""
    FORM = "form"


@dataclass(frozen=True, slots=True)
class _Visit:
    door: Door
    began: float


_visit: ContextVar[_Visit | None] = ContextVar("visit", default=None)


@contextmanager
def visit(door: Door, **ids: int | None) -> Iterator[None]:
    """Carry out a wish; every line logged meanwhile tells its door and the numbers of Discord."""
    known = {name: number for name, number in ids.items() if number is not None}
    logged = structlog.contextvars.bound_contextvars(door=door.value, **known)
    with bound(_visit, _Visit(door, time.monotonic())), logged:
        yield


def played(game: int, revision: int, *, shown: bool) -> None:
    """Count something that was written down for a visitor; its board may stand there, `shown`."""
    current = _visit.get()
    if current is None:
        return
    seconds = time.monotonic() - current.began
    TURNS.labels(current.door).inc()
    if shown:
        TURN_SECONDS.labels(current.door).observe(seconds)
    _log.info("played", game=game, revision=revision, shown=shown, ms=round(seconds * 1_000))
