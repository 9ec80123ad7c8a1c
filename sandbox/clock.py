"""The source of the sandbox's time: the system, or a test that moves the hands itself."""

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from typing import Protocol

Callback = Callable[[], object]


class Timer(Protocol):
    """A callback that waits for its moment."""

    def cancel(self) -> None:
        """Forget the callback. Harmless after it has run."""


class Clock(Protocol):
    """Tells the time, and calls back when a moment has come."""

    def time(self) -> float:
        """Seconds since the Unix epoch."""

    def call_at(self, when_s: float, callback: Callback) -> Timer:
        """Call ``callback`` once :meth:`time` has reached ``when_s``."""


class SystemClock:
    """The machine's own time."""

    def time(self) -> float:
        """Seconds since the Unix epoch."""
        return time.time()

    def call_at(self, when_s: float, callback: Callback) -> Timer:
        """Call back from the running event loop."""
        delay_s = max(0.0, when_s - self.time())
        return asyncio.get_running_loop().call_later(delay_s, callback)


class ManualClock:
    """Time that stands still until :meth:`advance` moves it, for tests of deadlines.

    Rate-limit windows do not pass either: give a sandbox on this clock ``RateLimits.generous()``.
    """

    def __init__(self, start_s: float = 1_750_000_000.0) -> None:
        self._now_s = start_s
        self._order = itertools.count()
        self._due: list[tuple[float, int, _ManualTimer]] = []

    def time(self) -> float:
        """Seconds since the Unix epoch."""
        return self._now_s

    def call_at(self, when_s: float, callback: Callback) -> Timer:
        """Call back from inside the :meth:`advance` that reaches ``when_s``."""
        timer = _ManualTimer(callback)
        heapq.heappush(self._due, (when_s, next(self._order), timer))
        return timer

    def advance(self, seconds: float) -> None:
        """Move on by ``seconds``, running what falls due on the way, each at its own moment."""
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
