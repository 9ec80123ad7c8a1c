"""Places for so many at a time, such as searches of the machine, or requests in a second."""

import asyncio
from collections import deque
from collections.abc import Mapping
from enum import IntEnum


class Priority(IntEnum):
    """Urgency of a wish for a place."""

    NOW = 0
    SOON = 1
    """Lets those go first for whom others wait, too."""
    PATIENT = 2
    """Lets all go first who are in a hurry."""
    OPTIONAL = 3
    """Lets everybody go first; and gives up where too many of these wait, the oldest first."""


class CrowdedOutError(Exception):
    """Too many who came later want a place as well."""


class PrioritySemaphore:
    """Hands out places, in order: first to all who are in a hurry, then to the others.

    Args:
        number: How many.
        kept: So many of them are free for others before somebody in so little hurry gets one.
        optional: So many wait at most for whom a place is optional.
    """

    def __init__(
        self, number: int, *, kept: Mapping[Priority, int] | None = None, optional: int = 0
    ) -> None:
        self._free = deque(range(number))
        self._kept = dict.fromkeys(Priority, 0) | dict(kept or {})
        self._optional = optional
        self._waiting: dict[Priority, deque[asyncio.Future[int]]] = {
            one: deque() for one in Priority
        }

    @property
    def are_taken(self) -> bool:
        """True if a newcomer has to wait."""
        return not self._free

    def are_wanted_before(self, priority: Priority) -> bool:
        """Tell if somebody in more of a hurry waits."""
        return any(self._waiting[one] for one in Priority if one < priority)

    async def take(self, priority: Priority = Priority.NOW) -> int:
        """Return a place, once one is free.

        Raises:
            CrowdedOutError: if it is optional, and so many came later that there is no use.
        """
        if self._is_room(priority) and not self.are_wanted_before(priority):
            return self._free.popleft()
        place: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        waiting = self._waiting[priority]
        waiting.append(place)
        if priority is Priority.OPTIONAL and len(waiting) > self._optional:
            oldest = waiting.popleft()
            if not oldest.done():  # else it has just given up by itself
                oldest.set_exception(CrowdedOutError("too many came later"))
        try:
            return await place
        except asyncio.CancelledError:
            if place in waiting:
                waiting.remove(place)
                self._hand_out()  # there may be room for others, whom this one kept waiting
            elif place.done() and not place.cancelled() and place.exception() is None:
                self.give_back(place.result())  # it was handed over just then
            raise

    def give_back(self, place: int) -> None:
        """Let the next one have a place."""
        self._free.append(place)
        self._hand_out()

    def _hand_out(self) -> None:
        for priority, waiting in self._waiting.items():
            while waiting and self._is_room(priority):
                future = waiting.popleft()
                if not future.done():
                    future.set_result(self._free.popleft())
            if waiting:  # the others wait until these have had their turn
                return

    def _is_room(self, priority: Priority) -> bool:
        """Return whether there is a place for somebody, where nobody in more of a hurry waits."""
        return len(self._free) > self._kept[priority]
