"""The sandbox's clock: the system's clock, or one that a test moves manually."""

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from typing import Protocol

Callback = Callable[[], object]


class Timer(Protocol):
    """A callback scheduled for a given time."""

    def cancel(self) -> None:
        """Cancel the callback. This is harmless after it has run."""


class Clock(Protocol):
    """A source of the current time that can also schedule callbacks."""

    def time(self) -> float:
        """Seconds since the Unix epoch."""

    def call_at(self, when_s: float, callback: Callback) -> Timer:
        """Call ``callback`` once :meth:`time` has reached ``when_s``."""


class SystemClock:
    """The machine's own clock."""

    def time(self) -> float:
        """Seconds since the Unix epoch."""
        return time.time()

    def call_at(self, when_s: float, callback: Callback) -> Timer:
        """Schedule the callback on the running event loop."""
        delay_s = max(0.0, when_s - self.time())
        return asyncio.get_running_loop().call_later(delay_s, callback)


class ManualClock:
    """A stopped clock that only :meth:`advance` moves, for tests of deadlines.

    Rate-limit windows don't pass either, so give a sandbox with this clock
    ``RateLimits.generous()``.
    """

    def __init__(self, start_s: float = 1_750_000_000.0) -> None:
        self._now_s = start_s
        self._order = itertools.count()
        self._due: list[tuple[float, int, _ManualTimer]] = []

    def time(self) -> float:
        """Seconds since the Unix epoch."""
        return self._now_s

    def call_at(self, when_s: float, callback: Callback) -> Timer:
        """Schedule a callback to run inside the :meth:`advance` that reaches ``when_s``."""
        timer = _ManualTimer(callback)
        heapq.heappush(self._due, (when_s, next(self._order), timer))
        return timer

    def advance(self, seconds: float) -> None:
        """Move forward by ``seconds``, running each callback at its scheduled time.

        >>> clock, rang = ManualClock(1000.0), []
        >>> timer = clock.call_at(1010.0, lambda: rang.append(clock.time()))
        >>> clock.advance(60.0)
        >>> rang, clock.time()
        ([1010.0], 1060.0)
        """
        goal_s = self._now_s + seconds
        while self._due and self._due[0][0] <= goal_s:
            when_s, _, timer = heapq.heappop(self._due)
            self._now_s = max(self._now_s, when_s)
            timer.run()
        self._now_s = goal_s


class _ManualTimer:
    def __init__(self, callback: Callback) -> None:
        self._callback: Callback | None = callback

    def cancel(self) -> None:
        self._callback = None

    def run(self) -> None:
        if self._callback is not None:
            self._callback()
