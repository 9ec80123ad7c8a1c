"""Remembering without end, in bounded room: what is oldest is forgotten."""

from collections.abc import Hashable
from typing import Generic, TypeVar

_MOST = 10_000

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Newest(Generic[Key, Value]):
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
        """What was learned last; None where it is unknown, or forgotten."""
        return self._known.get(key)

    def is_new(self, key: Key, value: Value) -> bool:
        """Whether that has not been learned; now it has."""
        if self._known.get(key) == value:
            return False
        self.learn(key, value)
        return True
