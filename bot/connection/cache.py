"""A memory of bounded size; by it changed messages that were typed anew are told apart.

Discord tells of a changed message for much else, too: a link that it shows a preview of, a pin, a
thread that begins there.
"""

from collections.abc import Hashable
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

import discord

_MOST = 10_000

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """The newest of what was learned."""

    def __init__(self) -> None:
        self._known: dict[Key, Value] = {}

    def learn(self, key: Key, value: Value) -> None:
        """Remember something as the newest."""
        self._known.pop(key, None)
        self._known[key] = value
        if len(self._known) > _MOST:
            del self._known[next(iter(self._known))]

    def get(self, key: Key) -> Value | None:
        """Return what was learned last; None where it is unknown, or forgotten."""
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
        """Return whether a person has just given a message another text; each is new once."""
        at = message.edited_at
        if message.author.bot or at is None or at - message.created_at > MENDED_WITHIN:
            return False
        return self._known.is_new(message.id, at)
