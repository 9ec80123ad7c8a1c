"""Limits for caches, repeated messages and concurrent work, and a filter for actual edits."""

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

import discord

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """A cache that keeps the newest `limit` entries."""

    def __init__(self, limit: int = 10_000) -> None:
        self._known: dict[Key, Value] = {}
        self._limit = limit

    def put(self, key: Key, value: Value) -> None:
        """Store a value as the newest entry."""
        self._known.pop(key, None)
        self._known[key] = value
        if len(self._known) > self._limit:
            del self._known[next(iter(self._known))]

    def get(self, key: Key) -> Value | None:
        return self._known.get(key)

    def pop(self, key: Key) -> Value | None:
        """Remove a key, and return its value or None."""
        return self._known.pop(key, None)

    def is_new(self, key: Key, value: Value) -> bool:
        """Store a value. Return True if the key was new or had another value."""
        if self._known.get(key) == value:
            return False
        self.put(key, value)
        return True


EDIT_WINDOW: Final = timedelta(minutes=5)
"""Maximum age at which a message's edits count, by Discord's clock."""


class Edits:
    """Finds the actual edits of text among Discord's message updates.

    Discord also sends an update for a link preview, a pin or a new thread.
    """

    def __init__(self) -> None:
        self._known: BoundedCache[int, datetime] = BoundedCache()

    def is_new(self, message: discord.Message) -> bool:
        """Return True once for each edit of a recent message's text."""
        at = message.edited_at
        if at is None or at - message.created_at > EDIT_WINDOW:
            return False
        return self._known.is_new(message.id, at)


class Cooldown(Generic[Key]):
    """Limits how often the same message is sent, for each key."""

    def __init__(self, after: timedelta) -> None:
        self._after = after
        self._last: BoundedCache[Key, datetime] = BoundedCache()

    def allows(self, key: Key, now: datetime, *, may_repeat: bool = True) -> bool:
        """Return True if the message may be sent now, and record it.

        With `may_repeat` False, it may be sent only once per key.
        """
        last = self._last.get(key)
        if last is not None and not (may_repeat and now - last > self._after):
            return False
        self._last.put(key, now)
        return True


class ConcurrencyLimit(Generic[Key]):
    """Limits concurrent work per key. Work above the limit is skipped."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._running: Counter[Key] = Counter()

    @contextmanager
    def slot(self, key: Key) -> Iterator[bool]:
        """Count the work in this block. Yields False if the block should skip it."""
        if self._running[key] >= self._limit:
            yield False
            return
        self._running[key] += 1
        try:
            yield True
        finally:
            self._running[key] -= 1
            if not self._running[key]:
                del self._running[key]
