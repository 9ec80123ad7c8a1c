"""A semaphore with priorities, used for machine searches and for requests to Discord."""

import asyncio
from collections import deque
from collections.abc import Mapping
from enum import IntEnum


class Priority(IntEnum):
    """Priority of a waiter for a slot."""

    NOW = 0
    SOON = 1
    """Served after `NOW`."""
    PATIENT = 2
    """Served after `SOON`."""
    OPTIONAL = 3
    """Served last. If too many optional waiters queue up, the oldest one fails."""


class QueueFullError(Exception):
    """An optional waiter was dropped because too many others queued up behind it."""


class PrioritySemaphore:
    """A semaphore that serves waiters by priority.

    Args:
        number: Number of slots.
        reserves: For each priority, the number of slots that must stay free after it takes one.
        optional: Maximum number of waiters with optional priority.
    """

    def __init__(
        self, number: int, *, reserves: Mapping[Priority, int] | None = None, optional: int = 0
    ) -> None:
        self._free = deque(range(number))
        self._reserves = dict.fromkeys(Priority, 0) | dict(reserves or {})
        self._optional = optional
        self._waiting: dict[Priority, deque[asyncio.Future[int]]] = {
            priority: deque() for priority in Priority
        }

    @property
    def locked(self) -> bool:
        """True if no slot is free."""
        return not self._free

    def has_waiters_before(self, priority: Priority) -> bool:
        """Return True if a waiter with a higher priority is queued."""
        return any(self._waiting[other] for other in Priority if other < priority)

    async def acquire(self, priority: Priority = Priority.NOW) -> int:
        """Wait for a slot and return it.

        Raises:
            QueueFullError: if the waiter is optional, and too many others queue up behind it.
        """
        if self._is_room(priority) and not self.has_waiters_before(priority):
            return self._free.popleft()
        slot: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        waiting = self._waiting[priority]
        waiting.append(slot)
        if priority is Priority.OPTIONAL and len(waiting) > self._optional:
            oldest = waiting.popleft()
            if not oldest.done():  # otherwise it was just canceled
                oldest.set_exception(QueueFullError("too many newer optional waiters"))
        try:
            return await slot
        except asyncio.CancelledError:
            if slot in waiting:
                waiting.remove(slot)
                self._hand_out()  # others may have queued behind this one
            elif slot.done() and not slot.cancelled() and slot.exception() is None:
                self.release(slot.result())  # the slot was just handed over
            raise

    def release(self, slot: int) -> None:
        """Give a slot to the next waiter."""
        self._free.append(slot)
        self._hand_out()

    def _hand_out(self) -> None:
        for priority, waiting in self._waiting.items():
            while waiting and self._is_room(priority):
                future = waiting.popleft()
                if not future.done():
                    future.set_result(self._free.popleft())
            if waiting:  # the others wait until these are served
                return

    def _is_room(self, priority: Priority) -> bool:
        """Return True if enough slots are free for a priority, ignoring other waiters."""
        return len(self._free) > self._reserves[priority]
