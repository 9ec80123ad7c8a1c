"""Limits: of what is remembered, of how often one is answered, and of how much is done at once.

Discord tells of a changed message for much else, too: a link that it shows a preview of, a pin, a
thread that begins there.
"""

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

import discord

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """The newest of what was learned."""

    def __init__(self, most: int = 10_000) -> None:
        self._known: dict[Key, Value] = {}
        self._most = most

    def learn(self, key: Key, value: Value) -> None:
        """Remember something as the newest."""
        self._known.pop(key, None)
        self._known[key] = value
        if len(self._known) > self._most:
            del self._known[next(iter(self._known))]

    def get(self, key: Key) -> Value | None:
        return self._known.get(key)

    def forget(self, key: Key) -> Value | None:
        """Forget something; return what was learned of it last."""
        return self._known.pop(key, None)

    def is_new(self, key: Key, value: Value) -> bool:
        """Return whether that has not been learned; now it has."""
        if self._known.get(key) == value:
            return False
        self.learn(key, value)
        return True


MENDED_WITHIN: Final = timedelta(minutes=5)
"""Time after it was written in which a message can be mended; by Discord's clock, both."""


class Edits:
    """Tells new texts from what else is told of messages."""

    def __init__(self) -> None:
        self._known: BoundedCache[int, datetime] = BoundedCache()

    def is_new(self, message: discord.Message) -> bool:
        """Return whether somebody has just given a message another text; each is new once."""
        at = message.edited_at
        if at is None or at - message.created_at > MENDED_WITHIN:
            return False
        return self._known.is_new(message.id, at)


class Cooldown(Generic[Key]):
    """A limit by which somebody is told something once, and again only after a while."""

    def __init__(self, after: timedelta) -> None:
        self._after = after
        self._last: BoundedCache[Key, datetime] = BoundedCache()

    def is_time(self, key: Key, now: datetime, *, again: bool = True) -> bool:
        """Return whether to say it now, ever `again` or once only; then it counts as said."""
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
