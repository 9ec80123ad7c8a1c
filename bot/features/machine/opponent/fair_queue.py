"""Whose question comes next: of those who wait, theirs who were answered least often lately."""

import asyncio
import heapq
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

from bot.base.ids import UserId


class FairQueue:
    """Lets so many go on at once, so that nobody's first question waits behind another's second.

    Who was answered how often is counted for as long as somebody waits or is answered.

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
        """Wait for somebody's turn, which takes as long as the block."""
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
