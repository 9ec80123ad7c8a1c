"""Limits on how often somebody is answered, and how much at once; a first ask always is."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Generic

from bot.connection.cache import BoundedCache, Key


class Cooldown(Generic[Key]):
    """A limit by which somebody is told something once, and again only after a while."""

    def __init__(self, after: timedelta) -> None:
        self._after = after
        self._last: BoundedCache[Key, datetime] = BoundedCache()

    def is_time(self, key: Key, now: datetime, *, again: bool = True) -> bool:
        """Return whether to say it now; then it counts as said.

        Args:
            key: To whom, and where.
            now: When they asked.
            again: Whether it is ever said again.
        """
        last = self._last.get(key)
        if last is not None and not (again and now - last > self._after):
            return False
        self._last.learn(key, now)
        return True


class ConcurrencyLimit(Generic[Key]):
    """A limit on what runs at once for one person; what comes beside it is passed over."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._going_on: Counter[Key] = Counter()

    @contextmanager
    def let_in(self, key: Key) -> Iterator[bool]:
        """Count what is done within; whether it may be done."""
        if self._going_on[key] >= self._most:
            yield False
            return
        self._going_on[key] += 1
        try:
            yield True
        finally:
            self._going_on[key] -= 1
            if not self._going_on[key]:
                del self._going_on[key]
