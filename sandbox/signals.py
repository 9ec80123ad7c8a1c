"""Signals, which tests use to wait for events in the sandbox without polling."""

import asyncio
from collections.abc import Callable
from typing import Final, Generic, TypeVar

T = TypeVar("T")

SOON_S: Final = 300.0
"""Default timeout in real seconds. It is long, because test machines can be busy."""


class Signal(Generic[T]):
    """Sends values to all waiters whose check passes."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Callable[[T], object], asyncio.Future[T]]] = []
        self._listeners: list[Callable[[T], object]] = []

    def listen(self, callback: Callable[[T], object]) -> None:
        """Pass every value that is fired from now on to ``callback``."""
        self._listeners.append(callback)

    def unlisten(self, callback: Callable[[T], object]) -> None:
        """Unregister a callback passed to :meth:`listen`."""
        self._listeners.remove(callback)

    def fire(self, value: T) -> None:
        """Wake the waiters whose check passes, and call every listener.

        An exception in a check is raised at its waiter.
        """
        for check, future in tuple(self._waiting):
            if future.done():
                continue
            try:
                passed = check(value)
            except Exception as error:  # raised by the waiter's own check, so the waiter gets it
                future.set_exception(error)
            else:
                if passed:
                    future.set_result(value)
        for callback in tuple(self._listeners):
            callback(value)

    async def wait(self, check: Callable[[T], object], timeout_s: float) -> T | None:
        """Return the next value that passes ``check``, or None after ``timeout_s`` of real time."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        entry = (check, future)
        self._waiting.append(entry)
        try:
            finished, _ = await asyncio.wait((future,), timeout=timeout_s)
            return future.result() if finished else None
        finally:
            self._waiting.remove(entry)
