"""The order of questions: of those who wait, the person answered least often lately is next."""

import asyncio
import heapq
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

from bot.base.ids import UserId


class FairQueue:
    """A queue with so many places, so that no first question waits behind another's second.

    The answers to each user are counted for as long as one waits or is answered.

    Args:
        at_once: How many.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = self._free = at_once
        self._had: Counter[UserId] = Counter()
        self._waiting: list[tuple[int, int, UserId, asyncio.Future[None]]] = []
        self._came = count()

    @asynccontextmanager
    async def of(self, user: UserId) -> AsyncIterator[None]:
        """Wait for a user's turn, which takes as long as the block."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self._had[user], next(self._came), user, turn))
        self._hand_out()
        try:
            await turn
            yield
        finally:
            if not turn.cancel() and not turn.cancelled():  # also where it came just then
                self._free += 1
            self._hand_out()

    def _hand_out(self) -> None:
        while self._waiting and self._free:
            *_, user, turn = heapq.heappop(self._waiting)
            if not turn.done():
                self._free -= 1
                self._had[user] += 1
                turn.set_result(None)
        if self._free == self._at_once:
            self._had.clear()
