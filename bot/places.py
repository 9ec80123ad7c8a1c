"""Places for so many at a time, such as searches of the machine, or requests in a second."""

import asyncio
from collections import deque
from heapq import heappop, heappush
from itertools import count


class Places:
    """Hands out places, in order: first to all who are in a hurry, then to the others."""

    def __init__(self, number: int) -> None:
        self._free = deque(range(number))
        self._waiting: list[tuple[bool, int, asyncio.Future[int]]] = []
        self._numbers = count()

    @property
    def are_taken(self) -> bool:
        """Whether whoever comes now has to wait."""
        return not self._free

    @property
    def are_wanted(self) -> bool:
        """Whether somebody in a hurry waits."""
        return bool(self._waiting) and not self._waiting[0][0]

    async def take(self, *, patient: bool = False) -> int:
        """A place, once one is free; whoever is patient lets all others go first."""
        if self._free:
            return self._free.popleft()
        place: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (patient, next(self._numbers), place))
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():  # it was handed over just then
                self.give_back(place.result())
            raise

    def give_back(self, place: int) -> None:
        """Let the next one have a place."""
        while self._waiting:
            *_, waiting = heappop(self._waiting)
            if not waiting.done():
                waiting.set_result(place)
                return
        self._free.append(place)
